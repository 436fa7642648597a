import {
  bodyMedia,
  manyItem,
  memberShape,
  type Operation,
  type Parameter,
  pathParameters,
  type Resource,
  SAFE_METHODS,
  schemaKey,
  sentMany,
  valueAt,
  withValueAt,
} from '#spec';
import { recordOf } from '../laws/evidence.ts';
import { recordsOf } from '../laws/list-page.ts';
import { recordInBody, recordsIn } from '../laws/mark.ts';
import { creatorOf, furtherRoleOf, ownerOf, parentsOf, resourceOf, roleOf } from '../laws/operation-role.ts';
import { isId } from '../laws/sent-members.ts';
import { NoInput, NotProvoked, NotReached } from '../run/not-reached.ts';
import { guessedParameters, linkSources, parseExpression, pathOfOwn } from '../run/path-values.ts';
import { spentBy } from '../run/permissions.ts';
import type { Trial } from '../run/trial.ts';
import { isAbsent } from '../send/plan-request.ts';
import { isSuccess, jsonOf, type Response } from '../send/response.ts';
import { ABSENT, type Data } from '../send/wire.ts';
import { type BodyOptions, makeBody, makeValue, readValue } from './body.ts';
import { type Creation, type Makers, notCreated, type Variation } from './creation.ts';
import { likelyFor, orNothing } from './likely-path.ts';
import { greatestPage, looksAtOwn, namesakeOf, preparedFor, viewedOwner, viewedRecords } from './lists.ts';
import { namedIn, needsOneOf } from './named-records.ts';
import { climbedOf } from './recipe.ts';
import { createUntilTaken } from './taken-create.ts';

/** The records that a list shows, requested once; empty without a list. */
export function targetRecords(trial: Trial, resource: Resource): Promise<readonly Data[]> {
  return trial.share(trial.session.cache.lists, resource, (shared) => readList(shared, resource));
}

/** Records of the run may be removed before they are used, and exist only if their case was faster. */
async function readList(trial: Trial, resource: Resource): Promise<readonly Data[]> {
  const { list, actions } = resource;
  const isForeign = (record: Data, path?: Data) =>
    trial.session.model.makerOf(resource, record, parentsOf(resource, path)) === undefined;
  if (!list || !actions.list)
    return (await viewedRecords(trial, resource)).filter((record) => isForeign(record));
  const query = greatestPage(list);
  const path = await pathOf(trial, actions.list);
  const { response } = await trial.send(actions.list, { path, query });
  if (!isSuccess(response)) {
    const { contract, settings } = trial.plan;
    const [guess] = guessedParameters(contract, settings, actions.list);
    const reason = `the list of ${resource.path} answers ${response.status}`;
    throw guess === undefined ? new NotReached(reason) : new NoInput(reason, { values: [guess] });
  }
  return recordsOf(list, jsonOf(response)).filter((record) => isForeign(record, path));
}

/**
 * The id for a path parameter. Changes use records of the run, and so do creates below a parent. Reads use an existing
 * record, or one of the run once the case has written there.
 */
async function namedId(trial: Trial, operation: Operation, name: string, owner: Resource): Promise<unknown> {
  const { permissions } = trial.plan;
  if (SAFE_METHODS.has(operation.method) && isOtherMember(owner, name))
    return memberOfOne(trial, owner, name);
  if (!permissions.canOwn(operation, name)) return existingId(trial, owner);
  if (spentBy(trial.plan.contract, permissions, operation)?.name === name)
    return spentId(trial, operation, owner);
  return permissions.changes(operation) || looksAtOwn(trial, owner)
    ? namedOwnId(trial, owner)
    : existingId(trial, owner);
}

/** The id of a record of the run, whose parents are the run's as well. */
function namedOwnId(trial: Trial, owner: Resource): Promise<unknown> {
  const { contract } = trial.plan;
  trial.amongOwn.add(owner);
  const creator = creatorOf(owner);
  for (const name of creator ? pathParameters(creator.path) : []) {
    const above = creator && ownerOf(contract, creator, name);
    if (above) trial.amongOwn.add(above);
  }
  return ownId(trial, owner);
}

/** The id of an existing record; if the list is empty, one is created. */
async function existingId(trial: Trial, resource: Resource): Promise<unknown> {
  const property = resource.id?.property;
  if (property === undefined) throw new NotProvoked('the document does not say which member is the id');
  const records = await targetRecords(trial, resource);
  const [id] = records.map((record) => record[property]).filter(isId);
  // The same one each time: its children must be looked up below it.
  return id ?? namedOwnId(trial, resource);
}

/**
 * Whether a parameter is another member of the record than its id: `{key}` of `/artifacts/{key}/latest`, where
 * `/artifacts/{id}` has records with an `id` and a `key`.
 */
function isOtherMember({ id, shape }: Resource, name: string): boolean {
  return name !== id?.property && name !== id?.parameter && memberShape(shape, name) !== undefined;
}

/** The value of a member in an existing record; fails if no record has it. */
async function memberOfOne(trial: Trial, resource: Resource, name: string): Promise<unknown> {
  const records = await targetRecords(trial, resource);
  const [value] = records.map((record) => record[name]).filter((one) => !isAbsent(one));
  if (value !== undefined) return value;
  const current = await recordNow(trial, resource, await namedOwnId(trial, resource));
  if (isAbsent(current?.[name])) throw new NotProvoked(`no record has a ${name}`);
  return current?.[name];
}

/** The id of a record that the run created, and never changes or removes. */
export function ownId(trial: Trial, resource: Resource): Promise<unknown> {
  return trial.share(trial.session.cache.ownIds, resource, async (shared) => {
    const id = await createdId(shared, resource);
    shared.log.ledger.share(id);
    return id;
  });
}

/** The id of a record that a single operation works on: nothing is expected of the record afterwards. */
export function spentId(trial: Trial, operation: Operation, resource: Resource): Promise<unknown> {
  return trial.share(trial.session.cache.spentIds, operation, async (shared) => {
    const { id, input } = await created(shared, resource);
    shared.log.ledger.share(id);
    shared.session.model.forget(resource, id, parentsOf(resource, input.path));
    return id;
  });
}

/** Values for the path parameters of an operation, except those that the caller has already. */
export async function pathOf(trial: Trial, operation: Operation, preset: Data = {}): Promise<Data> {
  const isWhole = pathParameters(operation.path).every((name) => name in preset);
  const prepared = isWhole ? undefined : await preparedFor(trial, operation, false);
  const values: Record<string, unknown> = { ...prepared?.path, ...preset };
  const unknown: Parameter[] = [];
  // The record first: its creator determines the parents.
  for (const parameter of pathOfOwn(operation).toReversed()) {
    const { name, shape } = parameter;
    if (name in values) continue;
    const owner = ownerOf(trial.plan.contract, operation, name);
    const value =
      readValue(trial, name, shape) ??
      (owner
        ? await namedId(trial, operation, name, owner)
        : ((await linkedValue(trial, operation, name)) ?? (await viewedId(trial, operation, name))));
    if (value === undefined) unknown.push(parameter);
    else values[name] = value;
  }
  return { ...values, ...(await likelyFor(trial, operation, values, unknown)) };
}

/** The id of a record from a view, or that the run created; undefined: there is none. */
async function viewedId(trial: Trial, operation: Operation, name: string): Promise<unknown> {
  const owner = viewedOwner(trial.plan.contract, operation, name);
  const property = owner?.id?.property;
  const { permissions, contract } = trial.plan;
  if (!owner && permissions.changes(operation)) {
    const other = namesakeOf(trial, operation, name);
    return other && createdId(trial, other);
  }
  if (!owner || property === undefined) return undefined;
  if (spentBy(contract, permissions, operation)?.name === name) return spentId(trial, operation, owner);
  if (permissions.changes(operation) || looksAtOwn(trial, owner)) return namedOwnId(trial, owner);
  const records = await targetRecords(trial, owner);
  const id = records.map((record) => record[property]).find(isId);
  return id ?? (creatorOf(owner) && trial.plan.settings.writes ? namedOwnId(trial, owner) : undefined);
}

/** The value of a parameter from the response of another operation; undefined: no link leads there. */
async function linkedValue(trial: Trial, operation: Operation, name: string): Promise<unknown> {
  const { contract, settings } = trial.plan;
  const { cache } = trial.session;
  const [source] = linkSources(contract, settings, operation, name);
  const expression = source && parseExpression(source.expression);
  if (!source || !expression) return undefined;
  const response = await trial.share(cache.linked, source.operation, (shared) =>
    askSource(shared, source.operation),
  );
  const value = expression.valueIn(response);
  if (value !== undefined) {
    if (roleOf(contract, source.operation)?.action === 'create')
      trial.session.ownership.noteLinked(operation, name, value);
    return value;
  }
  throw new NotReached(`${source.operation.id} answers ${response.status}, without ${source.expression}`);
}

async function askSource(trial: Trial, operation: Operation): Promise<Response> {
  const role = roleOf(trial.plan.contract, operation);
  if (role?.action === 'create') {
    const creation = await createRecord(trial, role.resource);
    trial.log.ledger.share(creation.id);
    return creation.response;
  }
  if (!SAFE_METHODS.has(operation.method) && !trial.plan.settings.writes)
    throw new NotReached('--read-only', 'read-only');
  const path = await pathOf(trial, operation);
  return (await trial.send(operation, { path, body: await anyBody(trial, operation) })).response;
}

export function pathTo(trial: Trial, { id }: Resource, operation: Operation, value: unknown): Promise<Data> {
  return pathOf(trial, operation, id?.parameter === undefined ? {} : { [id.parameter]: value });
}

/** A valid body, with ids of the target's records for references. */
export async function ordinaryBody(trial: Trial, operation: Operation, options: BodyOptions = {}) {
  return makeBody(trial, operation, ...(await ingredients(trial, operation, options)));
}

/** Like `ordinaryBody`, also for bodies that are no objects. Undefined: none is needed, or none can be made. */
export async function anyBody(
  trial: Trial,
  operation: Operation,
  options: BodyOptions = {},
): Promise<unknown> {
  const { body } = operation;
  if (!body || (!body.required && !bodyMedia(body))) return undefined;
  const made = makeValue(trial, operation, ...(await ingredients(trial, operation, options)));
  return withRecords(trial, operation, made, options);
}

/** The records that a body refers to, and the recipe that the target accepts. */
async function ingredients(trial: Trial, operation: Operation, options: BodyOptions) {
  const recipe = options.recipe ?? (await climbedOf(trial, operation))?.recipe;
  const { records, closed } = await recordsBeside(trial, operation);
  return [records, { ...options, recipe, closed }] as const;
}

/** In a body with several records, each is as their create operation accepts it. */
async function withRecords(trial: Trial, operation: Operation, made: unknown, options: BodyOptions) {
  const { resource, further } = furtherRoleOf(trial.plan.contract, operation) ?? {};
  const create = further?.role === 'createMany' ? resource?.actions.create : undefined;
  const { path, shape } = recordInBody(resource, create ?? operation);
  const item = manyItem(operation);
  if (!create || !shape || !item || schemaKey(item) !== schemaKey(shape)) return made;
  const records: unknown[] = [];
  for (const _ of recordsIn(made, operation)) {
    const mark = records.length === 0 ? options.mark : trial.marks.next();
    records.push(valueAt(await ordinaryBody(trial, create, { ...options, mark }), path));
  }
  return withValueAt(made, sentMany(operation) ?? [], () => records);
}

/** The records that a body may refer to. */
interface Beside {
  /** Ids to refer to first, then the records of the target. */
  readonly records: readonly Data[];
  /** The members that may only refer to what the first of these records has: records of others must not change. */
  readonly closed: ReadonlySet<string>;
}

export async function recordsBeside(trial: Trial, operation: Operation): Promise<Beside> {
  const { contract, settings, permissions } = trial.plan;
  const resource = resourceOf(contract, operation);
  if (!resource) return { records: [], closed: new Set() };
  // A body can be made without them: other cases report that their list fails.
  const records = await targetRecords(trial, resource).catch(orNothing([]));
  const { shape } = recordInBody(resource, operation);
  // A reference may change the other record, such as its number of comments. Records that nobody creates belong to nobody
  // in particular.
  const isClosed = (parent: Resource) =>
    !settings.disposable && !permissions.isAllowed(operation) && creatorOf(parent) !== undefined;
  const named = namedIn(contract, operation).filter(
    ({ property, parent }) =>
      shape &&
      memberShape(shape, property) &&
      (isClosed(parent) || records.every((record) => isAbsent(record[property]))),
  );
  const references: Record<string, unknown> = {};
  for (const { property, parent, isList } of named) {
    const id = await referredId(trial, resource, parent, isClosed(parent)).catch(orNothing(undefined));
    if (id !== undefined) references[property] = isList ? [id] : id;
  }
  const closed = new Set(named.flatMap(({ property, parent }) => (isClosed(parent) ? [property] : [])));
  return { records: [references, ...records], closed };
}

/** The id of a record of the run for a reference; of a listed record, if the run can create none. */
async function referredId(
  trial: Trial,
  resource: Resource,
  parent: Resource,
  isClosed: boolean,
): Promise<unknown> {
  const { contract, settings } = trial.plan;
  if (creatorOf(parent) && settings.writes && !needsOneOf(contract, parent, resource))
    return ownId(trial, parent);
  if (isClosed) return undefined;
  const [first] = await targetRecords(trial, parent);
  return first?.[parent.id?.property ?? ''];
}

/** Sends a body to a resource's create operation, and searches for one that the target accepts. */
export function tryCreate(trial: Trial, resource: Resource, variation: Variation = {}): Promise<Creation> {
  return createUntilTaken(trial, resource, variation, makers);
}

function makers(trial: Trial, operation: Operation): Makers {
  return {
    body: (options) => anyBody(trial, operation, options),
    path: (preset) => pathOf(trial, operation, preset),
    records: async () => (await recordsBeside(trial, operation)).records,
  };
}

/** The id of a new record, to work with. */
export async function createdId(trial: Trial, resource: Resource): Promise<unknown> {
  return (await created(trial, resource)).id;
}

async function created(trial: Trial, resource: Resource): Promise<Creation> {
  const creation = await needed(trial, resource, {});
  if (creation.id === undefined) throw new NotProvoked('the response to a create does not show the id');
  return creation;
}

/** A record that the target accepted, to work with. */
export async function createRecord(
  trial: Trial,
  resource: Resource,
  variation: Variation = {},
): Promise<Creation & { record: Data }> {
  const creation = await needed(trial, resource, variation);
  const record = creation.record ?? (await recordNow(trial, resource, creation.id));
  if (!record) throw new NotProvoked('the response to a create does not show the record');
  return { ...creation, record };
}

/** @throws NotReached with all attempts */
async function needed(trial: Trial, resource: Resource, variation: Variation): Promise<Creation> {
  const operation = creatorOf(resource);
  const climbed = operation && (await climbedOf(trial, operation));
  if (climbed && !climbed.recipe) throw notCreated(operation, undefined, climbed.refusals);
  let creation = await tryCreate(trial, resource, variation);
  if (operation && ABSENT.has(creation.response.status) && (await forgetGone(trial, operation)))
    creation = await tryCreate(trial, resource, variation);
  if (isSuccess(creation.response)) return creation;
  const tried = operation && (await climbedOf(trial, operation));
  throw notCreated(operation, creation.response.status, tried?.recipe ? [] : tried?.refusals);
}

/**
 * Forgets parents of the run that somebody has removed, so that new ones are created.
 * @returns whether there are any
 */
async function forgetGone(trial: Trial, operation: Operation): Promise<boolean> {
  const { ownIds } = trial.session.cache;
  const above = pathParameters(operation.path)
    .flatMap((name) => ownerOf(trial.plan.contract, operation, name) ?? [])
    .filter((owner) => ownIds.has(owner) && owner.actions.read);
  for (const [at, owner] of above.entries()) {
    if (await recordNow(trial, owner, await ownId(trial, owner))) continue;
    for (const resource of above.slice(at)) ownIds.delete(resource);
    return true;
  }
  return false;
}

/** Reads a record whose create returned no more than its id. */
async function recordNow(trial: Trial, resource: Resource, id: unknown): Promise<Data | undefined> {
  const { read } = resource.actions;
  if (!read || id === undefined || resource.id?.parameter === undefined) return undefined;
  const { evidence } = await trial.send(read, { path: await pathTo(trial, resource, read, id) });
  return evidence.succeeded ? recordOf(evidence) : undefined;
}
