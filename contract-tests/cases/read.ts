import { countShape, type Filter, type Operation, type Resource } from '#spec';
import { type Listed, listedResources } from '../arrange/lists.ts';
import { askList, askLongList, readById } from '../arrange/requests.ts';
import { createRecord, pathTo, targetRecords } from '../arrange/target.ts';
import { shorten } from '../laws/compare-records.ts';
import { isHeld } from '../laws/finding.ts';
import { comparePlaces, successStatuses } from '../laws/operation-role.ts';
import { isId } from '../laws/sent-members.ts';
import { NotProvoked } from '../run/not-reached.ts';
import type { Trial } from '../run/trial.ts';
import { type Case, type Family, makeCase, slugOf } from './case.ts';

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
    const ids = new Set(chosen.map((record) => record?.[resource.id?.property ?? '']).filter(isId));
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

/** A list that is shorter than the page size asked for lacks no record that is known to exist. */
export const completeLists: Family = (contract, settings) =>
  listedResources(contract.resources).flatMap((listed) => [
    ...(settings.writes && listed.resource.actions.create ? shortPages(listed) : []),
    ...listed.form.filters.flatMap((filter) =>
      (isHeld(filter, settings) ? (filter.parameter.shape.values ?? []) : []).map((value) =>
        filteredAndWhole(listed, filter, value),
      ),
    ),
  ]);

/** The smallest pages, filtered and not: where a page is cut before it is filtered, or cut too short, records fall out. */
function shortPages(listed: Listed): Case[] {
  const { pageSize, filters } = listed.form;
  if (!pageSize || listed.resource.id === undefined) return [];
  const least = Math.max(1, Number(countShape(pageSize)?.range.low?.value ?? 1));
  const filterings = filters.flatMap(({ parameter }) =>
    (parameter.shape.values ?? []).map((value) => ({ [parameter.name]: value })),
  );
  return [least, least + 1].map((limit) =>
    makeCase(
      listed.operation,
      listed.success,
      `${slugOf(pageSize.name)}-${limit}-lacks-nothing`,
      `a list shorter than ${pageSize.name}=${limit} lacks no record`,
      async (trial) => {
        await createRecord(trial, listed.resource);
        await trial.together(
          [{}, ...filterings].map(
            (query) => (part) => askList(part, listed, { ...query, [pageSize.name]: limit }),
          ),
        );
      },
      true,
    ),
  );
}

/** What the whole list shows with a value is in the list of that value, and the other way round. */
function filteredAndWhole(listed: Listed, filter: Filter, value: unknown): Case {
  const { name } = filter.parameter;
  const slug = `${slugOf(name)}-${slugOf(String(value))}-complete`;
  const title = `${name}=${value} gives every record that the whole list shows so`;
  return makeCase(listed.operation, listed.success, slug, title, async (trial) => {
    await trial.settle(async () => {
      await askLongList(trial, listed);
      await askLongList(trial, listed, { [name]: value });
      await askLongList(trial, listed);
    });
  });
}

/** What has become of the run's records, and of the bodies that were refused, when all other cases are over. */
export const inTheEnd: Family = (contract) =>
  listedResources(contract.resources).flatMap((listed) => {
    const { create } = listed.resource.actions;
    const success = create && successStatuses(create)[0];
    if (!create || success === undefined) return [];
    const one = (slug: string, title: string, run: Case['run']): Case => ({
      ...makeCase(create, success, slug, title, run),
      demands: false,
    });
    return [
      one('earlier-records', 'records made early in the run are as they were', (trial) =>
        readEarlierRecords(trial, listed),
      ),
      one('refused-are-nowhere', 'no body that was refused has become a record', (trial) =>
        listEverywhere(trial, listed),
      ),
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
  const filtered = listed.form.filters.flatMap(({ parameter }) =>
    (parameter.shape.values ?? []).map((value) => ({ [parameter.name]: value })),
  );
  await trial.together([{}, ...filtered].map((query) => (part) => askLongList(part, listed, query)));
}
