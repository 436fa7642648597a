import type { Filter } from '#spec';
import { askList, askLongList } from '../arrange/ask.ts';
import { type Listed, listedResources } from '../arrange/list.ts';
import { createRecord } from '../arrange/target.ts';
import type { Case } from './case.ts';
import { type Family, makeCase, slugOf } from './family.ts';

/** A list that is shorter than the page size asked for lacks no record that is known to exist. */
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
  if (!pageSize || listed.resource.id === undefined) return [];
  const least = Math.max(1, Number(pageSize.shape.range.low?.value ?? 1));
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
