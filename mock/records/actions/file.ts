import { essenceOf, isRecord, isXml, type MediaType, parseJson, type Resource, sentType } from '#spec';
import { tableOf } from '../../files/table.ts';
import { andThen } from '../../http/exchange.ts';
import { successForm } from '../../http/representations.ts';
import type { Act, ActionContext } from './action.ts';

type Context = Omit<ActionContext, 'collection'>;

/** Media types that show records. */
const OF_RECORDS =
  /^(?:text\/csv|application\/(?:zip|x-zip-compressed|vnd\.openxmlformats-officedocument\.spreadsheetml\.sheet))$/;

/** Responds with a file of the records of a collection that the path names: `/orders/export`. Undefined: it names none. */
export function compileRecordsFile(context: Context): Act | undefined {
  const { operation, collections } = context;
  const { status, media } = successForm(operation);
  if (!media || operation.method !== 'GET' || !OF_RECORDS.test(essenceOf(media.type))) return undefined;
  const resource = namedIn(operation.path, [...collections.keys()]);
  const collection = resource && collections.get(resource);
  if (!collection || showsItself(media)) return undefined;
  const isBelow = operation.path.startsWith(`${resource.path}/`);
  const all = { offset: 0, limit: Number.POSITIVE_INFINITY };
  return ({ values, store }) => {
    const where = isBelow ? collection.scopeFrom(values.parameters.path) : [];
    return andThen(store.list(collection, { ...all, where }), ({ text }) => {
      const body = fileOf(context, media, parseJson(text) as readonly unknown[]) ?? '';
      return { status, type: sentType(media), body };
    });
  };
}

/** Of several the one that the path is below, or else that has the most of it. */
function namedIn(path: string, resources: readonly Resource[]): Resource | undefined {
  const names = path.split(/[/.]/);
  const named = resources.filter((one) => names.includes(one.path.split('/').at(-1) ?? ''));
  const rank = (one: Resource) => (path.startsWith(`${one.path}/`) ? 1000 : 0) + one.path.length;
  return named.toSorted((one, other) => rank(other) - rank(one))[0];
}

/** The records that a JSON body has, as a file of another media type. Undefined: it has none, or the type shows none. */
export function recordsFile(
  context: Context,
  media: MediaType,
  body: string,
): string | Uint8Array | undefined {
  if (!OF_RECORDS.test(essenceOf(media.type)) || showsItself(media)) return undefined;
  const value = parseJson(body);
  const lists = isRecord(value) ? Object.values(value) : [value];
  const records = lists.find((one): one is unknown[] => Array.isArray(one)) ?? [value];
  return fileOf(context, media, records);
}

/** A valid file about an operation and what it responds with. Undefined: the mock can make none of this media type. */
export function fileOf(
  { operation, seeds, sampleFile }: Pick<Context, 'operation' | 'seeds' | 'sampleFile'>,
  media: MediaType,
  records: readonly unknown[],
): string | Uint8Array | undefined {
  const title = operation.summary ?? operation.id;
  const text = `${operation.method} ${operation.path}`;
  const shown = records.some(isRecord) ? records : [{ title, source: text }];
  const key = seeds.keyOf(operation.id);
  return sampleFile?.(essenceOf(sentType(media)), { key, title, text, table: tableOf(shown) });
}

/** What says of a text that only some will do. */
const CLOSING = ['default', 'format', 'maxLength', 'pattern'];

/** Whether the document itself shows, or says, what the bytes or characters of a body are. */
export function showsItself(media: MediaType): boolean {
  const { type, isJson, shape, examples } = media;
  if (isXml(media)) return true;
  const isText = /^text\/(?!csv)/.test(type);
  // No text of a document is a picture.
  const isShown = [...examples.values()].some((one) => type.startsWith('text/') || typeof one !== 'string');
  if (isJson || isShown) return true;
  if (!shape) return false;
  if (isText && shape.mainType !== 'string') return true;
  const says = (isText ? [...CLOSING, 'minLength'] : CLOSING).some(
    (name) => (shape.find(name)?.value ?? 'binary') !== 'binary',
  );
  return says || shape.values !== undefined || (isText && shape.examples.length > 0);
}
