import { decodeText, isRecord, memberShape, type Operation, type Resource } from '#spec';
import { markMember, recordInBody, recordSent } from '../laws/mark.ts';
import { creatorOf, successStatuses } from '../laws/operation-role.ts';
import { NotProvoked, NotReached } from '../run/not-reached.ts';
import type { Recipe } from '../run/recipe.ts';
import type { Trial } from '../run/trial.ts';
import { isAbsent } from '../send/plan-request.ts';
import { isSuccess } from '../send/response.ts';
import { FateUnknown } from '../send/wire.ts';
import type { BodyOptions } from './body.ts';
import { type Creation, creationOf, isMarked, type Variation } from './creation.ts';
import { mayClimb } from './ladder.ts';
import { isValidBody } from './record-members.ts';
import { freshId } from './unknown-id.ts';

type Data = Readonly<Record<string, unknown>>;

/** What makes the parts of a create request. */
export interface Makers {
  body(options: BodyOptions): Promise<unknown>;
  path(known: Data | undefined): Promise<Data>;
}

/** Before a fresh create follows one that failed outside the service, in milliseconds. */
const LONGEST_WAIT = 5000;

/** Sends a create as a recipe and a variation of it say; a fresh one where nobody knows what became of it. */
export async function sendCreate(
  trial: Trial,
  resource: Resource,
  recipe: Recipe,
  { requiredOnly, body: given, change, expect, asDocumented: _, ...input }: Variation,
  makers: Makers,
): Promise<Creation> {
  const { run } = trial;
  const operation = creatorOf(resource);
  if (!operation) throw new NotProvoked('the document has no operation that creates such a record');
  const { shape } = recordInBody(resource, operation);
  const isAtPath = operation === resource.actions.replace;
  const status = isAtPath ? createdStatus(operation) : successStatuses(operation)[0];
  const expected = expect && status !== undefined && { status, or4xx: expect === 'success or 4xx' };
  const { failures } = run.pace;
  let failure: string | undefined;
  for (let attempt = 0; ; attempt++) {
    const mark = shape && markMember(shape) ? trial.marks.next() : undefined;
    const options = { mark, optional: !requiredOnly, recipe };
    const ordinary = given === undefined ? await makers.body(options) : given;
    if (change && !isRecord(ordinary)) throw new NotProvoked('the body is no object');
    const changed = change ? change(ordinary as Data, mark) : ordinary;
    // Nobody promises to take what the document forbids, or what no record can show.
    const body = expect !== 'success' || isValidBody(trial, operation, changed) ? changed : ordinary;
    const sent = recordSent(resource, operation, body);
    const path = await makers.path(
      isAtPath ? { ...pathToNew(trial, resource, operation, mark), ...input.path } : input.path,
    );
    const { refused, duplicated } = input;
    const isRefused =
      refused !== undefined || duplicated !== undefined || !isValidBody(trial, operation, body);
    if (duplicated === undefined && (await isTaken(trial, resource, sent, path))) {
      if (attempt < MOST_KEYS) continue;
      throw new NotReached(ALL_TAKEN);
    }
    const creates = isAtPath && { creates: true };
    // What may not be sent needs no room.
    run.own.demand(operation, { ...input, path, body, ...creates });
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
      // What bears no mark would be the same request once more.
      const isFresh = isMarked(sent, mark) && attempt < run.settings.retries;
      if (!isFresh || failures.isHopeless(failure)) {
        failures.failed(failure);
        throw error;
      }
      await run.pace.wait(Math.min(LONGEST_WAIT, 100 * 2 ** attempt));
    }
  }
}

/** The documented status of a PUT that has made a record (RFC 9110 §9.3.4). */
export function createdStatus(operation: Operation): number | undefined {
  const statuses = successStatuses(operation);
  return statuses.find((status) => status === CREATED) ?? statuses[0];
}

const CREATED = 201;

/** The path of a record that is not there yet: its id is the mark, where the path and the record take that. */
export function pathToNew(
  { run, marks }: Trial,
  { id, shape }: Resource,
  operation: Operation,
  mark = marks.next(),
): Data {
  const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === id?.parameter);
  if (!id || !parameter) return {};
  const member = memberShape(shape, id.property);
  const isFitting = [parameter.schema, ...(member?.parts ?? [])].every(
    (schema) => !schema || run.contract.validators.compile(schema, 'request')(mark).length === 0,
  );
  return { [parameter.name]: isFitting ? mark : freshId(parameter.shape, mark) };
}

/** So many other ids are taken where one names a record of somebody else. */
const MOST_KEYS = 3;

/** What makes bodies until one chooses an id that no record has. @throws NotReached */
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

/** Whether a record has the id that the body chooses: a service may put the new one in its place. */
export async function isTaken(trial: Trial, resource: Resource, sent: Data, parents: Data): Promise<boolean> {
  const { read, create, replace } = resource.actions;
  const { id } = resource;
  const isAtPath = replace !== undefined && creatorOf(resource) === replace;
  const chosen = id && (isAtPath ? parents[id.parameter ?? ''] : sent[id.property]);
  if (!id || !read || !(create || isAtPath) || isAbsent(chosen) || id.parameter === undefined) return false;
  const shape = create && recordInBody(resource, create).shape;
  const member = shape && memberShape(shape, id.property);
  // What the service chooses in any case names nothing yet.
  if (create && (member ? member.readOnly : id.sign !== 'undeclared')) return false;
  const named = read.parameters.find((one) => one.in === 'path' && one.name === id.parameter);
  // A service may take `"7"` and `[7]` for 7; what no path can name is no record's.
  const inPath = named && decodeText(String(chosen), named.shape);
  const schema = named?.schema;
  if (schema && trial.run.contract.validators.compile(schema, 'request')(inPath).length > 0) return false;
  if (trial.run.settings.stateless || /^\.{0,2}$/.test(String(chosen))) return false;
  const path = { ...parents, [id.parameter]: inPath ?? chosen };
  const { response } = await trial.send(read, { path, unknownId: true, chosenId: true });
  return isSuccess(response);
}

/** Whether a refusal may be one of the body that the run has made, and another body be taken. */
export function mayLearn(
  { run }: Trial,
  { response, input, operation }: Creation,
  variation: Variation,
): boolean {
  if (variation.asDocumented || isMeant(variation)) return false;
  return !run.settings.stateless && mayClimb(response) && isValidBody({ run }, operation, input.body);
}

/** Whether a record with a value that the new one has may stand in its way, which the run has not meant. */
export function mayVary({ response }: Creation, variation: Variation, recipe: Recipe): boolean {
  return response.status === 409 && !recipe.varies && !isMeant(variation);
}

/** How it is answered is what the case wants to see. */
function isMeant({ body, bodyType, refused, duplicated, free, contentType }: Variation): boolean {
  return [body, bodyType, refused, duplicated, free, contentType].some((one) => one !== undefined);
}
