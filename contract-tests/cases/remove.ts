import { explicitStatuses, type Operation, placeOf, type Resource } from '#spec';
import { createRecord } from '../arrange/create.ts';
import { askList, listedResources } from '../arrange/list.ts';
import { readById } from '../arrange/read.ts';
import { untilSettled } from '../arrange/settle.ts';
import type { Case } from '../case.ts';
import { equalJson } from '../laws/record.ts';
import { shorten } from '../laws/shorten.ts';
import { successStatuses } from '../operation-role.ts';
import { NO_CREDENTIAL, needsKey } from '../send/credentials.ts';
import type { Trial } from '../trial.ts';
import { pathTo } from './change.ts';
import { type Family, makeCase } from './family.ts';

const NOT_FOUND = 404;

/** Removing: records of the run's own only. */
export const removals: Family = (contract) =>
  contract.resources.flatMap((resource) => {
    const { remove } = resource.actions;
    const success = remove && successStatuses(remove)[0];
    if (!remove || success === undefined || !resource.id?.parameter) return [];
    return [
      gone(resource, remove, success),
      neighbourStays(resource, remove, success),
      ...(explicitStatuses(remove.responses).includes(NOT_FOUND) ? [twice(resource, remove)] : []),
      ...(needsKey(remove) ? [unauthorisedStays(resource, remove, success)] : []),
    ];
  });

async function removeOne(
  trial: Trial,
  resource: Resource,
  remove: Operation,
  success: number,
): Promise<unknown> {
  const { id } = await createRecord(trial, resource);
  const answer = await trial.ask(remove, { path: await pathTo(trial, resource, remove, id) });
  return trial.expectOf(remove, answer, success) ? id : undefined;
}

function gone(resource: Resource, remove: Operation, success: number): Case {
  return makeCase(
    remove,
    success,
    'is-gone',
    'a removed record is neither read nor listed',
    async (trial) => {
      const id = await removeOne(trial, resource, remove, success);
      if (id === undefined) return;
      const read = await readById(trial, resource, id, ({ record }) => record === undefined);
      if (read?.record) blameSeen(trial, remove, `${shorten(read.record)}, read by its id`);
      else if (read && explicitStatuses(read.operation.responses).includes(NOT_FOUND))
        trial.expectOf(read.operation, read.answer, NOT_FOUND);
      const listed = await stillListed(trial, resource, id);
      if (listed) blameSeen(trial, remove, `${shorten(listed)}, in the list`, [listed]);
      trial.covered ||= trial.findings.length === 0;
    },
  );
}

/** The record where a list shows it, though it was removed; lists that lag behind get their time. */
async function stillListed(
  trial: Trial,
  resource: Resource,
  id: unknown,
): Promise<Record<string, unknown> | undefined> {
  const [listed] = listedResources([resource]);
  const property = resource.id?.property;
  if (!listed || property === undefined) return undefined;
  const { pageSize } = listed.form;
  const greatest = pageSize?.shape.range.high?.value;
  const query = pageSize && greatest !== undefined ? { [pageSize.name]: greatest } : {};
  return untilSettled(
    trial.run.settings.settle,
    async () =>
      (await askList(trial, listed, query)).records.find((record) => equalJson(record[property], id)),
    (record) => record === undefined,
  );
}

function blameSeen(trial: Trial, remove: Operation, received: string, about?: readonly unknown[]): void {
  trial.blame([
    {
      law: 'removed-is-gone',
      received,
      documented: 'nothing of a record that was removed',
      at: placeOf(remove.spot),
      ...(about && { about }),
    },
  ]);
}

function twice(resource: Resource, remove: Operation): Case {
  return makeCase(remove, NOT_FOUND, 'twice', 'what was removed cannot be removed again', async (trial) => {
    const id = await removeOne(trial, resource, remove, successStatuses(remove)[0] as number);
    if (id === undefined) return;
    const path = await pathTo(trial, resource, remove, id);
    const again = await untilSettled(
      trial.run.settings.settle,
      () => trial.ask(remove, { path }),
      ({ status }) => status === NOT_FOUND,
    );
    trial.expect(again, NOT_FOUND, 'removed-is-gone');
  });
}

function neighbourStays(resource: Resource, remove: Operation, success: number): Case {
  return makeCase(remove, success, 'neighbour', 'the record beside a removed one stays', async (trial) => {
    const beside = await createRecord(trial, resource);
    await removeOne(trial, resource, remove, success);
    await expectThere(trial, resource, remove, beside.id, 'neighbours-untouched');
  });
}

function unauthorisedStays(resource: Resource, remove: Operation, success: number): Case {
  return makeCase(
    remove,
    success,
    'unauthorised-changes-nothing',
    'without a credential nothing is removed',
    async (trial) => {
      const { id } = await createRecord(trial, resource);
      const answer = await trial.ask(remove, {
        path: await pathTo(trial, resource, remove, id),
        presented: NO_CREDENTIAL,
      });
      if (answer.status >= 400) await expectThere(trial, resource, remove, id, 'refused-changes-nothing');
    },
  );
}

async function expectThere(
  trial: Trial,
  resource: Resource,
  remove: Operation,
  id: unknown,
  law: 'neighbours-untouched' | 'refused-changes-nothing',
): Promise<void> {
  const read = await readById(trial, resource, id, ({ record }) => record !== undefined);
  if (!read || read.record) return;
  const received = `${read.answer.status} for ${shorten(id)}, which nobody removed`;
  trial.blame([{ law, received, documented: `${read.success}`, at: placeOf(remove.spot) }]);
}
