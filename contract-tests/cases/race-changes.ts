import type { Operation, Resource } from '#spec';
import { NotReached } from '../run/not-reached.ts';
import type { Trial } from '../run/trial.ts';
import { judgeRace } from './race-history.ts';
import { recordToRace, requestFor } from './race-record.ts';
import { distinctBody, sendAtOnce } from './race-requests.ts';
import type { Sent } from './sequence-script.ts';
import { isValidBody } from './sequence-values.ts';

type Data = Readonly<Record<string, unknown>>;

const WRITERS = 3;

/** Of whole bodies the record is one, and no mix of two. */
export async function raceReplaces(trial: Trial, resource: Resource, sent: Sent): Promise<void> {
  const { replace } = resource.actions;
  if (!replace) return;
  const bodies: Data[] = [];
  for (let writer = 0; writer < WRITERS; writer++) bodies.push(await distinctBody(trial, replace, writer));
  await raceChanges(trial, resource, replace, bodies, sent);
}

/** One member for each update: the others must stay as the other updates leave them. */
export async function raceUpdates(trial: Trial, resource: Resource, sent: Sent): Promise<void> {
  const { update } = resource.actions;
  if (!update) return;
  const parts = await disjointParts(trial, update);
  if (parts.length < 2)
    throw new NotReached('the document has no two members that can be updated apart from each other');
  await raceChanges(trial, resource, update, parts, sent);
}

async function raceChanges(
  trial: Trial,
  resource: Resource,
  operation: Operation,
  bodies: readonly Data[],
  sent: Sent,
): Promise<void> {
  const { read } = resource.actions;
  const own = await recordToRace(trial, resource, sent);
  const requests = [...bodies.map((body) => requestFor(trial, own, operation, body))];
  if (read) requests.push(requestFor(trial, own, read));
  await judgeRace(trial, own, await sendAtOnce(trial, await Promise.all(requests), sent), sent);
}

async function disjointParts(trial: Trial, update: Operation): Promise<Data[]> {
  const body = await distinctBody(trial, update, 1);
  return Object.entries(body)
    .filter(([, value]) => value !== null && typeof value !== 'object')
    .map(([name, value]): Data => ({ [name]: value }))
    .filter((part) => isValidBody(trial, update, part))
    .slice(0, WRITERS);
}

/** A change of a record, in whole where the document has that, else in part. Undefined: it has neither. */
export async function changeOf(trial: Trial, { actions }: Resource) {
  const operation = actions.replace ?? actions.update;
  return operation && { operation, body: await distinctBody(trial, operation, 1) };
}
