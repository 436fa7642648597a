import { stringifyJson } from './json/exact-json.ts';
import { isRecord } from './json/json-value.ts';
import { essenceOf } from './media-type.ts';
import type { Operation } from './operation.ts';
import type { DocumentedResponse } from './response.ts';

/**
 * The framing of messages in a sequential media type (OpenAPI 3.2 §4.14.3): server-sent events (WHATWG HTML §9.2.6), a
 * JSON text on each line, or JSON texts that each follow a record separator (RFC 7464).
 */
export type StreamFormat = 'events' | 'lines' | 'sequence';

/** Undefined: a body of this media type is one value. */
export function streamFormatOf(type: string): StreamFormat | undefined {
  const essence = essenceOf(type);
  if (essence === 'text/event-stream') return 'events';
  if (LINES.test(essence)) return 'lines';
  return /^application\/(?:[\w.-]+\+)?json-seq$/.test(essence) ? 'sequence' : undefined;
}

/** Only the first one is registered; the others have the same meaning. */
const LINES = /^application\/(?:x-)?(?:jsonl|ndjson|jsonlines|json-lines|stream\+json)$/;

/** Whether a response has a stream among its media types. */
export function hasStream({ content }: DocumentedResponse): boolean {
  return content.some(({ type }) => streamFormatOf(type) !== undefined);
}

/** Whether all successful responses of the operation are streams. */
export function isStreamOnly({ responses }: Operation): boolean {
  const media = responses.filter(({ key }) => key.startsWith('2')).flatMap(({ content }) => content);
  return media.length > 0 && media.every(({ type }) => streamFormatOf(type) !== undefined);
}

/** One message of a stream. */
export interface StreamMessage {
  /** The data of a server-sent event, else a JSON text. */
  readonly data: string;
  /** Only for server-sent events, like the members below. */
  readonly event?: string | undefined;
  readonly id?: string | undefined;
  /** In milliseconds. */
  readonly retry?: number | undefined;
}

/** RFC 7464 §2.2. */
export const RECORD_SEPARATOR = '\x1e';

export function writeMessage(format: StreamFormat, { data, event, id, retry }: StreamMessage): string {
  if (format === 'sequence') return `${RECORD_SEPARATOR}${data}\n`;
  if (format === 'lines') return `${data}\n`;
  const fields = [
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    ...data.split(/\r\n|\r|\n/).map((line) => `data: ${line}`),
  ];
  return `${fields.join('\n')}\n\n`;
}

/** The messages of an example: a list or a single one. For events, it may contain the fields or the data. */
export function messagesOf(format: StreamFormat, value: unknown): readonly StreamMessage[] {
  return (Array.isArray(value) ? value : [value]).map((one) => messageOf(format, one));
}

function messageOf(format: StreamFormat, value: unknown): StreamMessage {
  const isEvent =
    format === 'events' &&
    isRecord(value) &&
    'data' in value &&
    Object.keys(value).every((name) => FIELDS.has(name));
  if (!isEvent) return { data: textOf(value) };
  const { data, event, id, retry } = value;
  return {
    data: textOf(data),
    ...(typeof event === 'string' && { event }),
    ...(id !== undefined && { id: String(id) }),
    ...(retry !== undefined && { retry: Number(retry) }),
  };
}

/** The fields of an event, as OpenAPI 3.2 describes it (§4.14.5). */
export const FIELDS: ReadonlySet<string> = new Set(['data', 'event', 'id', 'retry']);

const textOf = (value: unknown) => (typeof value === 'string' ? value : stringifyJson(value ?? null));
