import type { Operation, Resource } from '#spec';
import { askLongList } from '../arrange/ask.ts';
import { type Listed, listedResources } from '../arrange/list.ts';
import { pathTo, targetRecords } from '../arrange/target.ts';
import { successStatuses } from '../laws/operation-role.ts';
import { shorten } from '../laws/shorten.ts';
import { NotProvoked } from '../run/not-reached.ts';
import type { Trial } from '../run/trial.ts';
import type { Case } from './case.ts';
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

function sameAsListed(resource: Resource, read: Operation, success: number): Case {
  const title = 'a record read by id is the one that the list shows';
  return makeCase(read, success, 'as-listed', title, async (trial) => {
    const [listed] = listedResources([resource]);
    if (!listed) throw new NotProvoked('the document has no list of these records');
    const records = await targetRecords(trial, resource);
    const chosen = [records[0], records[Math.floor(records.length / 2)], records.at(-1)];
    const ids = new Set(chosen.flatMap((record) => record?.[resource.id?.property ?? ''] ?? []));
    await trial.together(
      [...ids].map((id) => (part) => part.settle(() => listAndRead(part, listed, read, success, id))),
    );
    if (ids.size === 0) trial.leaveOpen('the list is empty: nothing to compare with');
  });
}

/** Others may have changed or removed the record since: it is read right after a list that still shows it. */
async function listAndRead(
  trial: Trial,
  listed: Listed,
  read: Operation,
  status: number,
  id: unknown,
): Promise<void> {
  const { resource } = listed;
  const path = await pathTo(trial, resource, read, id);
  const records = await askLongList(trial, listed);
  const isListed = records.some((record) => String(record[resource.id?.property ?? '']) === String(id));
  if (isListed) await trial.send(read, { path, expected: { status } });
  else trial.leaveOpen(`the record ${shorten(id)} is not listed any more`);
}

function distinctInList(listed: Listed): Case {
  const title = 'no id is in the list twice';
  return makeCase(listed.operation, listed.success, 'distinct-ids', title, (trial) =>
    askLongList(trial, listed),
  );
}
