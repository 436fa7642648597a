import { bodyMedia, type Operation, type Resource } from '#spec';
import { isValidBody } from '../../arrange/record-members.ts';
import { equalJson } from '../../laws/equal-json.ts';
import { NotReached } from '../../run/not-reached.ts';
import type { Trial } from '../../run/trial.ts';
import type { Sent } from '../script.ts';
import { otherValue } from '../varied-body.ts';
import { judgeRace } from './history.ts';
import { type RaceRecord, recordToRace, requestFor } from './record.ts';
import { distinctBody, sendAtOnce } from './requests.ts';

type Data = Readonly<Record<string, unknown>>;

const WRITERS = 2;

/** Of whole bodies the record is one, and no mix of two. */
export async function raceReplaces(trial: Trial, resource: Resource, sent: Sent): Promise<void> {
  const { replace } = resource.actions;
  if (!replace) return;
  const own = await recordToRace(trial, resource, sent);
  const bodies: Data[] = [];
  for (let writer = 0; writer < WRITERS; writer++) bodies.push(await distinctBody(trial, replace, writer));
  await raceChanges(trial, own, replace, bodies, sent);
}

/** One member for each update: the others must stay as the other updates leave them. */
export async function raceUpdates(trial: Trial, resource: Resource, sent: Sent): Promise<void> {
  const { update } = resource.actions;
  if (!update) return;
  const own = await recordToRace(trial, resource, sent);
  const parts = await disjointParts(trial, update, own.initial);
  if (parts.length < WRITERS)
    throw new NotReached('the document has no two members that can be updated apart from each other');
  await raceChanges(trial, own, update, parts, sent);
}

async function raceChanges(
  trial: Trial,
  own: RaceRecord,
  operation: Operation,
  bodies: readonly Data[],
  sent: Sent,
): Promise<void> {
  const { read } = own.resource.actions;
  const requests = bodies.map((body) => requestFor(trial, own, operation, body));
  // One that begins before the changes, and one that may see the middle of them.
  if (read) requests.unshift(requestFor(trial, own, read));
  if (read) requests.push(requestFor(trial, own, read));
  await judgeRace(trial, own, await sendAtOnce(trial, await Promise.all(requests), sent), sent);
}

/** Single members, each with another value than it has now. */
async function disjointParts(trial: Trial, update: Operation, initial: Data): Promise<Data[]> {
  const body = await distinctBody(trial, update, 1);
  const shape = bodyMedia(update.body)?.shape;
  return Object.entries(body)
    .flatMap(([name, value]): Data[] => {
      const member = shape?.properties.get(name);
      const other = equalJson(initial[name], value) && member ? otherValue(member, value) : value;
      return other === undefined || other === null || typeof other === 'object' ? [] : [{ [name]: other }];
    })
    .filter((part) => isValidBody(trial, update, part))
    .slice(0, WRITERS);
}

/** A change of a record, in whole where the document has that, else in part. Undefined: it has neither. */
export async function changeOf(trial: Trial, { actions }: Resource) {
  const operation = actions.replace ?? actions.update;
  return operation && { operation, body: await distinctBody(trial, operation, 1) };
}
