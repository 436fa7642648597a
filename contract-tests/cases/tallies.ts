import {
  type Contract,
  countsIn,
  type Filter,
  isBelow,
  type Operation,
  pathParameters,
  type Resource,
  type Tally,
  talliesOf,
} from '#spec';
import { greatestPage, type Listed, listedResources, queryFor } from '../arrange/lists.ts';
import { readById, seenValue } from '../arrange/requests.ts';
import { createRecord, pathOf, targetRecords } from '../arrange/target.ts';
import { creatorOf, successStatuses } from '../laws/operation-role.ts';
import { sharedFilters } from '../laws/tallies.ts';
import type { Trial } from '../run/trial.ts';
import type { Data } from '../send/wire.ts';
import { type Case, type Family, makeCase, slugOf } from './case.ts';

/** Counts and sums in a summary, between two responses of the list. */
export const summaries: Family = (contract) => summed(contract, '', () => true);

/** The same before the run creates records: a list without paging, which may be truncated later, may still be complete. */
export const firstSummaries: Family = (contract) =>
  summed(contract, '-at-first', ({ form, operation }) => !form.pageSize && !operation.path.includes('{'));

function summed(contract: Contract, slug: string, isMeant: (listed: Listed) => boolean): Case[] {
  return contract.operations.flatMap((operation) => {
    const [status] = successStatuses(operation);
    const lists = listedResources([...new Set(talliesOf(operation, contract).map(({ of }) => of))]);
    if (status === undefined) return [];
    return lists
      .filter(isMeant)
      .flatMap((listed) => [
        ...ofAll({ operation, status }, listed, slug),
        ...sharedFilters(operation, listed).flatMap((filter) =>
          ofFilter({ operation, status }, listed, filter, slug),
        ),
      ]);
  });
}

type Cell = Pick<Case, 'operation' | 'status'>;

/** Its required query parameters, other than one. */
const owedBut = ({ parameters }: Operation, filter?: Filter) =>
  parameters.filter((one) => one.in === 'query' && one.required && one !== filter?.parameter);

function ofAll(cell: Cell, listed: Listed, slug: string): Case[] {
  const { operation } = cell;
  const { path: name } = listed.resource;
  if (owedBut(operation).length > 0) return [];
  const drive = async (trial: Trial) => {
    const path = await pathOf(trial, operation);
    await between(trial, listed, path, () => trial.send(operation, { path }));
  };
  const title = `its numbers are those of ${name}`;
  return [makeCase(cell, `of-${slugOf(name)}${slug}`, title, drive, { demands: false })];
}

/** The number of values of a filter that are tried. */
const MOST_VALUES = 3;

/** With the values of an enumeration, which select different records, else with one of a record. */
function ofFilter(cell: Cell, listed: Listed, filter: Filter, slug: string): Case[] {
  const { operation } = cell;
  const { path: name } = listed.resource;
  const { name: by, shape } = filter.parameter;
  if (owedBut(operation, filter).length > 0) return [];
  const drive = async (trial: Trial) => {
    const values = shape.values ?? [await seenValue(trial, listed.resource, filter)];
    const present = values.filter((value) => value !== undefined && value !== null);
    if (present.length === 0) return trial.leaveOpen(`no record has a ${filter.property} to filter by`);
    const path = await pathOf(trial, operation);
    for (const value of present.slice(0, MOST_VALUES)) {
      const query = queryFor(filter, value);
      await between(trial, listed, path, () => trial.send(operation, { path, query }), query);
    }
  };
  const title = `its numbers by ${by} are those of ${name}`;
  return [makeCase(cell, `of-${slugOf(name)}-by-${slugOf(by)}${slug}`, title, drive, { demands: false })];
}

/** Counts of children in records. */
export const counts: Family = ({ resources }, { writes }) =>
  resources.flatMap((resource) =>
    countsIn(resource, resources).flatMap((tally) => counted(resource, tally, writes)),
  );

/** Lists, runs a function, and lists again. */
async function between(
  trial: Trial,
  listed: Listed,
  values: Data,
  look: () => Promise<unknown>,
  query: Data = {},
) {
  const { operation, form } = listed;
  const names = new Set(pathParameters(operation.path));
  const listPath = Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
  const input = {
    path: await pathOf(trial, operation, listPath),
    query: { ...greatestPage(form), ...query },
  };
  await trial.settle(async () => {
    await trial.send(operation, input);
    await look();
    await trial.send(operation, input);
  });
}

/** The number of records that are read where the run creates none. */
const MOST_LOOKS = 3;

/** A record with a count of its children: one below which the run has created something, else existing ones. */
function counted(resource: Resource, { of, path: [name = ''] }: Tally, writes: boolean): Case[] {
  const { id, actions } = resource;
  const [listed] = listedResources([of]);
  if (!actions.read || !listed || id?.parameter === undefined || !isBelow(of, resource)) return [];
  const maker = writes ? creatorOf(of) : undefined;
  const operation = maker?.path === listed.operation.path ? maker : actions.read;
  const [status] = successStatuses(operation);
  if (status === undefined) return [];
  const parameter = pathParameters(listed.operation.path)[pathParameters(resource.path).length] ?? '';
  const look = (trial: Trial, value: unknown, path: Data) =>
    between(trial, listed, { ...path, [parameter]: value }, () => readById(trial, resource, value));
  const title = `${name} is how many there are`;
  const drive = async (trial: Trial) => {
    if (operation === maker) {
      const { input } = await createRecord(trial, of);
      return look(trial, input.path?.[parameter], input.path ?? {});
    }
    for (const record of (await targetRecords(trial, resource)).slice(0, MOST_LOOKS))
      await look(trial, record[id.property], {});
  };
  const more = { demands: false, createsAbove: operation === maker };
  return [makeCase({ operation, status }, `counted-in-${slugOf(name)}`, title, drive, more)];
}
