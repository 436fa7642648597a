import type { Resource } from '#spec';
import type { Raced } from '../../run/race.ts';
import type { Trial } from '../../run/trial.ts';
import { isSuccess } from '../../send/response.ts';
import type { Sent } from '../script.ts';
import { changeOf } from './changes.ts';
import { createRequest, demandRoom, learnCreated, listAgain, listRequests, readAgain } from './creates.ts';
import { judgeRace } from './history.ts';
import { type RaceRecord, recordToRace, requestFor } from './record.ts';
import { sendAtOnce } from './requests.ts';

/** A record that is removed and changed at once is gone in the end: a change does not bring it back. */
export async function raceRemoval(trial: Trial, resource: Resource, sent: Sent): Promise<void> {
  const { remove, read } = resource.actions;
  if (!remove || !read) return;
  const own = await recordToRace(trial, resource, sent);
  const change = await changeOf(trial, resource);
  const requests = [await requestFor(trial, own, read)];
  if (change) requests.push(await requestFor(trial, own, change.operation, change.body));
  requests.push(await requestFor(trial, own, remove), await requestFor(trial, own, read));
  const raced = await sendAtOnce(trial, requests, sent);
  await judgeOne(trial, own, raced, sent);
  await listAgain(trial, resource, sent);
}

/** Different records: one is removed, one is changed and one is created at once, and nothing of it is lost. */
export async function raceNeighbours(trial: Trial, resource: Resource, sent: Sent): Promise<void> {
  const { remove, create } = resource.actions;
  if (!remove || !create) return;
  const removed = await recordToRace(trial, resource, sent);
  const changed = await recordToRace(trial, resource, sent);
  const change = await changeOf(trial, resource);
  const requests = [
    await requestFor(trial, removed, remove),
    await createRequest(trial, create, 1),
    ...(await listRequests(trial, resource)),
  ];
  if (change) requests.push(await requestFor(trial, changed, change.operation, change.body));
  demandRoom(trial, resource, 1);
  const raced = await sendAtOnce(trial, requests, sent);
  for (const own of [removed, changed]) await judgeOne(trial, own, raced, sent);
  await readAgain(trial, resource, learnCreated(trial, resource, raced), sent);
  await listAgain(trial, resource, sent);
}

/** Judges what has become of a record that one request at most has changed or removed, and knows it from then on. */
async function judgeOne(trial: Trial, own: RaceRecord, raced: readonly Raced[], sent: Sent): Promise<void> {
  const { explained, shows } = await judgeRace(trial, own, raced, sent);
  if (!explained) return;
  const parameter = own.resource.id?.parameter ?? '';
  const { read, remove } = own.resource.actions;
  const writes = raced.filter(
    ({ operation, input, exchange }) =>
      exchange &&
      operation !== read &&
      isSuccess(exchange.response) &&
      String(input.path?.[parameter]) === String(own.id),
  );
  own.relearn();
  // What is gone was removed last.
  const inOrder = writes.toSorted(
    (one, other) => Number(one.operation === remove) - Number(other.operation === remove),
  );
  for (const { operation, exchange } of inOrder)
    if (exchange && (operation === remove) === (shows === undefined)) trial.learn(exchange);
}
