import { type Listed, listedResources, type On, onEach } from '../arrange/lists.ts';
import { askLongList, readById } from '../arrange/requests.ts';
import { pathTo, targetRecords } from '../arrange/target.ts';
import { shorten } from '../laws/compare-records.ts';
import { comparePlaces } from '../laws/operation-role.ts';
import { isId } from '../laws/sent-members.ts';
import { NotProvoked } from '../run/not-reached.ts';
import type { Trial } from '../run/trial.ts';
import { type Case, type Family, makeCase } from './case.ts';
import { selections } from './lists.ts';

/** What is read by id is the record of that id, and the same that the list shows. */
export const reads: Family = (contract) => [
  ...onEach(contract.resources, 'read').flatMap((on) =>
    on.resource.id?.parameter ? [sameAsListed(on)] : [],
  ),
  ...listedResources(contract.resources).flatMap((listed) =>
    listed.resource.id
      ? [makeCase(listed, 'distinct-ids', 'no id is in the list twice', (one) => askLongList(one, listed))]
      : [],
  ),
];

function sameAsListed(on: On): Case {
  const { resource } = on;
  const title = 'a record read by id is the one that the list shows';
  return makeCase(on, 'as-listed', title, async (trial) => {
    const [listed] = listedResources([resource]);
    if (!listed) throw new NotProvoked('the document has no list of these records');
    const records = await targetRecords(trial, resource);
    const chosen = [records[0], records[Math.floor(records.length / 2)], records.at(-1)];
    const ids = new Set(chosen.map((record) => record?.[resource.id?.property ?? '']).filter(isId));
    await trial.together(
      [...ids].map((id) => (part) => part.settle(() => listAndRead(part, listed, on, id))),
    );
    if (ids.size === 0) trial.leaveOpen('the list is empty: nothing to compare with');
  });
}

/** Others may have changed or removed the record since: it is read right after a list that still shows it. */
async function listAndRead(trial: Trial, listed: Listed, read: On, id: unknown): Promise<void> {
  const { resource, operation, status } = read;
  const path = await pathTo(trial, resource, operation, id);
  const records = await askLongList(trial, listed);
  const isListed = records.some((record) => String(record[resource.id?.property ?? '']) === String(id));
  if (isListed) await trial.send(operation, { path, expected: { status } });
  else trial.leaveOpen(`the record ${shorten(id)} is not listed any more`);
}

/** What has become of the run's records, and of the bodies that were refused, when all other cases are over. */
export const inTheEnd: Family = (contract) =>
  onEach(contract.resources, 'create').flatMap((on) => {
    const [listed] = listedResources([on.resource]);
    if (!listed) return [];
    const one = (
      slug: string,
      title: string,
      drive: (trial: Trial, listed: Listed) => Promise<void>,
    ): Case => ({
      ...makeCase(on, slug, title, (trial) => drive(trial, listed)),
      demands: false,
    });
    return [
      one('earlier-records', 'records made early in the run are as they were', readEarlierRecords),
      one('refused-are-nowhere', 'no body that was refused has become a record', listEverywhere),
    ];
  });

const LOOKED_AT = 4;

async function readEarlierRecords(trial: Trial, listed: Listed): Promise<void> {
  // In the order of the cases, whichever was faster.
  const own = trial.run.model.records
    .filter(({ resource, removed }) => resource === listed.resource && !removed)
    .toSorted((one, other) => comparePlaces(one.maker ?? [], other.maker ?? []));
  const chosen = own.filter((_, index) => index % Math.ceil(own.length / LOOKED_AT) === 0);
  await trial.together([
    ...chosen.map(
      ({ id }) =>
        (part: Trial) =>
          readById(part, listed.resource, id),
    ),
    (part) => askLongList(part, listed),
  ]);
}

async function listEverywhere(trial: Trial, listed: Listed): Promise<void> {
  const queries = [{}, ...selections(listed.form)];
  await trial.together(queries.map((query) => (part) => askLongList(part, listed, query)));
}
