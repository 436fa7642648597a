import {
  bodyMedia,
  type Contract,
  type Filter,
  filteredValues,
  isAtItem,
  isInteger,
  isRecord,
  ON_ONE,
  type Operation,
  type Resource,
  SAFE_METHODS,
  type Shape,
} from '#spec';
import { markMember, recordInBody, recordSent } from '../laws/mark.ts';
import { creatorOf, furtherRoleOf, resourceOf, roleOf, successStatuses } from '../laws/operation-role.ts';
import { NotReached } from '../run/not-reached.ts';
import type { Judged } from '../run/sender.ts';
import type { Trial } from '../run/trial.ts';
import type { Expectation, RequestInput } from '../send/plan-request.ts';
import type { Response } from '../send/response.ts';
import type { Data } from '../send/wire.ts';
import { ALL_TAKEN, type Creation, isTaken, pathToNew, readAtLocation, withFreeId } from './creation.ts';
import { greatestPage, type Listed, listedResources, preparedFor } from './lists.ts';
import { inOrder, isUnlikely, madeUpPath } from './made-up.ts';
import { referringIn } from './named-records.ts';
import { climb, firstRecipe, isSameRecipe } from './recipe.ts';
import { inRecord, isValidBody } from './record-members.ts';
import {
  anyBody,
  createdId,
  ordinaryBody,
  ownId,
  pathOf,
  pathTo,
  recordsBeside,
  spentId,
  targetRecords,
} from './target.ts';

/**
 * A request that the document gives no reason to reject. An unsafe operation on one record gets a record that this run
 * created: records of others are never changed or removed.
 * @param spent false: the request will be rejected, so one record serves all such requests
 * @param values values that the caller has already
 */
export async function ordinaryInput(
  trial: Trial,
  operation: Operation,
  spent = true,
  values: Pick<RequestInput, 'path' | 'body'> = {},
): Promise<RequestInput> {
  const preset = { ...(await givenFor(trial, operation, spent)), ...values };
  const one = worksOnOne(trial.plan.contract, operation);
  const isNamed = one?.parameter !== undefined && one.parameter in (preset.path ?? {});
  const needsOwn = one && !isNamed && !SAFE_METHODS.has(operation.method);
  const id = needsOwn ? await ownFor(trial, operation, one.resource, spent) : undefined;
  const fresh = await freshPath(trial, operation, preset.path);
  const itemPath = needsOwn && one.parameter !== undefined ? { [one.parameter]: id } : fresh;
  const path = await pathOf(trial, operation, { ...itemPath, ...preset.path });
  const creates = fresh && { creates: true };
  if (preset.body !== undefined) return { ...creates, path, body: preset.body };
  const made = () => anyBody(trial, operation, { mark: trial.marks.next() });
  const role = roleOf(trial.plan.contract, operation);
  const isCreate = role?.action === 'create';
  const body = await (isCreate ? withFreeId(trial, role.resource, operation, path, made) : made());
  if (body === undefined) return { ...creates, path };
  const property = one?.resource.id?.property;
  const isInBody = needsOwn && one.parameter === undefined && property !== undefined;
  return { ...creates, path, body: isInBody && isRecord(body) ? { ...body, [property]: id } : body };
}

/**
 * The path of a missing record, for a POST that creates it.
 * @throws NotReached
 */
async function freshPath(trial: Trial, operation: Operation, preset: Data = {}): Promise<Data | undefined> {
  const resource = resourceOf(trial.plan.contract, operation);
  const parameter = resource?.id?.parameter ?? '';
  const isMade = resource && operation.method === 'POST' && creatorOf(resource) === operation;
  if (!isMade || !isAtItem(resource, operation) || parameter in preset) return undefined;
  const above = await pathOf(trial, operation, { ...preset, [parameter]: trial.marks.next() });
  const path = { ...above, ...pathToNew(trial, resource, operation) };
  if (await isTaken(trial, resource, {}, path)) throw new NotReached(ALL_TAKEN);
  return path;
}

/** The user code's values for a request; the body for a create is left out if it is the base of generated bodies. */
async function givenFor(trial: Trial, operation: Operation, spent: boolean) {
  const isSpent = spent && !SAFE_METHODS.has(operation.method);
  const { path, body } = (await preparedFor(trial, operation, isSpent)) ?? {};
  const isCreate = roleOf(trial.plan.contract, operation)?.action === 'create';
  const isPattern = isCreate && trial.plan.settings.bodies.has(operation.id);
  return { ...(path && { path }), ...(body !== undefined && !isPattern && { body }) };
}

/** A record for a request that may change it; with `spent`, a new one. */
function ownFor(trial: Trial, operation: Operation, resource: Resource, spent: boolean): Promise<unknown> {
  if (spent) return createdId(trial, resource);
  const hasRole = roleOf(trial.plan.contract, operation) !== undefined;
  return hasRole ? ownId(trial, resource) : spentId(trial, operation, resource);
}

/** The single record that an operation works on. Undefined: there is none, or the run cannot create one. */
function worksOnOne(contract: Contract, operation: Operation) {
  const role = roleOf(contract, operation);
  if (role) {
    const parameter = role.resource.id?.parameter;
    return parameter !== undefined && role.action !== 'create'
      ? { resource: role.resource, parameter }
      : undefined;
  }
  const { resource, further } = furtherRoleOf(contract, operation) ?? {};
  if (!resource?.id || !further || !ON_ONE.has(further.role) || !creatorOf(resource)) return undefined;
  return { resource, parameter: further.parameter };
}

/**
 * A request in the form of an ordinary one that names no record, to be rejected before anything is looked up. Path values
 * are made up, so that it needs no other requests.
 */
export async function detachedInput(trial: Trial, operation: Operation): Promise<RequestInput> {
  const path = madeUpPath(operation);
  const isRead = !trial.plan.permissions.changes(operation);
  if (!isRead && !Object.values(path).every(isUnlikely))
    throw new NotReached('a made-up value of its path may name a record of somebody else', 'withheld');
  const made = { path, madeUp: true };
  const body = await anyBody(trial, operation, { mark: trial.marks.next() });
  return body === undefined ? made : { ...made, body };
}

/** Sends a list request, which must succeed. */
export async function askList(trial: Trial, listed: Listed, query: Data = {}): Promise<readonly Data[]> {
  const { evidence } = await trial.send(listed.operation, {
    path: await pathOf(trial, listed.operation),
    query,
    expected: { status: listed.status },
  });
  return evidence.page?.records ?? [];
}

/** Requests the longest list that the document allows. */
export function askLongList(trial: Trial, listed: Listed, query: Data = {}): Promise<readonly Data[]> {
  return askList(trial, listed, { ...query, ...greatestPage(listed.form) });
}

/** Reads a record by its id. Undefined: the document has no such operation. */
export async function readById(
  trial: Trial,
  resource: Resource,
  id: unknown,
  expected?: Expectation,
): Promise<Judged | undefined> {
  const operation = resource.actions.read;
  if (!operation || resource.id?.parameter === undefined || successStatuses(operation)[0] === undefined)
    return undefined;
  // Such a segment would resolve to another path (RFC 3986 §5.2.4).
  if (/^\.{0,2}$/.test(String(id))) return undefined;
  const path = await pathTo(trial, resource, operation, id);
  return trial.send(operation, { path, ...(expected && { expected }) });
}

/**
 * A value of an existing record for a filter; undefined: none has one. Objects and longer texts are skipped where the
 * parameter takes an id.
 */
export async function seenValue(trial: Trial, resource: Resource, filter: Filter): Promise<unknown> {
  const { shape, schema } = filter.parameter;
  const validate = schema && trial.plan.contract.validators.compile(schema, 'request');
  const mayBeAsked = (value: unknown) =>
    !validate || validate(shape.mainType === 'array' ? [value] : value).length === 0;
  const records = await targetRecords(trial, resource);
  return records
    .flatMap((record) => filteredValues(record, filter))
    .find((value) => value !== undefined && value !== null && !isRecord(value) && mayBeAsked(value));
}

/** A created record exists from then on: it is read by its id and listed. */
export async function followCreation(trial: Trial, resource: Resource, creation: Creation): Promise<void> {
  const { id } = creation;
  if (id === undefined) return;
  const [listed] = listedResources([resource]);
  // Sequentially: a deviation that the read shows is not reported again for the list.
  await readById(trial, resource, id);
  await readAtLocation(trial, resource, creation);
  if (listed) await askLongList(trial, listed);
}

/** With sequential ids, an accidental second record of a create has the next one; a long list might not show it. */
export async function readNextId(trial: Trial, resource: Resource, { id }: Creation): Promise<void> {
  if (isInteger(id)) await readById(trial, resource, BigInt(id) + 1n);
}

/** A valid body with its own mark; another salt gives other values and other optional members. */
export async function variedBody(trial: Trial, operation: Operation, salt: number): Promise<Data> {
  const body = await ordinaryBody(trial, operation, { mark: trial.marks.next() });
  const resource = resourceOf(trial.plan.contract, operation);
  const { shape } = recordInBody(resource, operation);
  if (salt === 0 || !shape) return body;
  const bearer = markMember(shape);
  const isReferring = referringIn(trial.plan.contract, operation);
  const varied = Object.entries(recordSent(resource, operation, body)).flatMap(([name, value], index) => {
    const member = shape.properties.get(name);
    // One bit of the salt decides about each member.
    const isChosen = ((salt >> (index % 3)) & 1) === 1;
    if (!member || name === bearer || !isChosen || isReferring(name, member)) return [[name, value]];
    if (!shape.required.has(name) && salt > 2) return [];
    return [[name, otherValue(member, value, salt) ?? value]];
  });
  const change = inRecord(resource, operation, () => inOrder(Object.fromEntries(varied)) as Data);
  const other = change(body, undefined);
  return isValidBody(trial, operation, other) ? other : body;
}

/** A valid body that differs from any other one: by its mark alone or, without a mark, in all generated values. */
export async function anotherBody(trial: Trial, operation: Operation): Promise<Data> {
  const { shape } = recordInBody(resourceOf(trial.plan.contract, operation), operation);
  const mark = trial.marks.next();
  if (shape && markMember(shape) !== undefined) return ordinaryBody(trial, operation, { mark });
  const recipe = { ...firstRecipe(trial.plan, operation), varies: true };
  return ordinaryBody(trial, operation, { mark, recipe });
}

/** A body for an update: one or two members. */
export async function partialBody(trial: Trial, operation: Operation, salt: number): Promise<Data> {
  const body = await variedBody(trial, operation, salt % 3);
  const resource = resourceOf(trial.plan.contract, operation);
  const { shape } = recordInBody(resource, operation);
  const record = recordSent(resource, operation, body);
  const mark = shape && markMember(shape);
  const names = Object.keys(record).filter((name) => record[name] !== null);
  const first = mark ?? names[0];
  const others = names.filter((name) => name !== first);
  const other = salt === 0 ? undefined : others[salt % Math.max(1, others.length)];
  const chosen = new Set([
    ...(shape?.required ?? []),
    ...(salt % 2 === 1 && other ? [other] : [first, other]),
  ]);
  const kept = Object.fromEntries(Object.entries(record).filter(([name]) => chosen.has(name)));
  const part = inRecord(resource, operation, () => kept)(body, undefined);
  return isValidBody(trial, operation, part) ? part : body;
}

/** Another value of a member that is easy to distinguish; undefined: there is none. */
export function otherValue(member: Shape, value: unknown, salt = 1): unknown {
  const { values, mainType, range } = member;
  if (values) {
    const others = values.filter((other) => other !== value && other !== null);
    return others[salt % Math.max(1, others.length)];
  }
  if (mainType === 'boolean') return value !== true;
  if (mainType !== 'integer' || typeof value !== 'number' || member.find('multipleOf')) return undefined;
  const inRange = (other: number) =>
    other >= Number(range.low?.value ?? Number.NEGATIVE_INFINITY) &&
    other <= Number(range.high?.value ?? Number.POSITIVE_INFINITY);
  return [value + salt, value - salt].find((other) => Number.isSafeInteger(other) && inRange(other));
}

/**
 * For an operation that creates no record and rejected a valid body: searches for a body that it accepts, and uses it from
 * then on.
 * @returns whether there is one
 */
export async function repairBody(
  trial: Trial,
  operation: Operation,
  send: (shared: Trial, body: unknown) => Promise<Response>,
): Promise<boolean> {
  const resource = resourceOf(trial.plan.contract, operation);
  const isMade = roleOf(trial.plan.contract, operation)?.action === 'create';
  if (isMade || !bodyMedia(operation.body)?.shape || trial.plan.settings.stateless) return false;
  const climbed = await trial.share(trial.session.cache.climbs, operation, async (shared) => {
    const { records } = await recordsBeside(shared, operation);
    const before = shared.findings.length;
    const result = await climb(shared, resource, operation, undefined, records, async (recipe) => {
      const body = await anyBody(shared, operation, { mark: shared.marks.next(), recipe });
      return { recipe, body, response: await send(shared, body) };
    });
    // Errors on the way to an accepted body are no findings, like the first one.
    const held = result.recipe ? shared.findings.splice(before) : [];
    shared.findings.push(...held.filter(({ exchange }) => exchange.response.status >= 500));
    return result;
  });
  return climbed.recipe !== undefined && !isSameRecipe(climbed.recipe, firstRecipe(trial.plan, operation));
}
