import {
  type Contract,
  conditionalOf,
  isEqual,
  type Operation,
  type Resource,
  type UniqueKey,
  uniqueKeys,
  writeMeaning,
} from '#spec';
import { greatestPage, listedResources } from '../../arrange/lists.ts';
import { inRecord, isValidBody } from '../../arrange/record-members.ts';
import { anotherBody, askLongList, otherValue, readById } from '../../arrange/requests.ts';
import { pathOf } from '../../arrange/target.ts';
import { judgeWriters, strongTag } from '../../laws/conditional.ts';
import { recordOf } from '../../laws/evidence.ts';
import { isHeld } from '../../laws/finding.ts';
import { judgeIds } from '../../laws/linearizability.ts';
import { recordInBody, recordSent } from '../../laws/mark.ts';
import { keepsRest, resourceOf, successStatuses } from '../../laws/operation-role.ts';
import { isId } from '../../laws/sent-members.ts';
import { judgeTwins, labelOf } from '../../laws/unique.ts';
import { NotProvoked, NotReached } from '../../run/not-reached.ts';
import type { Trial } from '../../run/trial.ts';
import { isSuccess } from '../../send/response.ts';
import type { Data } from '../../send/wire.ts';
import type { Settings } from '../../settings/settings.ts';
import { type Family, makeCase, slugOf } from '../case.ts';
import { mayWrite, valuesOf } from '../unique.ts';
import {
  distinctBody,
  expectSuccess,
  judgeRace,
  type Raced,
  type RaceRecord,
  type RaceRequest,
  recordToRace,
  requestFor,
  sendAtOnce,
} from './history.ts';

/** The maximum number of records that a race creates. */
const MOST_CREATES = 4;

type Race = (trial: Trial, resource: Resource) => Promise<void>;

/** Concurrent requests for the run's records: at most 40 for a resource. */
export const races: Family = (contract, settings) =>
  contract.resources.flatMap((resource) => {
    const { create, read, update, remove } = resource.actions;
    const replace = wholeChange(resource);
    if (!settings.disposable || !create?.body || !read || resource.id?.parameter === undefined) return [];
    const of = (rows: readonly [Operation | undefined, slug: string, title: string, run: Race][]) =>
      rows.flatMap(([operation, ...row]) => race(resource, operation, ...row));
    const creating = [
      ...of([[create, 'race-creates', 'records that are created at once are all kept', raceCreates]]),
      ...uniqueKeys(resource).flatMap((key) => raceOfKey(resource, key, settings)),
    ];
    // After concurrent renamings the name of a record is unknown, as are its values if not all that is sent is stored.
    if ([replace, update].some((operation) => operation && isOwnWay(operation))) return creating;
    const partial = update && keepsRest(update) ? update : undefined;
    return [
      ...creating,
      ...of([
        [replace, 'race-replaces', 'of replacements at once one is kept whole', raceReplaces],
        [partial, 'race-updates', 'updates of different members at once are all kept', raceUpdates],
      ]),
      ...raceOfVersion(contract, resource, settings),
      ...of([
        [remove, 'race-removal', 'a record that is removed while it is changed is gone', raceRemoval],
        [remove, 'race-neighbours', 'changes of different records at once are all kept', raceNeighbours],
      ]),
    ];
  });

function isOwnWay(write: Operation): boolean {
  const { renames, acts, isLimited } = writeMeaning(write);
  return renames || acts || isLimited;
}

function race(resource: Resource, operation: Operation | undefined, slug: string, title: string, run: Race) {
  const success = operation && successStatuses(operation)[0];
  if (!operation || success === undefined) return [];
  const drive = (trial: Trial) => run(trial, resource);
  const more = { creates: MOST_CREATES, elastic: true };
  return [makeCase({ operation, status: success }, slug, title, drive, more)];
}

/** The operation whose body is the whole record: PUT. */
function wholeChange({ actions: { replace, update } }: Resource): Operation | undefined {
  return replace ?? (update && !keepsRest(update) ? update : undefined);
}

const WRITERS = 2;

/** Concurrent replacements: the record is one of the bodies, and no mix of two. */
async function raceReplaces(trial: Trial, resource: Resource): Promise<void> {
  const replace = wholeChange(resource);
  if (!replace) return;
  const record = await recordToRace(trial, resource);
  const bodies: Data[] = [];
  for (let writer = 0; writer < WRITERS; writer++) bodies.push(await distinctBody(trial, replace, writer));
  await raceChanges(trial, record, replace, bodies);
}

/** One member for each update: the others stay as the other updates leave them. */
async function raceUpdates(trial: Trial, resource: Resource): Promise<void> {
  const { update } = resource.actions;
  if (!update) return;
  const record = await recordToRace(trial, resource);
  const parts = await disjointParts(trial, update, record.initial);
  if (parts.length < WRITERS)
    throw new NotReached('the document has no two members that can be updated apart from each other');
  await raceChanges(trial, record, update, parts);
}

/** Of concurrent changes with the same entity tag, the first one makes it stale. */
function raceOfVersion(contract: Contract, resource: Resource, settings: Settings) {
  const { replace, update } = resource.actions;
  const operation = [replace, update].find(
    (one) => one?.body && isHeld(conditionalOf(contract, one).refusesStale, settings),
  );
  const title = 'of changes at once that name one version one is carried out';
  return race(resource, operation, 'race-of-version', title, (trial) =>
    operation ? raceWriters(trial, resource, operation) : Promise.resolve(),
  );
}

async function raceWriters(trial: Trial, resource: Resource, operation: Operation): Promise<void> {
  const record = await recordToRace(trial, resource);
  const before = await readById(trial, resource, record.id);
  const tag = before && strongTag(before.response);
  if (tag === undefined) throw new NotProvoked('the target shows no strong ETag');
  const bodies = [await anotherBody(trial, operation), await anotherBody(trial, operation)];
  if (isEqual(bodies[0], bodies[1]))
    throw new NotProvoked('the document has no two bodies that differ in what they change');
  const requests: RaceRequest[] = [];
  for (const body of bodies) {
    const { input } = await requestFor(trial, record, operation, body);
    requests.push({ operation, input: { ...input, condition: { header: 'If-Match', version: 'current' } } });
  }
  const writers = (await sendAtOnce(trial, requests)).flatMap(({ exchange }) => exchange ?? []);
  const after = await readById(trial, resource, record.id);
  const [shows] = writers;
  if (writers.length < WRITERS || !after || !shows) return;
  const { refusesStale } = conditionalOf(trial.plan.contract, operation);
  if (!refusesStale) return;
  trial.found(judgeWriters(writers, tag, strongTag(after.response), refusesStale), shows);
}

async function raceChanges(
  trial: Trial,
  record: RaceRecord,
  operation: Operation,
  bodies: readonly Data[],
): Promise<void> {
  const { read } = record.resource.actions;
  const requests = bodies.map((body) => requestFor(trial, record, operation, body));
  // One read starts before the changes, and one may observe them half done.
  if (read) requests.unshift(requestFor(trial, record, read));
  if (read) requests.push(requestFor(trial, record, read));
  await judgeRace(trial, record, await sendAtOnce(trial, await Promise.all(requests)));
}

/** Bodies with a single member each, with another value than the current one. */
async function disjointParts(trial: Trial, update: Operation, initial: Data): Promise<Data[]> {
  const body = await distinctBody(trial, update, 1);
  const resource = resourceOf(trial.plan.contract, update);
  const { shape } = recordInBody(resource, update);
  return Object.entries(recordSent(resource, update, body))
    .flatMap(([name, value]): Data[] => {
      const member = shape?.properties.get(name);
      const other = isEqual(initial[name], value) && member ? otherValue(member, value) : value;
      if (other === undefined || other === null || typeof other === 'object') return [];
      return [inRecord(resource, update, () => ({ [name]: other }))(body, undefined)];
    })
    .filter((part) => isValidBody(trial, update, part))
    .slice(0, WRITERS);
}

/** A change of a record, as a whole if documented, else in part. Undefined: neither is documented. */
async function changeOf(trial: Trial, { actions }: Resource) {
  const operation = actions.replace ?? actions.update;
  return operation && { operation, body: await distinctBody(trial, operation, 1) };
}

const CREATORS = 4;

/** Each acknowledged create has its own id, and is read and listed as it was sent. */
async function raceCreates(trial: Trial, resource: Resource): Promise<void> {
  const { create } = resource.actions;
  if (!create) return;
  const requests: RaceRequest[] = [];
  for (let writer = 0; writer < CREATORS; writer++) requests.push(await createRequest(trial, create, writer));
  // One list starts before the creates, and one may observe them half done.
  requests.unshift(...(await listRequests(trial, resource)));
  requests.push(...(await listRequests(trial, resource)));
  const endRoom = await trial.room.take(resource, { count: CREATORS });
  const raced = await sendAtOnce(trial, requests).finally(() => endRoom(true));
  await readAgain(trial, resource, learnCreated(trial, resource, raced));
  await listAgain(trial, resource);
}

/** Of concurrent creates with the values of one unique key, the first one blocks the others. */
function raceOfKey(resource: Resource, key: UniqueKey, settings: Settings) {
  const { create } = resource.actions;
  const label = labelOf(key);
  const isRefused = create && key.refusedBy.includes(create) && mayWrite(resource, create, key);
  if (!isRefused || !isHeld(key, settings)) return [];
  const title = `of creates at once with one ${label} one is carried out`;
  return race(resource, create, `race-${slugOf(label)}`, title, (trial) =>
    raceTwins(trial, resource, create, key),
  );
}

async function raceTwins(trial: Trial, resource: Resource, create: Operation, key: UniqueKey): Promise<void> {
  const [first, second] = [await createRequest(trial, create, 0), await createRequest(trial, create, 0)];
  const values = valuesOf(key, recordSent(resource, create, first.input.body));
  const withValues = inRecord(resource, create, (record) => ({ ...record, ...values }));
  const body = withValues(second.input.body as Data, undefined);
  if (!isValidBody(trial, create, body)) throw new NotProvoked('no two bodies can share the values');
  const { path = {} } = first.input;
  const endRoom = await trial.room.take(resource, { count: 2 });
  const raced = await sendAtOnce(trial, [
    first,
    { ...second, input: { ...second.input, path, body } },
  ]).finally(() => endRoom(true));
  learnCreated(trial, resource, raced);
  const creates = raced.flatMap(({ exchange }) => exchange ?? []);
  const [shows] = creates;
  if (shows) trial.found(judgeTwins(creates, key), shows);
}

async function createRequest(trial: Trial, create: Operation, writer: number): Promise<RaceRequest> {
  const body = await distinctBody(trial, create, writer);
  return { operation: create, input: { path: await pathOf(trial, create), body, ...expectSuccess(create) } };
}

async function listRequests(trial: Trial, resource: Resource): Promise<RaceRequest[]> {
  const [listed] = listedResources([resource]);
  if (!listed) return [];
  const { operation, form } = listed;
  return [{ operation, input: { path: await pathOf(trial, operation), query: greatestPage(form) } }];
}

/**
 * Adds the created records to those of the run.
 * @returns the ids of the records
 */
function learnCreated(trial: Trial, resource: Resource, raced: readonly Raced[]): unknown[] {
  const ids: unknown[] = [];
  for (const { operation, exchange } of raced) {
    if (operation !== resource.actions.create || !exchange) continue;
    const evidence = trial.learn(exchange);
    const id = evidence.succeeded ? recordOf(evidence)?.[resource.id?.property ?? ''] : undefined;
    if (!isId(id)) continue;
    ids.push(id);
    trial.found(judgeIds(resource, ids), exchange);
  }
  return ids;
}

async function readAgain(trial: Trial, resource: Resource, ids: readonly unknown[]): Promise<void> {
  await trial.together(ids.map((id) => (part) => readById(part, resource, id)));
}

async function listAgain(trial: Trial, resource: Resource): Promise<void> {
  const [listed] = listedResources([resource]);
  if (listed) await askLongList(trial, listed);
}

/** A record that is removed and changed concurrently is gone in the end: a change does not restore it. */
async function raceRemoval(trial: Trial, resource: Resource): Promise<void> {
  const { remove, read } = resource.actions;
  if (!remove || !read) return;
  const record = await recordToRace(trial, resource);
  const change = await changeOf(trial, resource);
  const requests = [await requestFor(trial, record, read)];
  if (change) requests.push(await requestFor(trial, record, change.operation, change.body));
  requests.push(await requestFor(trial, record, remove), await requestFor(trial, record, read));
  const raced = await sendAtOnce(trial, requests);
  await judgeOne(trial, record, raced);
  await listAgain(trial, resource);
}

/** Concurrent requests for different records: one is removed, one changed and one created, and none of it is lost. */
async function raceNeighbours(trial: Trial, resource: Resource): Promise<void> {
  const { remove, create } = resource.actions;
  if (!remove || !create) return;
  const removed = await recordToRace(trial, resource);
  const changed = await recordToRace(trial, resource);
  const change = await changeOf(trial, resource);
  const requests = [
    await requestFor(trial, removed, remove),
    await createRequest(trial, create, 1),
    ...(await listRequests(trial, resource)),
  ];
  if (change) requests.push(await requestFor(trial, changed, change.operation, change.body));
  const endRoom = await trial.room.take(resource);
  const raced = await sendAtOnce(trial, requests).finally(() => endRoom(true));
  for (const record of [removed, changed]) await judgeOne(trial, record, raced);
  await readAgain(trial, resource, learnCreated(trial, resource, raced));
  await listAgain(trial, resource);
}

/** Judges a record that at most one request changed or removed, and updates the model with the result. */
async function judgeOne(trial: Trial, record: RaceRecord, raced: readonly Raced[]): Promise<void> {
  const { explained, shows } = await judgeRace(trial, record, raced);
  if (!explained) return;
  const parameter = record.resource.id?.parameter ?? '';
  const { read, remove } = record.resource.actions;
  const writes = raced.filter(
    ({ operation, input, exchange }) =>
      exchange &&
      operation !== read &&
      isSuccess(exchange.response) &&
      String(input.path?.[parameter]) === String(record.id),
  );
  record.relearn();
  // If the record is gone, the removal came last.
  const inOrder = writes.toSorted(
    (left, right) => Number(left.operation === remove) - Number(right.operation === remove),
  );
  for (const { operation, exchange } of inOrder)
    if (exchange && (operation === remove) === (shows === undefined)) trial.learn(exchange);
}
