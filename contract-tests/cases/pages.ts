import { countShape, type Filter, type ListForm, type Parameter } from '#spec';
import { readValue } from '../arrange/body.ts';
import { greatestPage, type Listed, listedResources } from '../arrange/lists.ts';
import { askList, askLongList, readById, seenValue } from '../arrange/requests.ts';
import { createRecord, pathOf } from '../arrange/target.ts';
import { describeStatus } from '../laws/expect-status.ts';
import { firstPosition, positionParameter, queryKey } from '../laws/list-page.ts';
import { leadsOn } from '../laws/next-page.ts';
import { MOST_EMPTY } from '../laws/pages.ts';
import type { Trial } from '../run/trial.ts';
import type { Data } from '../send/wire.ts';
import { type Case, type Family, makeCase, slugOf } from './case.ts';

/** Pages after the first have other records, and all pages together have each record. */
export const pages: Family = (contract, settings) =>
  listedResources(contract.resources).flatMap((listed) => {
    const ways = [...byPosition(listed), ...byNext(listed)];
    if (ways.length === 0) return [];
    const create = settings.writes && listed.resource.actions.create !== undefined;
    return [walked(listed, ways, create)];
  });

/** A way from page to page. */
interface Way {
  readonly name: string;
  readonly walk: (trial: Trial, path: Data, size: number | undefined) => Promise<void>;
}

/** A longer walk would show nothing new. */
const MOST_PAGES = 6;

/** For each way, including records to be created. */
const MOST_REQUESTS = 45;

/** Walks twice through all pages, between two lists of what exists: so concurrent changes by others can be detected. */
function walked(listed: Listed, ways: readonly Way[], create: boolean): Case {
  const { operation, resource } = listed;
  const title = `the pages by ${ways.map(({ name }) => name).join(' and ')} hold each record once`;
  const drive = async (trial: Trial) => {
    const ownId = create ? (await createRecord(trial, resource)).id : undefined;
    const readOwn = async () => ownId !== undefined && readById(trial, resource, ownId);
    const path = await pathOf(trial, operation);
    for (const { walk } of ways)
      await trial.settle(async () => {
        await readOwn();
        const records = await askLongList(trial, listed);
        const size = sizeFor(listed, records);
        await walk(trial, path, size);
        await walk(trial, path, size);
        await askLongList(trial, listed);
        await readOwn();
      });
  };
  return makeCase(listed, 'pages', title, drive, { unsafe: create, requests: ways.length * MOST_REQUESTS });
}

/** By a page number or offset that the client computes. */
function byPosition({ resource, form, operation, status }: Listed): Way[] {
  const position = positionParameter(resource);
  if (!position || !resource.id || !(form.pageSize || position === form.page)) return [];
  return [
    {
      name: position.name,
      async walk(trial, path, size) {
        const first = firstPosition(position, form) ?? 1;
        const step = position === form.page ? 1 : (size ?? 1);
        for (let index = 0; index < MOST_PAGES; index++) {
          const { evidence } = await trial.send(operation, {
            path,
            query: { ...sized(form, size), [position.name]: first + index * step },
            // Nothing is promised of a page behind the last one.
            expected: { status, or4xx: index > 0 },
          });
          const { length = 0 } = evidence.page?.records ?? [];
          if (length < (size ?? 1)) return;
        }
      },
    },
  ];
}

/** By what each page says of the next one. */
function byNext({ resource, form, operation, status }: Listed): Way[] {
  const name = leadsOn(resource);
  if (name === undefined) return [];
  return [
    {
      name,
      async walk(trial, path, size) {
        let query: Data = sized(form, size);
        const asked = new Set<string>();
        for (let [full, empty] = [0, 0]; full < MOST_PAGES && empty < MOST_EMPTY; ) {
          asked.add(queryKey(query));
          const { evidence } = await trial.send(operation, { path, query, expected: { status } });
          const { records = [], next } = evidence.page ?? {};
          if (!next?.query || asked.has(queryKey(next.query))) return;
          query = next.query;
          if (records.length === 0) empty += 1;
          else full += 1;
        }
      },
    },
  ];
}

function sized({ pageSize }: ListForm, size: number | undefined): Data {
  return pageSize && size !== undefined ? { [pageSize.name]: size } : {};
}

/** A page size for about three pages. */
function sizeFor({ form }: Listed, { length }: readonly Data[]): number | undefined {
  const { pageSize } = form;
  if (!pageSize) return undefined;
  const [least, greatest] = sizeRange(pageSize);
  const isWhole = length < Number(Object.values(greatestPage(form))[0] ?? Number.POSITIVE_INFINITY);
  const size = isWhole ? Math.ceil((length + 1) / 3) : Math.ceil(length / 2);
  return Math.max(least, Math.min(size, greatest));
}

/** Page sizes are respected: the minimum, the maximum and the default. */
export const pageSizes: Family = (contract) =>
  listedResources(contract.resources).flatMap((listed) => {
    const { pageSize } = listed.form;
    if (!pageSize) return [];
    return [
      ...bounds(pageSize).map(([title, limit]) => keeps(listed, pageSize, title, limit)),
      ...defaultPage(listed, pageSize),
    ];
  });

function bounds(parameter: Parameter): [title: string, limit: number][] {
  const [least, greatest] = sizeRange(parameter);
  return [
    ['least', least],
    ['next-to-least', least + 1],
    ...(greatest > least + 1 && Number.isFinite(greatest)
      ? [['greatest', greatest] as [string, number]]
      : []),
  ];
}

/** The least and the greatest page size; infinite: any. */
export function sizeRange(parameter: Parameter): [least: number, greatest: number] {
  const { low, high } = countShape(parameter)?.range ?? {};
  const greatest = Number(high?.value ?? Number.POSITIVE_INFINITY);
  const isExact = greatest <= Number.MAX_SAFE_INTEGER;
  return [Math.max(1, Number(low?.value ?? 1)), isExact ? greatest : Number.POSITIVE_INFINITY];
}

function keeps(listed: Listed, parameter: Parameter, title: string, limit: number): Case {
  const says = `${parameter.name}=${limit} gives at most ${limit}`;
  return makeCase(listed, `${parameter.name}-${title}`, says, (trial) =>
    askList(trial, listed, { [parameter.name]: limit }),
  );
}

function defaultPage(listed: Listed, parameter: Parameter): Case[] {
  const keyword = countShape(parameter)?.find('default');
  if (typeof keyword?.value !== 'number') return [];
  const limit = keyword.value;
  const title = `omitting ${parameter.name} equals ${limit}`;
  return [
    makeCase(listed, `${parameter.name}-default`, title, (trial) =>
      trial.settle(async () => {
        await askList(trial, listed, { [parameter.name]: limit });
        await askList(trial, listed);
      }),
    ),
  ];
}

/** A value of a query parameter, or its absence. */
interface Choice {
  readonly name: string;
  /** For people and ids; undefined: the parameter is absent. */
  readonly title: string | undefined;
  readonly valueFor: (trial: Trial) => Promise<unknown>;
  /** The meaning of the parameter is known: a service has no reason to reject it in combinations. */
  readonly understood: boolean;
}

/**
 * Combinations of a list's query parameters, each with its values and absent: any two values of two parameters occur in
 * one request. The rules judge the resulting lists.
 */
export const combinations: Family = (contract) =>
  listedResources(contract.resources).flatMap((listed) => [
    ...pairwise(choicesOf(listed)).flatMap((row) => together(listed, row)),
    ...sizeLeftOut(listed),
  ]);

function choicesOf(listed: Listed): Choice[][] {
  return listed.operation.parameters
    .filter(({ in: place }) => place === 'query')
    .flatMap((parameter) => {
      const choices = choicesFor(listed, parameter);
      const absent: Choice = { ...fixed(parameter, undefined), title: undefined };
      return choices.length > 0 ? [parameter.required ? choices : [absent, ...choices]] : [];
    });
}

/** More values would cost too many requests. */
const MOST_VALUES = 4;

function choicesFor(listed: Listed, parameter: Parameter): Choice[] {
  const { form } = listed;
  const { shape, name } = parameter;
  if (countShape(parameter) && parameter === form.pageSize)
    return sizes(parameter).map((size) => fixed(parameter, size));
  if (parameter === positionParameter(listed.resource)) {
    const first = firstPosition(parameter, form) ?? 1;
    return [first, first + 1].map((position) => fixed(parameter, position));
  }
  const filter = form.filters.find((one) => one.parameter === parameter);
  const values = shape.values ?? shape.items?.values ?? (shape.mainType === 'boolean' ? [true, false] : []);
  const choices = values.slice(0, MOST_VALUES).map((value) => {
    const sent = shape.mainType === 'array' ? [value] : value;
    return {
      ...fixed(parameter, sent),
      title: `${name}=${value}`,
      understood: filter?.certainty === 'promised',
    };
  });
  if (choices.length > 0) return choices;
  return filter ? [seen(listed, filter)] : told(parameter);
}

function fixed({ name }: Parameter, value: unknown): Choice {
  return { name, title: `${name}=${value}`, valueFor: async () => value, understood: true };
}

/** The minimum, a middle value and the maximum. */
function sizes(parameter: Parameter): number[] {
  const [least, greatest] = sizeRange(parameter);
  return [...new Set([least, Math.min(least + 4, greatest), greatest].filter(Number.isFinite))];
}

/** A value from an existing record. */
function seen({ resource }: Listed, filter: Filter): Choice {
  const { name, shape } = filter.parameter;
  return {
    name,
    title: name,
    understood: filter.certainty === 'promised',
    async valueFor(trial) {
      const value = await seenValue(trial, resource, filter);
      return value !== undefined && shape.mainType === 'array' ? [value] : value;
    },
  };
}

/** The values of any other parameter, which only the user can know. */
function told(parameter: Parameter): Choice[] {
  const { name, shape } = parameter;
  return [{ name, title: name, understood: false, valueFor: async (trial) => readValue(trial, name, shape) }];
}

function together(listed: Listed, row: readonly Choice[]): Case[] {
  const { operation, status, resource, form } = listed;
  const present = row.filter(({ title }) => title !== undefined);
  // Other cases send single parameters, but not the position.
  const position = positionParameter(resource)?.name;
  if (present.length < 2 && !present.some(({ name }) => name === position)) return [];
  const what = present.map(({ title }) => title).join(' and ');
  const slug = `with-${slugOf(what)}`;
  return [
    makeCase(listed, slug, `${what} together keep what each promises`, async (trial) => {
      const values = await Promise.all(
        present.map(async (choice) => [choice.name, await choice.valueFor(trial)] as const),
      );
      const query = Object.fromEntries(values.filter(([, value]) => value !== undefined));
      const isPlain = present.every(({ understood }) => understood) && !(form.offset && form.page);
      // Nothing is promised of a page behind the last one.
      const or4xx = !isPlain || (position !== undefined && position in query);
      const { sound, response } = await trial.send(operation, {
        path: await pathOf(trial, operation),
        query,
        expected: { status, or4xx },
      });
      if (sound && response.status !== status) trial.leaveOpen(`${what}: ${describeStatus(response)}`);
    }),
  ];
}

/** A filter without a page size has the default one. */
function sizeLeftOut(listed: Listed): Case[] {
  const { pageSize, filters } = listed.form;
  const limit = pageSize && countShape(pageSize)?.find('default')?.value;
  if (!pageSize || typeof limit !== 'number') return [];
  return filters.flatMap(({ parameter }) =>
    choicesFor(listed, parameter).map((choice) => {
      const slug = `${slugOf(pageSize.name)}-default-with-${slugOf(choice.title ?? choice.name)}`;
      const title = `omitting ${pageSize.name} beside ${choice.title} equals ${limit}`;
      return makeCase(listed, slug, title, async (trial) => {
        const value = await choice.valueFor(trial);
        if (value === undefined) return;
        const query = { [choice.name]: value };
        await trial.settle(async () => {
          await askList(trial, listed, { ...query, [pageSize.name]: limit });
          await askList(trial, listed, query);
        });
      });
    }),
  );
}

/**
 * Generates rows with one value for each factor, such that any two values of different factors occur together in a row.
 * Each row starts from a pair that no earlier row has, and takes for every other factor the value with most new pairs.
 */
export function pairwise<T>(factors: readonly (readonly T[])[]): T[][] {
  const rows: number[][] = [];
  const keyOf = (one: number, value: number, other: number, otherValue: number) =>
    one < other ? `${one}:${value} ${other}:${otherValue}` : `${other}:${otherValue} ${one}:${value}`;
  const choices = factors.flatMap((values, factor) => values.map((_, value) => [factor, value] as const));
  const missing = new Set(
    choices.flatMap(([one, value]) =>
      choices.flatMap(([other, chosen]) => (one < other ? [keyOf(one, value, other, chosen)] : [])),
    ),
  );
  for (let [seed] = missing; seed !== undefined; [seed] = missing) {
    const row = new Map(seed.split(' ').map((part) => part.split(':').map(Number) as [number, number]));
    factors.forEach((values, factor) => {
      if (row.has(factor)) return;
      const gain = (value: number) =>
        [...row].filter(([other, chosen]) => missing.has(keyOf(factor, value, other, chosen))).length;
      const gains = values.map((_, value) => gain(value));
      row.set(factor, gains.indexOf(Math.max(...gains)));
    });
    for (const [one, value] of row)
      for (const [other, chosen] of row) missing.delete(keyOf(one, value, other, chosen));
    rows.push(factors.map((_, factor) => row.get(factor) as number));
  }
  if (rows.length === 0 && factors.length === 1) return (factors[0] ?? []).map((value) => [value]);
  return rows.map((row) => row.map((value, factor) => factors[factor]?.[value] as T));
}
