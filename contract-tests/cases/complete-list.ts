import { type Filter, placeOf, type Spot } from '#spec';
import { createRecord } from '../arrange/create.ts';
import { askCompleteList, askList, type Listed, listedResources } from '../arrange/list.ts';
import { untilSettled } from '../arrange/settle.ts';
import type { Case, Exchange } from '../case.ts';
import type { Law } from '../laws/law.ts';
import { judgeFilter } from '../laws/list.ts';
import { equalJson } from '../laws/record.ts';
import { shorten } from '../laws/shorten.ts';
import type { Trial } from '../trial.ts';
import { type Family, makeCase, slugOf } from './family.ts';

type Data = Record<string, unknown>;

/** A list that is shorter than the page asked for has come to its end: it lacks no record that is known to exist. */
export const completeLists: Family = (contract, settings) =>
  listedResources(contract.resources).flatMap((listed) => [
    ...(settings.writes && listed.resource.actions.create ? shortPages(listed) : []),
    ...listed.form.filters.flatMap((filter) =>
      (filter.parameter.shape.values ?? []).map((value) => filteredAndWhole(listed, filter, value)),
    ),
  ]);

/** The smallest pages, filtered and not: where a page is cut before it is filtered, or cut too short, records fall out. */
function shortPages(listed: Listed): Case[] {
  const { pageSize, filters } = listed.form;
  const property = listed.resource.id?.property;
  if (!pageSize || property === undefined) return [];
  const least = Math.max(1, Number(pageSize.shape.range.low?.value ?? 1));
  return [least, least + 1].map((limit) =>
    makeCase(
      listed.operation,
      listed.success,
      `${slugOf(pageSize.name)}-${limit}-lacks-nothing`,
      `a list shorter than ${pageSize.name}=${limit} lacks no record`,
      async (trial) => {
        const created = await createRecord(trial, listed.resource);
        const known = [
          created,
          ...trial.run.memory.kept.filter(({ resource }) => resource === listed.resource),
        ];
        for (const { query, bears } of [{ query: {}, bears: () => true }, ...filters.flatMap(filterings)]) {
          const one = known.find(({ sent }) => bears(sent));
          if (!one) continue;
          const look = async () =>
            (await askList(trial, listed, { ...query, [pageSize.name]: limit })).records;
          const full = (records: readonly Data[]) =>
            records.length >= limit || records.some((record) => equalJson(record[property], one.id));
          const records = await untilSettled(trial.run.settings.settle, look, full);
          if (!full(records))
            blameLack(
              trial,
              'complete-list',
              records.length,
              { [property]: one.id, ...one.sent },
              pageSize.spot,
            );
        }
      },
      true,
    ),
  );
}

interface Filtering {
  readonly query: Data;
  readonly bears: (record: Data) => boolean;
}

function filterings({ parameter, property }: Filter): Filtering[] {
  return (parameter.shape.values ?? []).map((value) => ({
    query: { [parameter.name]: value },
    bears: (record) => equalJson(record[property], value),
  }));
}

/** What the whole list shows with a value is in the list of that value, and the other way round. */
function filteredAndWhole(listed: Listed, filter: Filter, value: unknown): Case {
  const { name, spot } = filter.parameter;
  const slug = `${slugOf(name)}-${slugOf(String(value))}-complete`;
  const title = `${name}=${value} gives every record that the whole list shows so`;
  return makeCase(listed.operation, listed.success, slug, title, async (trial) => {
    const { missing, stray, whole, filtered, shown } = await untilSettled(
      trial.run.settings.settle,
      () => compareLists(trial, listed, filter, value),
      (seen) => seen.missing === undefined && seen.stray === undefined,
    );
    trial.blame(judgeFilter(filter, value, filtered), shown);
    if (missing) blameLack(trial, 'filter', filtered.length, missing, spot, shown);
    if (stray) blameLack(trial, 'complete-list', whole, stray, listed.operation.spot);
  });
}

/** The whole list is asked for before and after: what others change in between counts in nobody's disfavour. */
async function compareLists(trial: Trial, listed: Listed, filter: Filter, value: unknown) {
  const property = listed.resource.id?.property ?? '';
  const within = (records: readonly Data[], one: Data) =>
    records.some((other) => equalJson(other[property], one[property]));
  const before = await askCompleteList(trial, listed);
  const filtered = before && (await askCompleteList(trial, listed, { [filter.parameter.name]: value }));
  const shown = trial.last();
  const after = filtered && (await askCompleteList(trial, listed));
  if (!after) return { missing: undefined, stray: undefined, whole: 0, filtered: filtered ?? [], shown };
  const bears = (record: Data) => equalJson(record[filter.property], value);
  return {
    missing: before.find(
      (one) =>
        bears(one) && after.filter(bears).some((other) => equalJson(other, one)) && !within(filtered, one),
    ),
    stray: filtered.find((one) => !within(before, one) && !within(after, one)),
    whole: after.length,
    filtered,
    shown,
  };
}

function blameLack(
  trial: Trial,
  law: Law,
  length: number,
  record: Data,
  spot: Spot,
  exchange?: Exchange,
): void {
  const received = `a list of ${length}, shorter than asked for, without ${shorten(record)}`;
  trial.blame([{ law, received, documented: 'every record that matches', at: placeOf(spot) }], exchange);
}
