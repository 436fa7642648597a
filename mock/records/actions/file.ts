import { essenceOf, isRecord, isXml, type MediaType, parseJson, stringifyJson } from '#spec';
import { responseType } from '../../http/representations.ts';
import { SMALLEST_FILES } from '../../http/smallest-files.ts';
import { drawPicture } from '../../pictures/picture.ts';
import type { ActionContext } from './action.ts';

type Context = Omit<ActionContext, 'collection'>;

/** The records that a JSON body has, as a file of another media type. Undefined: it has none, or the type shows none. */
export function recordsFile(
  context: Context,
  media: MediaType,
  body: string,
): string | Uint8Array | undefined {
  if (essenceOf(media.type) !== 'text/csv' || showsItself(media)) return undefined;
  const value = parseJson(body);
  const lists = isRecord(value) ? Object.values(value) : [value];
  const records = lists.find((one): one is unknown[] => Array.isArray(one)) ?? [value];
  return fileOf(context, media, records);
}

const HTML = '<!doctype html>\n<meta charset="utf-8">\n<title>Sample</title>\n<p>Sample</p>\n';

/** A valid file about an operation and what it responds with. Undefined: there is none of this media type. */
export function fileOf(
  { operation, seeds }: Pick<Context, 'operation' | 'seeds'>,
  media: MediaType,
  records: readonly unknown[],
): string | Uint8Array | undefined {
  const type = essenceOf(responseType(media));
  const base64 = SMALLEST_FILES[type];
  if (base64 !== undefined) return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const { id, method, path } = operation;
  if (type === 'text/plain') return id;
  if (type === 'text/html') return HTML;
  if (type === 'text/csv')
    return csvOf(records.some(isRecord) ? records : [{ title: id, source: `${method} ${path}` }]);
  if (type !== 'image/svg+xml') return undefined;
  return drawPicture({ kind: 'image', key: seeds.keyOf(id), label: '', width: 320, height: 240 });
}

/** A row for each record, with a column for each member that one of them has (RFC 4180). */
function csvOf(records: readonly unknown[]): string {
  const known = records.filter(isRecord);
  const columns = [...new Set(known.flatMap((record) => Object.keys(record)))];
  const rows = [columns, ...known.map((record) => columns.map((name) => cellOf(record[name])))];
  return rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : stringifyJson(value);
}

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** What says of a text that only some will do. */
const CLOSING = ['default', 'format', 'maxLength', 'pattern'];

/** Whether the document itself shows, or says, what the bytes or characters of a body are. */
export function showsItself(media: MediaType): boolean {
  const { type, isJson, shape, examples } = media;
  if (isXml(media)) return true;
  const isText = type.startsWith('text/') && essenceOf(type) !== 'text/csv';
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
