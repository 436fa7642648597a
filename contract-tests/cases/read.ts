import { isRecord, type Operation, type Resource } from '#spec';
import { askList, listedOf, listedResources } from '../arrange/list.ts';
import { untilSettled } from '../arrange/settle.ts';
import type { Case } from '../case.ts';
import { jsonOf } from '../laws/answer.ts';
import { judgeAgreement, judgeDistinct, judgePathId } from '../laws/identity.ts';
import { equalJson } from '../laws/record.ts';
import { shorten } from '../laws/shorten.ts';
import { NotReached } from '../not-reached.ts';
import { successStatuses } from '../operation-role.ts';
import type { Trial } from '../trial.ts';
import { type Family, makeCase } from './family.ts';

/** What is read by id is the record of that id, and the same that the list shows. */
export const reads: Family = (contract) => [
  ...contract.resources.flatMap((resource) => {
    const { read } = resource.actions;
    const success = read && successStatuses(read)[0];
    if (!read || success === undefined || !resource.id?.parameter) return [];
    return [sameAsListed(resource, read, success)];
  }),
  ...listedResources(contract.resources).flatMap((listed) =>
    listed.resource.id ? [distinctInList(listed)] : [],
  ),
];

const LOOKED_AT = 3;

function sameAsListed(resource: Resource, read: Operation, success: number): Case {
  return makeCase(
    read,
    success,
    'as-listed',
    'a record read by id is the one that the list shows',
    async (trial) => {
      if (!resource.actions.list) throw new NotReached('the document has no list of these records');
      const records = await trial.run.world.records(trial, resource);
      const chosen = [records[0], records[Math.floor(records.length / 2)], records.at(-1)].filter(
        (one) => one !== undefined,
      );
      for (const listed of new Set(chosen.slice(0, LOOKED_AT)))
        await readAgain(trial, resource, read, success, listed);
      if (chosen.length === 0) trial.leaveOpen('the list is empty: nothing to compare with');
    },
  );
}

/** Others may have changed or removed the record since: a difference counts only against a list that still shows it. */
async function readAgain(
  trial: Trial,
  resource: Resource,
  read: Operation,
  success: number,
  shown: Record<string, unknown>,
): Promise<void> {
  const { property, parameter } = resource.id as { property: string; parameter: string };
  const id = shown[property];
  const path = { ...(await trial.run.world.pathOf(trial, read, { [parameter]: id })), [parameter]: id };
  const isSame = (listed: Record<string, unknown> | undefined, record: unknown) =>
    listed !== undefined && isRecord(record) && judgeAgreement(resource, listed, record).length === 0;
  const look = async () => {
    const answer = await trial.ask(read, { path });
    const record = answer.status === success ? jsonOf(answer) : undefined;
    const exchange = trial.last();
    if (isSame(shown, record)) return { answer, record, exchange, listed: shown };
    const listed = await showAgain(trial, resource, id);
    return { answer, record, exchange, listed };
  };
  const { answer, record, exchange, listed } = await untilSettled(
    trial.run.settings.settle,
    look,
    (seen) => seen.listed === undefined || isSame(seen.listed, seen.record),
  );
  if (!listed) return trial.leaveOpen(`the record ${shorten(id)} is not listed any more`);
  if (!trial.expect(answer, success, 'status', exchange) || !isRecord(record)) return;
  trial.blame([...judgePathId(resource, id, record), ...judgeAgreement(resource, listed, record)], exchange);
}

/** The record as a list shows it now. */
async function showAgain(
  trial: Trial,
  resource: Resource,
  id: unknown,
): Promise<Record<string, unknown> | undefined> {
  const listed = listedOf(resource);
  const { pageSize } = listed.form;
  const greatest = pageSize?.shape.range.high?.value;
  const query = pageSize && greatest !== undefined ? { [pageSize.name]: greatest } : {};
  const { records } = await askList(trial, listed, query);
  return records.find((one) => equalJson(one[resource.id?.property ?? ''], id));
}

function distinctInList(listed: ReturnType<typeof listedResources>[number]): Case {
  return makeCase(
    listed.operation,
    listed.success,
    'distinct-ids',
    'no id is in the list twice',
    async (trial) => {
      const { pageSize } = listed.form;
      const greatest = pageSize?.shape.range.high?.value;
      const query = pageSize && greatest !== undefined ? { [pageSize.name]: greatest } : {};
      const { records } = await askList(trial, listed, query);
      const ids = records.map((record) => record[listed.resource.id?.property ?? '']);
      trial.blame(judgeDistinct(listed.resource, ids, records));
    },
  );
}
