import { isInteger, type Resource } from '#spec';
import { askLongList, readById } from '../arrange/ask.ts';
import { listedResources } from '../arrange/list.ts';
import type { Creation } from '../arrange/target.ts';
import type { Trial } from '../run/trial.ts';

/** What was created exists from then on: it is read by its id and listed. */
export async function followCreation(trial: Trial, resource: Resource, { id }: Creation): Promise<void> {
  if (id === undefined) return;
  const [listed] = listedResources([resource]);
  // One after the other: a deviation that the read has shown is not told of the list again.
  await readById(trial, resource, id);
  if (listed) await askLongList(trial, listed);
}

/** Where ids are counted up, a second record of one create has the next one; a long list would not show it. */
export async function readNextId(trial: Trial, resource: Resource, { id }: Creation): Promise<void> {
  if (isInteger(id)) await readById(trial, resource, BigInt(id) + 1n);
}
