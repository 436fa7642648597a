import { countShape, type ListForm, type Parameter } from '#spec';
import { greatestPage, type Listed, listedResources } from '../arrange/lists.ts';
import { askList, askLongList, readById } from '../arrange/requests.ts';
import { createRecord, pathOf } from '../arrange/target.ts';
import { firstPosition, positionParameter } from '../laws/list-page.ts';
import { leadsOn, queryKey } from '../laws/next-page.ts';
import { MOST_EMPTY } from '../laws/pages.ts';
import type { Trial } from '../run/trial.ts';
import { type Case, type Family, makeCase } from './case.ts';

type Data = Readonly<Record<string, unknown>>;

/** Pages after the first hold other records, and all pages together hold each record. */
export const pages: Family = (contract, settings) =>
  listedResources(contract.resources).flatMap((listed) => {
    const ways = [...byPosition(listed), ...byNext(listed)];
    if (ways.length === 0) return [];
    const create = settings.writes && listed.resource.actions.create !== undefined;
    return [walked(listed, ways, create)];
  });

/** How a client gets from page to page. */
interface Way {
  readonly name: string;
  readonly walk: (trial: Trial, path: Data, size: number | undefined) => Promise<void>;
}

/** A longer walk would only show more of the same. */
const MOST_PAGES = 6;

/** For each way to walk, records to be made among them. */
const MOST_REQUESTS = 45;

/** Twice through all pages, between two looks at what is there: that nobody else has written meanwhile can be told. */
function walked(listed: Listed, ways: readonly Way[], create: boolean): Case {
  const { operation, success, resource } = listed;
  const title = `the pages by ${ways.map(({ name }) => name).join(' and ')} hold each record once`;
  const one = makeCase(
    operation,
    success,
    'pages',
    title,
    async (trial) => {
      const own = create ? (await createRecord(trial, resource)).id : undefined;
      const readOwn = async () => own !== undefined && readById(trial, resource, own);
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
    },
    create,
  );
  return { ...one, requests: ways.length * MOST_REQUESTS };
}

/** A page number, or an offset, that the client counts itself. */
function byPosition({ resource, form, operation, success }: Listed): Way[] {
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
            expected: { status: success, or4xx: index > 0 },
          });
          const { length = 0 } = evidence.page?.records ?? [];
          if (length < (size ?? 1)) return;
        }
      },
    },
  ];
}

/** What each page says of the next one. */
function byNext({ resource, form, operation, success }: Listed): Way[] {
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
          const { evidence } = await trial.send(operation, { path, query, expected: { status: success } });
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

/** So that there are about three pages. */
function sizeFor({ form }: Listed, { length }: readonly Data[]): number | undefined {
  const { pageSize } = form;
  if (!pageSize) return undefined;
  const { low, high } = countShape(pageSize)?.range ?? {};
  const isWhole = length < Number(Object.values(greatestPage(form))[0] ?? Number.POSITIVE_INFINITY);
  const size = isWhole ? Math.ceil((length + 1) / 3) : Math.ceil(length / 2);
  return Math.max(Number(low?.value ?? 1), 1, Math.min(size, Number(high?.value ?? size)));
}

/** A page size is kept: the least, the greatest and the default. */
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
  const { low, high } = countShape(parameter)?.range ?? {};
  const least = Math.max(1, Number(low?.value ?? 1));
  const greatest = high && high.value <= Number.MAX_SAFE_INTEGER ? Number(high.value) : undefined;
  return [
    ['least', least],
    ['next-to-least', least + 1],
    ...(greatest !== undefined && greatest > least + 1
      ? ([['greatest', greatest]] as [string, number][])
      : []),
  ];
}

function keeps(listed: Listed, parameter: Parameter, title: string, limit: number): Case {
  const says = `${parameter.name}=${limit} gives at most ${limit}`;
  return makeCase(listed.operation, listed.success, `${parameter.name}-${title}`, says, (trial) =>
    askList(trial, listed, { [parameter.name]: limit }),
  );
}

function defaultPage(listed: Listed, parameter: Parameter): Case[] {
  const found = countShape(parameter)?.find('default');
  if (typeof found?.value !== 'number') return [];
  const limit = found.value;
  const title = `omitting ${parameter.name} equals ${limit}`;
  return [
    makeCase(listed.operation, listed.success, `${parameter.name}-default`, title, (trial) =>
      trial.settle(async () => {
        await askList(trial, listed, { [parameter.name]: limit });
        await askList(trial, listed);
      }),
    ),
  ];
}
