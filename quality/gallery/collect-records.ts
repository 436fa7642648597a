import type { Mock } from '#mock';
import { BUILT_IN_KEY } from '#mock';
import {
  ancestorsOf,
  encodeParameter,
  familiesOf,
  idIn,
  isRecord,
  type Operation,
  parseJson,
  pathForm,
  queryPairs,
  type Resource,
  sample,
  valueAt,
} from '#spec';

export type Members = Readonly<Record<string, unknown>>;

/** The records of a collection, as the first page shows them to a client. */
export interface Shown {
  readonly resource: Resource;
  readonly records: readonly Members[];
  /** The request that showed them; undefined: no operation lists them, and they are as the mock keeps them. */
  readonly request: string | undefined;
  /** Of all records that there are. */
  readonly ids: ReadonlySet<string>;
}

/** What clients see of each collection of a mock that has just been started. */
export async function collectRecords(mock: Mock): Promise<Shown[]> {
  const families = familiesOf(mock.contract.resources);
  // What another path has the same records as is shown there.
  const resources = mock.contract.resources.filter((one) => !families.get(one)?.sharedWith);
  const kept = new Map<Resource, readonly Members[]>();
  for (const resource of resources) {
    const query = new URLSearchParams({ collection: resource.path, limit: '500' });
    const response = await mock.fetch(`${mock.controlUrl}/records?${query}`);
    // As it is kept, with a name in the place of the mock's own address.
    const text = (await response.text()).replaceAll('http://paddock.invalid', new URL(mock.url).origin);
    const { records } = parseJson(text) as { records: { record: Members }[] };
    kept.set(
      resource,
      records.map(({ record }) => record),
    );
  }
  return Promise.all(
    resources.map(async (resource): Promise<Shown> => {
      const records = kept.get(resource) ?? [];
      const ids = new Set(records.map((one) => String(resource.id && idIn(resource.id, one))));
      return {
        resource,
        ids,
        ...((await firstPage(mock, resource, kept)) ?? { records, request: undefined }),
      };
    }),
  );
}

/** Undefined: there is no list, it needs more than ids of records that are there, or it is empty. */
async function firstPage(
  mock: Mock,
  { actions, list }: Resource,
  kept: ReadonlyMap<Resource, readonly Members[]>,
): Promise<Pick<Shown, 'records' | 'request'> | undefined> {
  if (!actions.list || !list) return undefined;
  const path = pathWithIds(actions.list, kept);
  if (path === undefined) return undefined;
  const { query, headers } = requiredOf(actions.list);
  const response = await mock.fetch(`${path}${query}`, { headers });
  if (!response.ok || !response.headers.get('content-type')?.includes('json')) return undefined;
  const { within, member } = list;
  const answer = valueAt(
    parseJson(await response.text()),
    [within, member].flatMap((name) => name ?? []),
  );
  const records = Array.isArray(answer) ? answer.filter(isRecord) : [];
  return records.length > 0 ? { records, request: `GET ${path}${query}` } : undefined;
}

/** The path with the ids of the first records that it names; undefined: there are none. */
function pathWithIds(
  { path, parameters }: Operation,
  kept: ReadonlyMap<Resource, readonly Members[]>,
): string | undefined {
  const ancestors = ancestorsOf([...kept.keys()], path);
  let whole = true;
  const filled = path.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const { parent } = ancestors.find(({ parameter }) => parameter === name) ?? {};
    const [first] = (parent && kept.get(parent)) ?? [];
    const id = first && parent?.id ? idIn(parent.id, first) : undefined;
    const described = parameters.find((one) => one.in === 'path' && one.name === name);
    const value = id ?? (parent || !described ? undefined : sample(described.shape, { key: pathForm(path) }));
    whole &&= value !== undefined;
    return encodeURIComponent(String(value));
  });
  return whole ? filled : undefined;
}

/** The required parameters of an operation, and credentials that the mock accepts. */
function requiredOf({ parameters, security }: Operation) {
  const required = parameters
    .filter((one) => one.required)
    .map((one) => [one, sample(one.shape, { key: '' })] as const);
  const query = required
    .flatMap(([one, value]) => (one.in === 'query' ? queryPairs(one, value) : []))
    .map((pair) => pair.join('='));
  const headers: Record<string, string> = {};
  for (const [one, value] of required)
    if (one.in === 'header') headers[one.name] = encodeParameter(one, value).join();
  for (const { kind, in: place, name } of security[0] ?? []) {
    if (kind === 'bearer') headers.authorization = `Bearer ${BUILT_IN_KEY}`;
    else if (kind === 'basic') headers.authorization = `Basic ${btoa(`${BUILT_IN_KEY}:`)}`;
    else if (place === 'header') headers[name] = BUILT_IN_KEY;
    else if (place === 'cookie') headers.cookie = `${name}=${BUILT_IN_KEY}`;
    else query.push(`${name}=${BUILT_IN_KEY}`);
  }
  return { headers, query: query.length > 0 ? `?${query.join('&')}` : '' };
}
