import { bodyMedia, type Contract, encodeBody, isRecord, type Resource, sample } from '../../spec/index.ts';
import { type Measured, responseTo } from './operations.ts';

/**
 * List, read, create, a 404 and a refused body of the first collection of a document that has all of them, each with the
 * status that the mock at the URL responds with.
 * @throws Error where the document has no such collection
 */
export async function operationsOf(
  contract: Contract,
  url: string,
): Promise<readonly [Measured, ...Measured[]]> {
  for (const resource of contract.resources) {
    const found = await tryResource(resource, url);
    if (found) return found;
  }
  throw new Error(`no collection of ${contract.title} can be listed, created and read without a parent`);
}

/** What no record has as its id, whatever type ids have. */
const UNKNOWN_ID = '999999999';

async function tryResource(
  { path, actions: { list, create, read }, id }: Resource,
  url: string,
): Promise<[Measured, ...Measured[]] | undefined> {
  if (!list || !create || !read || !id || path.includes('{') || create.path !== path) return undefined;
  const isRequired = [list, create].some(({ parameters }) => parameters.some(({ required }) => required));
  const media = bodyMedia(create.body);
  const shape = media?.shape;
  if (isRequired || !media || !shape || read.path !== `${path}/{${id.parameter}}`) return undefined;
  const valid = sample(shape, {
    key: 'bench',
    omit: ({ readOnly }) => readOnly,
    include: isAmongFirst(shape.properties),
  });
  const wrong = [...shape.properties].find(([, { mainType = '' }]) => MISTYPED.has(mainType))?.[0];
  if (!isRecord(valid) || wrong === undefined) return undefined;
  const bodyOf = (value: object) => {
    const { bytes, type } = encodeBody(media, value);
    return { body: Buffer.from(bytes).toString(), type };
  };
  const created = { name: 'create', path, ...bodyOf(valid), status: 201 };
  const made = await responseTo(url, created);
  const given = made.status < 300 ? JSON.parse(made.body)[id.property] : undefined;
  if (given === undefined || created.body === '') return undefined;
  const tried: readonly [Measured, ...Measured[]] = [
    { name: 'list', path, status: 200 },
    { name: 'read', path: `${path}/${given}`, status: 200 },
    { ...created, status: made.status },
    { name: '404', path: `${path}/${UNKNOWN_ID}`, status: 404 },
    { name: '400', path, ...bodyOf({ ...valid, [wrong]: 'not of this type' }), status: 400 },
  ];
  const statuses = await Promise.all(tried.map(async (one) => (await responseTo(url, one)).status));
  // Some documents have 422 in the place of 400.
  const isFit = statuses.every(
    (status, at) => Math.trunc(status / 100) === Math.trunc((tried[at]?.status ?? 0) / 100),
  );
  return isFit
    ? (tried.map((one, at) => ({ ...one, status: statuses[at] as number })) as [Measured])
    : undefined;
}

const MISTYPED = new Set(['integer', 'number', 'boolean', 'object', 'array']);

/** Optional members: a client sends some of them. */
const MOST_OPTIONAL = 3;

function isAmongFirst(properties: ReadonlyMap<string, unknown>): (name: string) => boolean {
  const first = new Set([...properties.keys()].slice(0, MOST_OPTIONAL));
  return (name) => first.has(name);
}
