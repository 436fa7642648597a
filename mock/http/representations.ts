import {
  type DocumentedResponse,
  encodeBody,
  essenceOf,
  explicitStatuses,
  isJsonType,
  isRecord,
  isXml,
  type MediaType,
  mediaTypeFor,
  messagesOf,
  type Operation,
  responseFor,
  Shape,
  sentType,
  streamFormatOf,
  stringifyJson,
  successOf,
  writeMessage,
} from '#spec';
import type { MockRequest, ResponseContent } from './exchange.ts';
import { SMALLEST_FILES } from './smallest-files.ts';

/** Status and media type of an operation's success response. */
interface SuccessForm {
  readonly status: number;
  /** Undefined: the response has no body. */
  readonly media: MediaType | undefined;
}

/** JSON is preferred where the document offers several types. */
export function successForm(operation: Operation): SuccessForm {
  const response = successOf(operation);
  const statuses = explicitStatuses(operation.responses);
  // Without a documented success, clients expect a redirect.
  const documented =
    statuses.find((status) => status >= 200 && status < 300) ??
    (response ? undefined : statuses.find((status) => status >= 300 && status < 400));
  const hasBody = response !== undefined && response.content.length > 0;
  const status = documented ?? (operation.method === 'POST' ? 201 : hasBody ? 200 : 204);
  return { status, media: response && preferredMedia(response) };
}

const CREATED = 201;

/** The form of a response to a write that may create a record, if it did (RFC 9110 §15.3.2). */
export function createdForm(operation: Operation): SuccessForm {
  const created = responseFor(operation.responses, CREATED);
  return created && created.key !== 'default'
    ? { status: CREATED, media: preferredMedia(created) }
    : successForm(operation);
}

/** Compiles the response that shows a record, from its text. */
export function compileRecordContent({ status, media }: SuccessForm): (text: string) => ResponseContent {
  const type = media && sentType(media);
  return (text) => ({ status, type, body: type === undefined ? '' : text, version: text });
}

export function preferredMedia({ content }: DocumentedResponse): MediaType | undefined {
  return mediaTypeFor(content, 'application/json') ?? content.find(({ isJson }) => isJson) ?? content[0];
}

/** The body for a value in a media type; bytes stay as they are. */
export function mediaContent(media: MediaType, value: unknown): string | Uint8Array {
  return value instanceof Uint8Array ? value : mediaText(media, value);
}

/** The text of a value in a media type; a text stays as it is, except in JSON. */
export function mediaText(media: MediaType, value: unknown): string {
  const isJson = isJsonType(sentType(media));
  if (!isJson && typeof value === 'string') return value;
  const format = isJson ? undefined : streamFormatOf(media.type);
  if (format)
    return messagesOf(format, value)
      .map((message) => writeMessage(format, message))
      .join('');
  const isShownXml = !media.schema && typeof value === 'object' && /[/+]xml$/.test(essenceOf(media.type));
  if (isShownXml) return xmlText(describedBy(media, value), value);
  return isXml(media) ? xmlText(media, value) : stringifyJson(value ?? null);
}

/** A media type without a schema, with one derived from its example, so that samples look like the example. */
export function describedBy(media: MediaType, example: unknown): MediaType {
  const schema = { ...media.spot, value: schemaOf(example) };
  return { ...media, schema, shape: Shape.of([schema]) };
}

function schemaOf(value: unknown): object {
  if (Array.isArray(value)) return { type: 'array', ...(value.length > 0 && { items: schemaOf(value[0]) }) };
  if (isRecord(value)) {
    const properties = Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, schemaOf(member)]),
    );
    return { type: 'object', required: Object.keys(value), properties };
  }
  if (typeof value === 'string' || typeof value === 'boolean') return { type: typeof value };
  return value === null ? {} : { type: Number.isInteger(Number(value)) ? 'integer' : 'number' };
}

/** The body as XML; a value that XML cannot represent becomes JSON text. */
export function xmlText(media: MediaType, value: unknown): string {
  return new TextDecoder().decode(encodeBody(media, value).bytes);
}

/** The media type of a response. Pictures are drawn as SVG text, unless the document has their bytes. */
export function responseType(media: MediaType): string {
  const isDrawn = essenceOf(media.type) === 'image/*' && ![...media.examples.values()].some(isBytes);
  return isDrawn ? 'image/svg+xml' : sentType(media);
}

const isBytes = (value: unknown) => value instanceof Uint8Array;

/** A documented media type as it is sent. */
export interface Representation {
  readonly type: string;
  readonly media: MediaType;
}

/** The media types of a response that the mock can make, the preferred one first. */
export function representationsOf(response: DocumentedResponse): readonly Representation[] {
  const preferred = preferredMedia(response);
  const others = response.content.filter((media) => media !== preferred && isMade(media));
  return [...(preferred ? [preferred] : []), ...others].map((media) => ({
    type: responseType(media),
    media,
  }));
}

/** JSON, XML, an example text, a sampled text, or a file. */
function isMade(media: MediaType): boolean {
  const { isJson, shape, examples } = media;
  if (isXml(media)) return true;
  const essence = essenceOf(responseType(media));
  if (isJson || /^(?:text\/csv|image\/svg\+xml)$/.test(essence) || essence in SMALLEST_FILES) return true;
  const isSent = (example: unknown) => typeof example === 'string' || isBytes(example);
  if ([...examples.values()].some(isSent)) return true;
  return essence.startsWith('text/') && shape?.mainType === 'string';
}

/** The value of a request's `Accept`. Undefined: any type is acceptable (RFC 9110 §12.5.1). */
export function acceptOf({ headers: { accept } }: Pick<MockRequest, 'headers'>): string | undefined {
  return typeof accept === 'string' || accept === undefined ? accept : accept.join(', ');
}

/** The candidate that a client prefers, the first of equals. Undefined: it accepts none. */
export function chooseAcceptable<T extends { readonly type: string }>(
  accept: string | undefined,
  candidates: readonly T[],
): T | undefined {
  const ranges = parseAccept(accept ?? '');
  // An empty or missing `Accept` states no preference.
  if (ranges.length === 0) return candidates[0];
  let best: { readonly candidate: T; readonly weight: number } | undefined;
  for (const candidate of candidates) {
    const weight = weightOf(candidate.type, ranges);
    if (weight > (best?.weight ?? 0)) best = { candidate, weight };
  }
  return best?.candidate;
}

/** A media range of `Accept` (RFC 9110 §12.5.1). */
interface Range {
  /** `text/csv`, `text/*` or any type, in lower case. */
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  /** From 0 to 1. */
  readonly weight: number;
}

/** Quoted strings may contain commas and semicolons. */
const MEMBER = /(?:"(?:[^"\\]|\\.)*"|[^",])+/g;
const PARAMETER = /;[ \t]*([^\s;=]+)[ \t]*=[ \t]*("(?:[^"\\]|\\.)*"|[^\s;]*)/g;

function parseAccept(accept: string): Range[] {
  const members: string[] = accept.match(MEMBER) ?? [];
  return members.flatMap((member) => {
    const [, type = ''] = /^\s*([^\s;,]+\/[^\s;,]+|\*)/.exec(member) ?? [];
    if (type === '') return [];
    const { q, ...parameters } = Object.fromEntries(parametersOf(member));
    const weight = q === undefined ? 1 : Number(q);
    // Some old clients send a single asterisk.
    const range = type === '*' ? '*/*' : type.toLowerCase();
    const isWeight = weight >= 0 && weight <= 1;
    return [{ type: range, parameters: new Map(Object.entries(parameters)), weight: isWeight ? weight : 1 }];
  });
}

function parametersOf(member: string): [name: string, value: string][] {
  return [...member.matchAll(PARAMETER)].map(([, name = '', value = '']) => {
    const text = value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
    return [name.toLowerCase(), text.toLowerCase()];
  });
}

/** The weight of a media type, by the most specific range that matches; 0: not acceptable. */
function weightOf(type: string, ranges: readonly Range[]): number {
  const [essence = ''] = type.toLowerCase().split(';', 1);
  const typeParameters = new Map(parametersOf(type));
  let best: { readonly specificity: number; readonly weight: number } = { specificity: -1, weight: 0 };
  for (const { type: range, parameters, weight } of ranges) {
    if (![...parameters].every(([name, value]) => typeParameters.get(name) === value)) continue;
    const specificity = specificityOf(range, essence.trim()) + parameters.size;
    if (Number.isNaN(specificity) || specificity <= best.specificity) continue;
    best = { specificity, weight };
  }
  return best.weight;
}

/** NaN: the range does not match. A parameter counts less than the next part of a type. */
function specificityOf(range: string, essence: string): number {
  if (range === essence) return 200;
  if (range === `${essence.split('/', 1)}/*`) return 100;
  return range === '*/*' ? 0 : Number.NaN;
}

/** Adds a request header's name to `Vary` (RFC 9110 §12.5.5). */
export function withVary(
  headers: Readonly<Record<string, string>> | undefined,
  name: string,
): Readonly<Record<string, string>> {
  return { ...headers, Vary: headers?.Vary === undefined ? name : `${headers.Vary}, ${name}` };
}
