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
  once,
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
import type { ResponseContent } from '../../http/exchange.ts';
import type { Outcome } from '../../http/refusal.ts';
import { mediaContent, mediaText, responseType, successForm } from '../../http/representations.ts';
import { SMALLEST_FILES } from '../../http/smallest-files.ts';
import { drawPicture } from '../../pictures/picture.ts';
import { formOf } from '../forms.ts';
import { withOldReadOnly, withoutWriteOnly } from '../one-way.ts';
import type { OperationContext, Task } from './action.ts';
import { without } from './transitions.ts';

const TRIES = 5;

/**
 * Responds with the document's first example, else with a sample of the schema, for operations without an action; shows the
 * members that the request sent, where the schema has them, and those of the record on which it acts.
 */
export function compileSample(context: OperationContext): (task: Task, record?: Data) => Outcome {
  const { status } = successForm(context.operation);
  const body = sampleBody(context);
  const withGiven = compileEcho(context);
  return ({ values: { parameters, body: sent } }, record = {}) => {
    const sampled = { status, ...body() };
    if (!withGiven || typeof sampled.body !== 'string') return sampled;
    // An `id` in the path is the id of what the path names, and need not be that of the response.
    const { id, ...path } = parameters.path;
    const values = { ...record, ...parameters.query, ...path, ...(isRecord(sent) ? sent : {}) };
    return { ...sampled, body: withGiven(sampled.body, values) };
  };
}

/** Compiles showing sent members. Undefined: the response is no JSON object, or the request has nothing to show. */
function compileEcho({ operation, seeds }: OperationContext) {
  const { media } = successForm(operation);
  const { shape } = media ?? {};
  if (!media || !shape || !isJsonType(sentType(media))) return undefined;
  if (!operation.body && operation.parameters.length === 0) return undefined;

  /** The sent members that fit; of an object that does not fit as a whole, such as an envelope, those that fit inside. */
  function shownIn({ properties }: Shape, values: Data, sampled: unknown): Data {
    const entries = Object.entries(values).flatMap(([written, sent]): [string, unknown][] => {
      const name = findNamed(properties.keys(), written) ?? '';
      const member = properties.get(name);
      if (!member || member.readOnly || member.writeOnly) return [];
      const old = isRecord(sampled) ? ownEntry(sampled, name) : undefined;
      const value = withOldReadOnly({ kept: member }, withoutWriteOnly(member, sent), old);
      if (fullyFits(member, value)) return [[name, value]];
      return isRecord(value) && isRecord(old) ? [[name, { ...old, ...shownIn(member, value, old) }]] : [];
    });
    // A member that the request did not send may be an envelope around sent members.
    const around = [...properties].flatMap(([name, member]): [string, unknown][] => {
      const object = isRecord(sampled) && !Object.hasOwn(values, name) ? sampled[name] : undefined;
      const inner = isRecord(object) && member.mainType === 'object' ? shownIn(member, values, object) : {};
      return isRecord(object) && Object.keys(inner).length > 0 ? [[name, { ...object, ...inner }]] : [];
    });
    return Object.fromEntries([...around, ...entries]);
  }

  const agree = compileAgreeing(shape);

  return (text: string, values: Data): string => {
    if (Object.keys(values).length === 0) return text;
    const sampled = parseJson(text);
    const form = formOf(shape, values);
    const base =
      isRecord(sampled) && formOf(shape, sampled) === form
        ? sampled
        : seeds.sampled(form, { isShown: true }, operation.id);
    const echoed = shownIn(form, values, base);
    if (!isRecord(sampled) || Object.keys(echoed).length === 0) return text;
    const joined = { ...(isRecord(base) && base), ...echoed };
    const agreed = agree?.(joined) ?? joined;
    return fullyFits(shape, agreed) ? stringifyJson(agreed) : text;
  };
}

/** The documented body, made on first use. */
export function sampleBody(context: OperationContext) {
  return mediaBody(context, successForm(context.operation).media);
}

/** The name and value of the example for a response. Undefined: none fits its schema. */
export function exampleOf(media: MediaType): readonly [name: string, value: unknown] | undefined {
  const examples = [...media.examples].filter(([, one]) => fits(media, one));
  return (media.isJson ? undefined : examples.find(([, one]) => typeof one === 'string')) ?? examples[0];
}

/** The schema takes precedence over an example that violates it. */
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

interface Made extends Pick<ResponseContent, 'shows'> {
  readonly type: string | undefined;
  readonly body: string | Uint8Array;
}

/** The body for one media type of the response, made on first use; for text an example, if there is one. */
export function mediaBody(context: OperationContext, media: MediaType | undefined): () => Made {
  const { operation, seeds } = context;
  /** With several forms, a sample of one form may violate `oneOf` by fitting another: try a further one. */
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

  function bodyOf(media: MediaType, shape: Shape): unknown {
    const made = fitting(media, shape);
    const value = (isRecord(made) && compileAgreeing(shape)?.(made)) || made;
    if (successForm(operation).media !== media || !isRecord(value)) return value;
    const saying = withConstants(value, operation, false);
    return fits(media, saying) ? saying : value;
  }

  function make(media: MediaType): Made {
    const { shape } = media;
    const type = responseType(media);
    const example = exampleOf(media);
    const value = example ? example[1] : shape && bodyOf(media, shape);
    const file = showsItself(media) ? undefined : fileOf(context, media, [value].flat());
    return { type, body: file ?? mediaContent(media, value), shows: { media, example: example?.[0] } };
  }
  return once(() => (media ? make(media) : { type: undefined, body: '' }));
}

/** Adds what a response always shows: to the object around records all of its members, to others those that they have. */
export function withConstants(
  body: Data,
  operation: OperationContext['operation'],
  isEnvelope: boolean,
): Data {
  const documented = operation.said.facts.says ?? {};
  const constants = Object.entries(saysOf(operation, isEnvelope)).filter(
    ([name]) => isEnvelope || valueAt(body, name.split('.')) !== undefined || Object.hasOwn(documented, name),
  );
  return constants.reduce(
    (all, [name, value]) =>
      withValueAt(all, Object.hasOwn(all, name) ? [name] : name.split('.'), () => value) as typeof body,
    without(unsaidBy(operation), body),
  );
}

/** The records of a JSON body as a file of another media type. Undefined: it has none, or the media type cannot show them. */
export function recordsFile(
  context: OperationContext,
  media: MediaType,
  body: string,
): string | Uint8Array | undefined {
  if (essenceOf(media.type) !== 'text/csv') return undefined;
  const value = parseJson(body);
  const lists = isRecord(value) ? Object.values(value) : [value];
  const records = (lists.find((list): list is unknown[] => Array.isArray(list)) ?? [value]).filter(isRecord);
  if (!showsItself(media)) return fileOf(context, media, records);
  // An example in the document says which members are columns.
  const [, example] = exampleOf(media) ?? [];
  const columns = typeof example === 'string' ? (example.split(/\r?\n/, 1)[0] ?? '').split(',') : [];
  const isTable =
    columns.length > 1 && columns.every((name) => records.some((record) => Object.hasOwn(record, name)));
  return isTable ? csvOf(records, columns) : undefined;
}

const HTML = '<!doctype html>\n<meta charset="utf-8">\n<title>Sample</title>\n<p>Sample</p>\n';

/** A valid file with the operation and its response. Undefined: the media type is not supported. */
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

/** A row for each record (RFC 4180). Default for the columns: each member that a record has. */
function csvOf(records: readonly unknown[], named?: readonly string[]): string {
  const rowRecords = records.filter(isRecord);
  const columns = named ?? [...new Set(rowRecords.flatMap((record) => Object.keys(record)))];
  const rows = [columns, ...rowRecords.map((record) => columns.map((name) => cellOf(record[name])))];
  return rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : stringifyJson(value);
}

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Keywords that restrict a text to certain values. */
const CLOSING = ['default', 'format', 'maxLength', 'pattern'];

/** Whether the document itself shows the bytes or characters of a body, or restricts them. */
export function showsItself(media: MediaType): boolean {
  const { type, isJson, shape, examples } = media;
  if (isXml(media)) return true;
  const isText = type.startsWith('text/') && essenceOf(type) !== 'text/csv';
  // Text in a document is no picture.
  const isShown = [...examples.values()].some(
    (example) => type.startsWith('text/') || typeof example !== 'string',
  );
  if (isJson || isShown) return true;
  if (!shape) return false;
  if (isText && shape.mainType !== 'string') return true;
  const says = (isText ? [...CLOSING, 'minLength'] : CLOSING).some(
    (name) => (shape.find(name)?.value ?? 'binary') !== 'binary',
  );
  return says || shape.values !== undefined || (isText && shape.examples.length > 0);
}
