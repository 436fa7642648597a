import {
  answerShape,
  basePathsAt,
  bodyMedia,
  type Contract,
  compileRoutes,
  decodeText,
  isAtItem,
  isRecord,
  memberShape,
  type Operation,
  oncePer,
  percentDecode,
  type Resource,
  type Router,
  recordPath,
  shapeAt,
  valueAt,
} from '#spec';
import { bears, markMember, recordInBody, recordSent } from '../laws/mark.ts';
import { creatorOf, successStatuses } from '../laws/operation-role.ts';
import { createdIdOf, isId, owedMembers } from '../laws/sent-members.ts';
import { NotProvoked, NotReached, optionFor } from '../run/not-reached.ts';
import type { Recipe } from '../run/run.ts';
import type { Judged } from '../run/sender.ts';
import type { Trial } from '../run/trial.ts';
import { isAbsent, type RequestInput } from '../send/plan-request.ts';
import { isSuccess } from '../send/response.ts';
import { CREATED, type Data, FateUnknown, headerOf } from '../send/wire.ts';
import type { BodyOptions } from './body.ts';
import { freshId } from './made-up.ts';
import { mayClimb, recipeOn } from './recipe.ts';
import { isValidBody } from './record-members.ts';

/** A create request and its result. */
export interface Creation extends Judged {
  /** The sent record; empty for a body that is no object. */
  readonly sent: Data;
  readonly mark: string | undefined;
  /** The record in the response and its id; undefined: none is shown. */
  readonly record: Data | undefined;
  readonly id: unknown;
}

/** The differences of a create request from the ordinary one. */
export interface Variation extends Omit<RequestInput, 'body' | 'rawBody'> {
  /** Without the optional members. */
  readonly requiredOnly?: boolean;
  /** With all documented members, whatever the target has accepted before. */
  readonly asDocumented?: boolean;
  /** Replaces the ordinary body. */
  readonly body?: unknown;
  /** Changes the body, which has its mark already. */
  readonly change?: (body: Data, mark: string | undefined) => unknown;
  /** `success`: the documented success is required; `success or 4xx`: an error is as valid. */
  readonly expect?: 'success' | 'success or 4xx';
}

/** Reads the new record from a response to a create. */
function creationOf(resource: Resource, judged: Judged, sent: Data, mark: string | undefined): Creation {
  const { operation, evidence } = judged;
  const { succeeded, json } = evidence;
  const value = succeeded ? valueAt(json, recordPath(resource, operation)) : undefined;
  // An operation that is only inferred to create may return an existing record.
  const isOwn =
    resource.actions.create || isAtItem(resource, operation) || (isRecord(value) && isMarked(value, mark));
  const record = isOwn && isRecord(value) && showsRecord(resource, operation) ? value : undefined;
  const property = resource.id?.property ?? '';
  const chosen = succeeded && resource.actions.create ? owedMembers(evidence)?.[property] : undefined;
  const id =
    resource.id && isOwn && succeeded
      ? (createdIdOf(resource, judged) ?? (isId(chosen) ? chosen : undefined))
      : undefined;
  return { ...judged, sent, mark, record, id };
}

/** Whether the response contains members of the record: it may be the id alone. */
function showsRecord(resource: Resource, operation: Operation): boolean {
  const answer = shapeAt(answerShape(operation), recordPath(resource, operation));
  const names = [...(answer?.properties.keys() ?? [])];
  return names.length === 0 || names.some((name) => memberShape(resource.shape, name));
}

export function isMarked(record: Data, mark: string | undefined): boolean {
  return mark !== undefined && Object.values(record).some((value) => bears(value, mark));
}

/** The recipe of a variation: with `requiredOnly`, only the accepted values of required members. */
export function recipeFor({ requiredOnly }: Variation, recipe: Recipe, { body }: Operation): Recipe {
  if (!requiredOnly) return recipe;
  const required = bodyMedia(body)?.shape?.required;
  const values = recipe.values.filter(({ path: [name = ''] }) => required?.has(name));
  return { ...recipeOn('required members'), varies: recipe.varies, values };
}

/** The error that no record can be created, with the attempts and the target's responses. */
export function notCreated(
  operation: Operation | undefined,
  status: number | undefined,
  refusals: readonly string[] = [],
): NotReached {
  const line = operation && optionFor('--body', operation.id, '=FILE');
  const answer = status === undefined ? 'was refused' : `answers ${status}`;
  if (refusals.length === 0)
    return new NotReached(`a record is needed, and creating one ${answer}`, 'target', line);
  const times = refusals.length === 1 ? 'once' : `${refusals.length} times`;
  const remedy = '--body or --value gives what the target takes';
  return new NotReached(
    `a record is needed, and creating one was refused ${times}: ${refusals.join('; ')}; ${remedy}`,
    'target',
    line,
  );
}

/** The functions that make the parts of a create request. */
export interface Makers {
  body(options: BodyOptions): Promise<unknown>;
  path(preset: Data | undefined): Promise<Data>;
  /** Records of the target, for references. */
  records(): Promise<readonly Data[]>;
}

/** The wait before another create after a failure outside the service, in milliseconds. */
const LONGEST_WAIT = 5000;

/** Sends a create according to a recipe and a variation; again with new marks if the outcome is unknown. */
export async function sendCreate(
  trial: Trial,
  resource: Resource,
  recipe: Recipe,
  { requiredOnly, body: fixedBody, change, expect, asDocumented: _, ...input }: Variation,
  makers: Makers,
): Promise<Creation> {
  const operation = creatorOf(resource);
  if (!operation) throw new NotProvoked('the document has no operation that creates such a record');
  const { shape } = recordInBody(resource, operation);
  const isAtPath = isAtItem(resource, operation);
  const status = isAtPath ? createdStatus(operation) : successStatuses(operation)[0];
  const expected = expect && status !== undefined && { status, or4xx: expect === 'success or 4xx' };
  const { failures } = trial.session.pace;
  const parameter = resource.id?.parameter ?? '';
  let claims = 0;
  let failure: string | undefined;
  for (let attempt = 0; ; attempt++) {
    const mark = shape && markMember(shape) ? trial.marks.next() : undefined;
    const options = { mark, optional: !requiredOnly, recipe };
    const ordinary = fixedBody === undefined ? await makers.body(options) : fixedBody;
    if (change && !isRecord(ordinary)) throw new NotProvoked('the body is no object');
    const changed = change ? change(ordinary as Data, mark) : ordinary;
    // A body that the document forbids, or that no record can show, has no claim to be accepted.
    const body = expect !== 'success' || isValidBody(trial, operation, changed) ? changed : ordinary;
    const sent = recordSent(resource, operation, body);
    const path = await makers.path(
      isAtPath ? { ...pathToNew(trial, resource, operation, mark), ...input.path } : input.path,
    );
    const { refused, duplicated } = input;
    const isRefused =
      refused !== undefined || duplicated !== undefined || !isValidBody(trial, operation, body);
    // Two cases never choose the same key.
    const chosen = isAtPath ? path[parameter] : sent[resource.id?.property ?? ''];
    const isOwnChoice =
      !isMeant({ ...input, body: fixedBody }) && !isAbsent(chosen) && !(parameter in (input.path ?? {}));
    const key = `${resource.path} ${JSON.stringify([input.path ?? {}, String(chosen)])}`;
    if (isOwnChoice && trial.session.cache.keys.has(key) && claims < MOST_CLAIMED) {
      claims += 1;
      attempt -= 1;
      continue;
    }
    if (isOwnChoice) trial.session.cache.keys.add(key);
    if (duplicated === undefined && (await isTaken(trial, resource, sent, path))) {
      if (attempt < MOST_KEYS) continue;
      throw new NotReached(ALL_TAKEN);
    }
    const creates = isAtPath && { creates: true };
    // A request that may not be sent takes nothing from the budget.
    trial.session.ownership.demand(operation, { ...input, path, body, ...creates });
    const endRoom = await trial.room.take(resource, { refused: isRefused });
    try {
      const judged = await trial.send(operation, {
        ...input,
        ...(expected && { expected }),
        path,
        body,
        reserved: true,
        ...creates,
      });
      if (failure !== undefined) failures.passed(failure);
      endRoom(isSuccess(judged.response));
      return creationOf(resource, judged, sent, mark);
    } catch (error) {
      endRoom(error instanceof FateUnknown);
      if (!(error instanceof FateUnknown)) throw error;
      failure = `${operation.id} ${error.message}`;
      // Without a mark, a repetition would be the same request.
      const isFresh = isMarked(sent, mark) && attempt < trial.plan.settings.retries;
      if (!isFresh || failures.isHopeless(failure)) {
        failures.failed(failure);
        throw error;
      }
      await trial.session.pace.wait(Math.min(LONGEST_WAIT, 100 * 2 ** attempt));
    }
  }
}

/** The documented status of a PUT that created a record (RFC 9110 §9.3.4). */
export function createdStatus(operation: Operation): number | undefined {
  const statuses = successStatuses(operation);
  return statuses.find((status) => status === CREATED) ?? statuses[0];
}

/** The path of a new record: its id is the mark, if the path and the record allow that. */
export function pathToNew(
  { plan, marks }: Trial,
  { id, shape }: Resource,
  operation: Operation,
  mark = marks.next(),
): Data {
  const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === id?.parameter);
  if (!id || !parameter) return {};
  const member = memberShape(shape, id.property);
  const isFitting = [parameter.schema, ...(member?.parts ?? [])].every(
    (schema) => !schema || plan.contract.validators.compile(schema, 'request')(mark).length === 0,
  );
  return { [parameter.name]: isFitting ? mark : freshId(parameter.shape, mark) };
}

/** The number of attempts to make up a key that the run has not used. */
const MOST_CLAIMED = 20;

/** The number of further ids that are tried if one names an existing record. */
const MOST_KEYS = 3;

/**
 * Makes bodies until the chosen id is free.
 * @throws NotReached
 */
export async function withFreeId(
  trial: Trial,
  resource: Resource,
  operation: Operation,
  path: Data,
  make: () => Promise<unknown>,
): Promise<unknown> {
  for (let tries = 0; tries <= MOST_KEYS; tries++) {
    const body = await make();
    if (!(await isTaken(trial, resource, recordSent(resource, operation, body), path))) return body;
  }
  throw new NotReached(ALL_TAKEN);
}

export const ALL_TAKEN = 'each id that the run chooses for a new record names one already';

/** Whether a record has the chosen id: a service might replace it. */
export async function isTaken(trial: Trial, resource: Resource, sent: Data, parents: Data): Promise<boolean> {
  const { read, create } = resource.actions;
  const { id } = resource;
  const creator = creatorOf(resource);
  const isAtPath = creator !== undefined && isAtItem(resource, creator);
  const chosen = id && (isAtPath ? parents[id.parameter ?? ''] : sent[id.property]);
  if (!id || !read || !(create || isAtPath) || isAbsent(chosen) || id.parameter === undefined) return false;
  const shape = create && recordInBody(resource, create).shape;
  const member = shape && memberShape(shape, id.property);
  // An id that the service always chooses names nothing yet.
  if (create && (member ? member.readOnly : id.sign !== 'undeclared')) return false;
  const named = read.parameters.find(
    (parameter) => parameter.in === 'path' && parameter.name === id.parameter,
  );
  // A service may parse `"7"` and `[7]` as 7. A value that no path can contain is no record's id.
  const inPath = named && decodeText(String(chosen), named.shape);
  const schema = named?.schema;
  if (schema && trial.plan.contract.validators.compile(schema, 'request')(inPath).length > 0) return false;
  if (trial.plan.settings.stateless || /^\.{0,2}$/.test(String(chosen))) return false;
  const path = { ...parents, [id.parameter]: inPath ?? chosen };
  const { response } = await trial.send(read, { path, unknownId: true, chosenId: true });
  // A response without content shows no record.
  return isSuccess(response) && response.body.length > 0;
}

/** Whether an error may be due to the generated body, so that another body may be accepted. */
export function mayLearn(
  { plan }: Trial,
  { response, input, operation }: Creation,
  variation: Variation,
): boolean {
  if (variation.asDocumented || isMeant(variation)) return false;
  return !plan.settings.stateless && mayClimb(response) && isValidBody({ plan }, operation, input.body);
}

/**
 * Whether another record may have a value of the new one by accident.
 * @param isProven a body with the same values was accepted before: few services return 409 for it
 */
export function mayVary(
  { plan }: Trial,
  { response, operation, input }: Creation,
  variation: Variation,
  isProven: boolean,
): boolean {
  // Chosen values may exist in another record by chance, too.
  if (isMeant(variation)) return false;
  const isRefused = response.status < 500 && mayClimb(response);
  return response.status === 409 || (isProven && isRefused && isValidBody({ plan }, operation, input.body));
}

/** Whether the case tests this very variation. */
function isMeant({ body, bodyType, refused, duplicated, free, contentType }: Variation): boolean {
  return [body, bodyType, refused, duplicated, free, contentType].some((one) => one !== undefined);
}

/** By the path of the base URL. */
const routesOf = oncePer((_: Contract) => new Map<string, Router<{ readonly operation: Operation }>>());

function routesAt(contract: Contract, base: string): Router<{ readonly operation: Operation }> {
  const routers = routesOf(contract);
  const routes =
    routers.get(base) ??
    compileRoutes(
      contract.operations.map((operation) => ({ operation })),
      ({ operation }) => ({
        path: operation.path,
        basePaths: basePathsAt(base, contract.basePaths, operation),
      }),
    );
  routers.set(base, routes);
  return routes;
}

/**
 * Reads the record at the `Location` of a create, if the document has an operation for that path, and no other read shows
 * the record (RFC 9110 §10.2.2, §15.3.2).
 */
export async function readAtLocation(trial: Trial, resource: Resource, creation: Creation): Promise<void> {
  const { response, request, evidence, id } = creation;
  const value = headerOf(response, 'location');
  const isDocumented = evidence.documented?.headers.some(({ name }) => name === 'location');
  if (response.status !== 201 || value === undefined || !isDocumented || id === undefined) return;
  const route = routedTo(trial, value, request.url);
  if (!route || route.operation === creation.operation) return;
  const { operation, path } = route;
  await trial.send(operation, { path, located: { id, resource } });
}

/** The read operation that a URL of the target resolves to, with its path parameters, if it may be sent. */
export function routedTo(
  { plan: { contract, settings, permissions } }: Trial,
  place: string,
  from = settings.base,
): { readonly operation: Operation; readonly path: Data } | undefined {
  const url = URL.parse(place, from.href);
  if (url?.origin !== from.origin) return undefined;
  const route = routesAt(contract, settings.base.pathname)(url.pathname, 'GET');
  const operation = route?.methods.get('GET')?.operation;
  if (!route || !operation || permissions.of(operation)) return undefined;
  const texts = Object.entries(route.path).map(([name, text]) => [name, percentDecode(text) ?? text]);
  return { operation, path: Object.fromEntries(texts) };
}
