import { isRecord, type Operation, type Resource } from '#spec';
import { askList, listedOf, listedResources } from '../arrange/list.ts';
import { untilSettled } from '../arrange/settle.ts';
import type { Case } from '../case.ts';
import { jsonOf } from '../laws/answer.ts';
import { judgeAgreement, judgeDistinct, judgePathId } from '../laws/identity.ts';
import { successStatuses } from '../run.ts';
import { NotReached, type Trial } from '../trial.ts';
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

/** The record may have been changed since the list was read: a difference counts only while the list still shows it. */
async function readAgain(
  trial: Trial,
  resource: Resource,
  read: Operation,
  success: number,
  listed: Record<string, unknown>,
): Promise<void> {
  const { property, parameter } = resource.id as { property: string; parameter: string };
  const id = listed[property];
  const path = { ...(await trial.run.world.pathOf(trial, read, { [parameter]: id })), [parameter]: id };
  const look = async () => {
    const answer = await trial.ask(read, { path });
    const record = jsonOf(answer);
    const agrees = isRecord(record) && judgeAgreement(resource, listed, record).length === 0;
    return { answer, record, agrees };
  };
  const { answer, record, agrees } = await untilSettled(
    trial.run.settings.settle,
    look,
    ({ agrees }) => agrees,
  );
  if (!trial.expect(answer, success) || !isRecord(record)) return;
  trial.blame(judgePathId(resource, id, record));
  if (agrees) return;
  const fresh = (await askList(trial, listedOf(resource), {})).records.find((one) => one[property] === id);
  if (fresh) trial.blame(judgeAgreement(resource, fresh, record));
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
      trial.blame(
        judgeDistinct(
          listed.resource,
          records.map((record) => record[listed.resource.id?.property ?? '']),
        ),
      );
    },
  );
}
