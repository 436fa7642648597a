import {
  compileAgreeing,
  type Data,
  decodeBody,
  essenceOf,
  findNamed,
  formatOf,
  fromLatin1,
  fullyFits,
  isJsonType,
  isRecord,
  isXml,
  type MediaType,
  ownEntry,
  parseJson,
  type Shape,
  saysOf,
  sentType,
  stringifyJson,
  unsaidBy,
  valueAt,
  withValueAt,
} from '#spec';
import { once } from '../../http/memoize.ts';
import { mediaContent, mediaText, responseType, successForm } from '../../http/representations.ts';
import { SMALLEST_FILES } from '../../http/smallest-files.ts';
import { drawPicture } from '../../pictures/picture.ts';
import { formOf } from '../forms.ts';
import { withOldReadOnly, withoutWriteOnly } from '../one-way.ts';
import type { Act, OperationContext } from './action.ts';
import { without } from './transitions.ts';

const TRIES = 5;

/**
 * Responds with the document's first example, else with a sample of the schema, where no action can be inferred; with
 * the members of the request's body in the place of its own, where the schema has them.
 */
export function compileSample(context: OperationContext): Act {
  const { status } = successForm(context.operation);
  const body = sampleBody(context);
  const withGiven = compileEcho(context);
  return ({ values: { parameters, body: sent } }) => {
    const sampled = { status, ...body() };
    if (!withGiven || typeof sampled.body !== 'string') return sampled;
    // An `id` in the path is that of what the path names.
    const { id, ...path } = parameters.path;
    const given = { ...parameters.query, ...path, ...(isRecord(sent) ? sent : {}) };
    return { ...sampled, body: withGiven(sampled.body, given) };
  };
}

/** Undefined: the response is no JSON object, or the request says nothing that it could show. */
function compileEcho({ operation, seeds }: OperationContext) {
  const { media } = successForm(operation);
  const { shape } = media ?? {};
  if (!media || !shape || !isJsonType(sentType(media))) return undefined;
  if (!operation.body && operation.parameters.length === 0) return undefined;

  /** Where an object does not fit as a whole, such as the one around a record, what fits of it. */
  function shownIn({ properties }: Shape, given: Data, sampled: unknown): Data {
    const shown = Object.entries(given).flatMap(([written, sent]): [string, unknown][] => {
      const name = findNamed(properties.keys(), written) ?? '';
      const member = properties.get(name);
      if (!member || member.readOnly || member.writeOnly) return [];
      const own = isRecord(sampled) ? ownEntry(sampled, name) : undefined;
      const value = withOldReadOnly({ kept: member }, withoutWriteOnly(member, sent), own);
      if (fullyFits(member, value)) return [[name, value]];
      return isRecord(value) && isRecord(own) ? [[name, { ...own, ...shownIn(member, value, own) }]] : [];
    });
    // What nothing was sent for may hold what was: the record in an envelope.
    const around = [...properties].flatMap(([name, member]): [string, unknown][] => {
      const own = isRecord(sampled) && !Object.hasOwn(given, name) ? sampled[name] : undefined;
      const inner = isRecord(own) && member.mainType === 'object' ? shownIn(member, given, own) : {};
      return isRecord(own) && Object.keys(inner).length > 0 ? [[name, { ...own, ...inner }]] : [];
    });
    return Object.fromEntries([...around, ...shown]);
  }

  const agree = compileAgreeing(shape);

  return (text: string, given: Data): string => {
    if (Object.keys(given).length === 0) return text;
    const sampled = parseJson(text);
    const form = formOf(shape, given);
    const own =
      isRecord(sampled) && formOf(shape, sampled) === form
        ? sampled
        : seeds.sampled(form, { isShown: true }, operation.id);
    const shown = shownIn(form, given, own);
    if (!isRecord(sampled) || Object.keys(shown).length === 0) return text;
    const joined = { ...(isRecord(own) && own), ...shown };
    const agreed = agree?.(joined) ?? joined;
    return fullyFits(shape, agreed) ? stringifyJson(agreed) : text;
  };
}

/** The documented body, made on first use. */
export function sampleBody(context: OperationContext) {
  return mediaBody(context, successForm(context.operation).media);
}

/** The example, by its name, that a sampled response has; undefined: none fits what the document says. */
export function exampleOf(media: MediaType): readonly [name: string, value: unknown] | undefined {
  const shown = [...media.examples].filter(([, one]) => fits(media, one));
  return (media.isJson ? undefined : shown.find(([, one]) => typeof one === 'string')) ?? shown[0];
}

/** What the document shows may be against what it says; then what it says counts. */
function fits(media: MediaType, example: unknown): boolean {
  const { schema, shape, isJson, type } = media;
  const format = formatOf(type, shape);
  const isText = format === 'text' || (format === 'xml' && typeof example === 'string');
  if (!schema || !shape || !(isJson || isText || format === 'xml')) return true;
  const decoded = isText
    ? decodeBody(media, new TextEncoder().encode(mediaText(media, example)), type)
    : { value: example };
  return decoded !== undefined && 'value' in decoded && fullyFits(shape, decoded.value);
}

interface Made {
  readonly type: string | undefined;
  readonly body: string | Uint8Array;
}

/** The body in one of the media types of the response, made on first use; of a text an example, where there is one. */
export function mediaBody(context: OperationContext, media: MediaType | undefined): () => Made {
  const { operation, seeds } = context;
  /** Where a schema has several forms, a sample of one may fit another one as well: a further one may not. */
  function fitting(media: MediaType, shape: Shape): unknown {
    const first = seeds.sampled(shape, { isShown: true, extent: 'full' }, operation.id);
    if (fits(media, first)) return first;
    for (let tried = 0; tried < 2 * TRIES; tried++) {
      const extent = tried < TRIES ? 'full' : 'least';
      const value = seeds.sampled(shape, { extent }, operation.id, ...(tried === 0 ? [] : [tried]));
      if (fits(media, value)) return value;
    }
    return first;
  }

  function said(media: MediaType, shape: Shape): unknown {
    const made = fitting(media, shape);
    const value = (isRecord(made) && compileAgreeing(shape)?.(made)) || made;
    if (successForm(operation).media !== media || !isRecord(value)) return value;
    const saying = withConstants(value, operation, false);
    return fits(media, saying) ? saying : value;
  }

  function make(media: MediaType): Made {
    const { shape } = media;
    const type = responseType(media);
    const shown = exampleOf(media);
    const value = shown ? shown[1] : shape && said(media, shape);
    const file = showsItself(media) ? undefined : fileOf(context, media, [value].flat());
    return { type, body: file ?? mediaContent(media, value) };
  }
  return once(() => (media ? make(media) : { type: undefined, body: '' }));
}

/** With what a response always says, in the members that it has, around records in all that there are. */
export function withConstants(
  shown: Data,
  operation: OperationContext['operation'],
  isEnvelope: boolean,
): Data {
  const said = operation.said.facts.says ?? {};
  const constants = Object.entries(saysOf(operation, isEnvelope)).filter(
    ([name]) => isEnvelope || valueAt(shown, name.split('.')) !== undefined || Object.hasOwn(said, name),
  );
  return constants.reduce(
    (all, [name, value]) =>
      withValueAt(all, Object.hasOwn(all, name) ? [name] : name.split('.'), () => value) as typeof shown,
    without(unsaidBy(operation), shown),
  );
}

/** The records that a JSON body has, as a file of another media type. Undefined: it has none, or the type shows none. */
export function recordsFile(
  context: OperationContext,
  media: MediaType,
  body: string,
): string | Uint8Array | undefined {
  if (essenceOf(media.type) !== 'text/csv') return undefined;
  const value = parseJson(body);
  const lists = isRecord(value) ? Object.values(value) : [value];
  const records = (lists.find((one): one is unknown[] => Array.isArray(one)) ?? [value]).filter(isRecord);
  if (!showsItself(media)) return fileOf(context, media, records);
  // An example of the document says which members are columns.
  const [, shown] = exampleOf(media) ?? [];
  const columns = typeof shown === 'string' ? (shown.split(/\r?\n/, 1)[0] ?? '').split(',') : [];
  const isTable =
    columns.length > 1 && columns.every((name) => records.some((one) => Object.hasOwn(one, name)));
  return isTable ? csvOf(records, columns) : undefined;
}

const HTML = '<!doctype html>\n<meta charset="utf-8">\n<title>Sample</title>\n<p>Sample</p>\n';

/** A valid file about an operation and what it responds with. Undefined: there is none of this media type. */
export function fileOf(
  { operation, seeds }: Pick<OperationContext, 'operation' | 'seeds'>,
  media: MediaType,
  records: readonly unknown[],
): string | Uint8Array | undefined {
  const type = essenceOf(responseType(media));
  const base64 = SMALLEST_FILES[type];
  if (base64 !== undefined) return fromLatin1(atob(base64));
  const { id, method, path } = operation;
  if (type === 'text/plain') return id;
  if (type === 'text/html') return HTML;
  if (type === 'text/csv')
    return csvOf(records.some(isRecord) ? records : [{ title: id, source: `${method} ${path}` }]);
  if (type !== 'image/svg+xml') return undefined;
  return drawPicture({ kind: 'image', key: seeds.keyOf(id), label: '', width: 320, height: 240 });
}

/** A row for each record (RFC 4180). Default of the columns: each member that one of them has. */
function csvOf(records: readonly unknown[], named?: readonly string[]): string {
  const known = records.filter(isRecord);
  const columns = named ?? [...new Set(known.flatMap((record) => Object.keys(record)))];
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
