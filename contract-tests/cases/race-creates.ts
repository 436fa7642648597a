import { isRecord, type Operation, type Resource } from '#spec';
import { askLongList, readById } from '../arrange/ask.ts';
import { greatestPage, type Listed, listedResources } from '../arrange/list.ts';
import { requiredQuery } from '../arrange/query.ts';
import { pathOf, pathTo } from '../arrange/target.ts';
import { idsApart, judgeIds } from '../laws/linearizability-of-creates.ts';
import { parentsOf } from '../laws/own-record.ts';
import { NotReached } from '../run/not-reached.ts';
import type { Raced, RaceRequest, Trial } from '../run/trial.ts';
import { distinctBody, expectSuccess, sendAtOnce } from './race-requests.ts';
import type { Sent } from './sequence-script.ts';

const CREATORS = 4;

/** Each acknowledged create has an id of its own, and is read and listed as it was sent. */
export async function raceCreates(trial: Trial, resource: Resource, sent: Sent): Promise<void> {
  const { create } = resource.actions;
  const creators = Math.min(CREATORS, roomFor(trial, resource));
  if (!create || creators < 2)
    throw new NotReached(`--max-creates ${trial.run.settings.maxCreates} is used up`);
  const requests: RaceRequest[] = [];
  for (let writer = 0; writer < creators; writer++) requests.push(await createRequest(trial, create, writer));
  // One that begins before the creates, and one that may see the middle of them.
  requests.unshift(...(await listRequests(trial, resource)));
  requests.push(...(await listRequests(trial, resource)));
  const known = new Set(trial.run.model.idsOf(resource, parentsOf(resource, requests.at(-1)?.input.path)));
  const raced = await sendAtOnce(trial, requests, sent);
  for (const id of learnCreated(trial, resource, raced, known)) await readAgain(trial, resource, id, sent);
  await listAgain(trial, resource, sent);
}

/** What cannot be removed again leaves most of the room to other cases. */
export function roomFor({ run }: Trial, { actions }: Resource): number {
  const room = run.settings.maxCreates - run.ledger.records.length;
  return actions.remove ? room : Math.floor(room / 4);
}

export async function createRequest(trial: Trial, create: Operation, writer: number): Promise<RaceRequest> {
  const body = await distinctBody(trial, create, writer);
  return { operation: create, input: { path: await pathOf(trial, create), body, ...expectSuccess(create) } };
}

export async function listRequests(trial: Trial, resource: Resource): Promise<RaceRequest[]> {
  const [listed] = listedResources([resource]);
  return listed ? [await longListRequest(trial, listed)] : [];
}

async function longListRequest(trial: Trial, { operation, form }: Listed): Promise<RaceRequest> {
  const query = { ...requiredQuery(trial, operation), ...greatestPage(form) };
  return { operation, input: { path: await pathOf(trial, operation), query } };
}

/**
 * The run knows the records from now on.
 * @param known ids that the run had seen before
 * @returns the ids of the records
 */
export function learnCreated(
  trial: Trial,
  resource: Resource,
  raced: readonly Raced[],
  known: ReadonlySet<string> = new Set(),
): unknown[] {
  const { run } = trial;
  const ids: unknown[] = [];
  for (const { operation, input, exchange } of raced) {
    if (operation !== resource.actions.create) continue;
    if (!exchange) {
      const { id: caseId } = trial.case;
      run.model.noteLostCreate(operation, input.body);
      run.ledger.note({ operationId: operation.id, caseId, mark: undefined, id: undefined, certain: false });
      continue;
    }
    const { json, succeeded } = trial.learn(exchange);
    const id = isRecord(json) && succeeded ? json[resource.id?.property ?? ''] : undefined;
    if (id === undefined) continue;
    ids.push(id);
    trial.found(idsApart, judgeIds(resource, ids, known), exchange);
  }
  return ids;
}

export async function readAgain(trial: Trial, resource: Resource, id: unknown, sent: Sent): Promise<void> {
  const { read } = resource.actions;
  if (!read) return;
  sent.push([{ operation: read, input: { path: await pathTo(trial, resource, read, id) } }]);
  await readById(trial, resource, id);
}

export async function listAgain(trial: Trial, resource: Resource, sent: Sent): Promise<void> {
  const [listed] = listedResources([resource]);
  if (!listed) return;
  sent.push(await listRequests(trial, resource));
  await askLongList(trial, listed);
}
