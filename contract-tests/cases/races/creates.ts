import type { Operation, Resource } from '#spec';
import { askLongList, readById } from '../../arrange/ask.ts';
import { greatestPage, type Listed, listedResources } from '../../arrange/list.ts';
import { pathOf, pathTo } from '../../arrange/target.ts';
import { recordOf } from '../../laws/evidence.ts';
import { idsApart, judgeIds } from '../../laws/linearizability-of-creates.ts';
import { NoRoom } from '../../run/not-reached.ts';
import type { Raced, RaceRequest } from '../../run/race.ts';
import type { Trial } from '../../run/trial.ts';
import type { Sent } from '../script.ts';
import { distinctBody, expectSuccess, sendAtOnce } from './requests.ts';

const CREATORS = 4;

/** Each acknowledged create has an id of its own, and is read and listed as it was sent. */
export async function raceCreates(trial: Trial, resource: Resource, sent: Sent): Promise<void> {
  const { create } = resource.actions;
  if (!create) return;
  const requests: RaceRequest[] = [];
  for (let writer = 0; writer < CREATORS; writer++) requests.push(await createRequest(trial, create, writer));
  // One that begins before the creates, and one that may see the middle of them.
  requests.unshift(...(await listRequests(trial, resource)));
  requests.push(...(await listRequests(trial, resource)));
  demandRoom(trial, resource, CREATORS);
  const raced = await sendAtOnce(trial, requests, sent);
  await readAgain(trial, resource, learnCreated(trial, resource, raced), sent);
  await listAgain(trial, resource, sent);
}

/** Before requests that make so many records. */
export function demandRoom(trial: Trial, resource: Resource, count: number): void {
  if (!trial.reserve(resource, count)) throw new NoRoom(trial.run.budget.most);
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
  const query = greatestPage(form);
  return { operation, input: { path: await pathOf(trial, operation), query } };
}

/**
 * The run knows the records from now on.
 * @returns the ids of the records
 */
export function learnCreated(trial: Trial, resource: Resource, raced: readonly Raced[]): unknown[] {
  const { run } = trial;
  const ids: unknown[] = [];
  for (const { operation, exchange } of raced) {
    if (operation !== resource.actions.create) continue;
    if (!exchange) {
      const { id: caseId } = trial.case;
      const { id: operationId } = operation;
      const record = { operationId, caseId, mark: undefined, id: undefined, certain: false };
      run.ledger.note(record, trial.order, !run.budget.isRemovable(resource));
      continue;
    }
    const evidence = trial.learn(exchange);
    const id = evidence.succeeded ? recordOf(evidence)?.[resource.id?.property ?? ''] : undefined;
    if (id === undefined) continue;
    ids.push(id);
    trial.found(idsApart, judgeIds(resource, ids), exchange);
  }
  return ids;
}

export async function readAgain(
  trial: Trial,
  resource: Resource,
  ids: readonly unknown[],
  sent: Sent,
): Promise<void> {
  const { read } = resource.actions;
  if (!read) return;
  for (const id of ids)
    sent.push([{ operation: read, input: { path: await pathTo(trial, resource, read, id) } }]);
  await trial.together(ids.map((id) => (part) => readById(part, resource, id)));
}

export async function listAgain(trial: Trial, resource: Resource, sent: Sent): Promise<void> {
  const [listed] = listedResources([resource]);
  if (!listed) return;
  sent.push(await listRequests(trial, resource));
  await askLongList(trial, listed);
}
