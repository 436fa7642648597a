import { isInteger, placeOf, type Resource } from '#spec';
import type { Creation } from '../arrange/create.ts';
import { askCompleteList, listedResources } from '../arrange/list.ts';
import { readById } from '../arrange/read.ts';
import { untilSettled } from '../arrange/settle.ts';
import { judgeOnce, judgePathId } from '../laws/identity.ts';
import { equalJson, judgeKept } from '../laws/record.ts';
import { shorten } from '../laws/shorten.ts';
import type { Trial } from '../trial.ts';

/** What was created is there from then on: by its id, and in the list where that is complete. */
export async function followCreation(trial: Trial, resource: Resource, creation: Creation): Promise<void> {
  if (creation.id === undefined) return;
  await readBack(trial, resource, creation);
  await findInList(trial, resource, creation);
}

export async function readBack(trial: Trial, resource: Resource, creation: Creation): Promise<void> {
  const read = await readById(trial, resource, creation.id, ({ record }) => record !== undefined);
  if (!read) return;
  const { operation, success, answer, record } = read;
  if (answer.status !== success) {
    const received = `${answer.status} for ${resource.id?.property} ${shorten(creation.id)}, which was just created`;
    const at = placeOf(operation.spot);
    trial.blame([{ law: 'created-can-be-read', received, documented: `${success}`, at }]);
  } else if (trial.expectOf(operation, answer, success)) {
    trial.blame([
      ...judgePathId(resource, creation.id, record),
      ...judgeKept('created-can-be-read', resource.shape, creation.sent, record, operation.spot),
    ]);
  }
}

async function findInList(trial: Trial, resource: Resource, creation: Creation): Promise<void> {
  const [listed] = listedResources([resource]);
  const property = resource.id?.property;
  if (!listed || property === undefined) return;
  const own = (records: readonly Record<string, unknown>[]) =>
    records.find((one) => equalJson(one[property], creation.id));
  const records = await untilSettled(
    trial.run.settings.settle,
    () => askCompleteList(trial, listed),
    (seen) => seen === undefined || own(seen) !== undefined,
  );
  if (!records) return;
  const record = own(records);
  if (record)
    trial.blame([
      ...judgeKept('created-is-listed', resource.shape, creation.sent, record, listed.operation.spot),
      ...judgeOnce(resource, creation, records),
    ]);
  else {
    const received = `a complete list of ${records.length} without ${property} ${shorten(creation.id)}, which was just created`;
    trial.blame([
      { law: 'created-is-listed', received, documented: 'every record', at: placeOf(listed.operation.spot) },
    ]);
  }
}

/** Where ids are counted up, a second record of one create has the next one; a long list would not show it. */
export async function findSecond(trial: Trial, resource: Resource, creation: Creation): Promise<void> {
  const { id, record } = creation;
  if (!isInteger(id) || !record) return;
  const next = await readById(trial, resource, BigInt(id) + 1n, () => true);
  if (next?.record) trial.blame(judgeOnce(resource, creation, [record, next.record]));
}
