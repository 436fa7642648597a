import { eventSourceParser } from '#libraries';
import { placeOf, type Spot } from './document/spot.ts';
import { tryJson } from './json/exact-json.ts';
import { inBrief } from './json/in-brief.ts';
import { isJsonType, type MediaType } from './media-type.ts';
import { formsOf, Shape } from './schema/shape.ts';
import type { Validators, Violation } from './schema/validator.ts';
import {
  FIELDS,
  RECORD_SEPARATOR,
  type StreamFormat,
  type StreamMessage,
  streamFormatOf,
} from './stream-format.ts';

/** The messages in the text of a stream. */
export interface ReadStream {
  readonly messages: readonly StreamMessage[];
  /** Descriptions of syntax errors, including those that clients ignore. */
  readonly problems: readonly string[];
}

/**
 * Reads the messages of a stream or of its start.
 * @param isWhole false: the stream continued or was interrupted, so that an incomplete message at its end is no error
 */
export function readStream(format: StreamFormat, text: string, isWhole: boolean): ReadStream {
  if (format === 'events') return readEvents(text, isWhole);
  const parts = text.split(format === 'lines' ? '\n' : RECORD_SEPARATOR);
  if (format === 'lines' && !isWhole) parts.pop();
  // An unfinished sequence may end within a text; a line feed ends one (RFC 7464 §2.4).
  if (format === 'sequence' && !isWhole && !text.endsWith('\n')) parts.pop();
  const isEmpty = (part: string) => part.trim() === '';
  const stray = format === 'sequence' && !isEmpty(parts[0] ?? '') ? [parts.shift()] : [];
  return {
    messages: parts.filter((part) => !isEmpty(part)).map((part) => ({ data: part.trim() })),
    problems: stray.map(
      (part) => `${shortened(part ?? '')} does not follow a record separator (RFC 7464 §2.2)`,
    ),
  };
}

function readEvents(text: string, isWhole: boolean): ReadStream {
  const messages: StreamMessage[] = [];
  const problems: string[] = [];
  let retry: number | undefined;
  const parser = eventSourceParser().createParser({
    onEvent({ event, id, data }) {
      messages.push({ data, event, id, retry });
      retry = undefined;
    },
    onRetry(interval) {
      retry = interval;
    },
    onError({ type, line = '' }) {
      // The format may be extended by any field name, but these are not names.
      if (type === 'unknown-field' && /^\s*[^\s\w-]/.test(line))
        problems.push(`the line ${shortened(line)} is no field of an event, and clients ignore it`);
      if (type === 'invalid-retry') problems.push(`${shortened(line)} is no number, and clients ignore it`);
    },
  });
  parser.feed(text);
  const rest = text.split(/(?:\r\n|\n|\r(?!\n)){2}/).at(-1) ?? '';
  if (isWhole && /^data(?:[:\r\n]|$)/m.test(rest))
    problems.push(`no empty line ends the last event, and clients drop it: ${shortened(rest.trim())}`);
  return { messages, problems };
}

const shortened = (text: string) => JSON.stringify(inBrief(text, 80));

/**
 * Whether a message marks the end of a stream by convention, such as `data: [DONE]`. Documents mention it in
 * descriptions only, since no schema can (OpenAPI 3.2 §4.14.5).
 */
export function isSentinel({ data }: StreamMessage): boolean {
  return /^\[[A-Z][\w ]*\]$/i.test(data) && !isJson(data);
}

const isJson = (text: string) => tryJson(text) !== undefined;

/** The JSON value of a text as a list; empty if it is not JSON. */
const valuesIn = (text: string) => [tryJson(text)].filter((value) => value !== undefined);

/** A violation of a message. */
export type MessageProblem = Pick<Violation, 'pointer' | 'keyword' | 'expected' | 'received' | 'at'>;

/** The schema of a message; `event`: it describes an object with the fields of a server-sent event. */
interface Described {
  readonly spot: Spot;
  readonly shape: Shape;
  readonly by: 'event' | 'data';
}

/**
 * The possible schemas of a message: `itemSchema`; else `schema`, which may describe the sequence or, in documents
 * before OpenAPI 3.2, a message. All readings count as correct.
 */
function describedBy({ type, itemSchema, schema, shape }: MediaType): readonly Described[] {
  const isEvents = streamFormatOf(type) === 'events';
  if (itemSchema) {
    const of = Shape.of([itemSchema]);
    return [{ spot: itemSchema, shape: of, by: isEvents && isEventObject(of) ? 'event' : 'data' }];
  }
  // A text schema for the whole body does not describe its messages.
  if (!schema || !shape || shape.mainType === 'string') return [];
  const items = shape.mainType === 'array' ? shape.items : undefined;
  const one = { spot: schema, shape };
  const all = items ? [{ spot: items.spot, shape: items }, one] : [one];
  return all.flatMap((described): Described[] => {
    const asData = { ...described, by: 'data' } as const;
    return isEvents && isEventObject(described.shape) ? [{ ...described, by: 'event' }, asData] : [asData];
  });
}

function isEventObject(shape: Shape): boolean {
  const names = formsOf(shape).map(({ properties }) => [...properties.keys()]);
  const isOfEvent = (all: string[]) =>
    all.every((name) => FIELDS.has(name)) && /\b(?:data|event)\b/.test(all.join(' '));
  return names.every(isOfEvent);
}

/** Compiles the check of a stream's messages; it returns an empty list for a valid message. */
export function compileMessageCheck(
  media: MediaType,
  validators: Validators,
): (message: StreamMessage) => readonly MessageProblem[] {
  const format = streamFormatOf(media.type);
  const readings = describedBy(media);
  const isPlain = ({ shape, by }: Described) => by === 'data' && isText(shape);
  const judged = format === 'events' ? readings.filter((reading) => !isPlain(reading)) : readings;
  if (format === 'events' && judged.length === 0) return () => [];
  const mustBeJson = (message: StreamMessage, spot: Spot): MessageProblem => ({
    pointer: '',
    keyword: 'contentMediaType',
    expected: 'must be a JSON text',
    received: message.data,
    at: placeOf(spot),
  });

  function judge(message: StreamMessage, described: Described): readonly MessageProblem[] {
    const { spot, shape, by } = described;
    const json = valuesIn(message.data);
    const validate = validators.compile(spot, 'response');
    if (by === 'data') return json.length > 0 ? validate(json[0]) : [mustBeJson(message, spot)];
    const data = shape.properties.get('data') ?? formsOf(shape)[0]?.properties.get('data');
    const isJsonFirst = data !== undefined && data.mainType !== 'string';
    const values = isJsonFirst ? [...json, message.data] : [message.data, ...json];
    const objects = values.flatMap((value) => eventObjects(message, value));
    const broken = objects.map((value) => validate(value));
    const sound = objects.filter((_, index) => broken[index]?.length === 0);
    if (sound.length === 0) return broken[0] ?? [];
    return fewest(sound.map((value) => judgeContent(message, value, shape)));
  }

  /** Checks JSON inside a text by `contentSchema`, which validation ignores. */
  function judgeContent(message: StreamMessage, value: object, shape: Shape): readonly MessageProblem[] {
    const fitting = formsOf(shape).filter(({ parts }) =>
      parts.every((part) => validators.compile(part, 'response')(value).length === 0),
    );
    const contents = fitting.flatMap(({ properties }) => contentOf(properties.get('data')) ?? []);
    if (contents.length === 0) return [];
    const json = valuesIn(message.data);
    return fewest(
      contents.map((spot) => {
        if (json.length === 0) return [{ ...mustBeJson(message, spot), pointer: '/data' }];
        const violations = validators.compile(spot, 'response')(json[0]);
        return violations.map((violation) => ({
          ...problemOf(violation),
          pointer: `/data${violation.pointer}`,
        }));
      }),
    );
  }

  return (message) => {
    if (judged.length > 0) return fewest(judged.map((one) => judge(message, one)));
    return isJson(message.data) ? [] : [mustBeJson(message, media.spot)];
  };
}

function problemOf({ pointer, keyword, expected, received, at }: Violation): MessageProblem {
  return { pointer, keyword, expected, received, at };
}

function fewest(all: readonly (readonly MessageProblem[])[]): readonly MessageProblem[] {
  return all.toSorted((left, right) => left.length - right.length)[0] ?? [];
}

/** The event with its data. Without a type it is a `message` (WHATWG HTML §9.2.6), with or without that name. */
function eventObjects({ event, id, retry }: StreamMessage, data: unknown): readonly object[] {
  const fields = { data, ...(id !== undefined && { id }), ...(retry !== undefined && { retry }) };
  return event === undefined ? [fields, { ...fields, event: 'message' }] : [{ ...fields, event }];
}

/** The schema of the JSON text inside a string. */
function contentOf(data: Shape | undefined): Spot | undefined {
  const type = data?.find('contentMediaType')?.value;
  if (type !== undefined && !(typeof type === 'string' && isJsonType(type))) return undefined;
  return data?.find('contentSchema')?.spot;
}

/** A form of a stream's messages, for generating them. */
export interface MessageForm {
  /** The allowed values of `event`; empty if any name, or none, is allowed. */
  readonly events: readonly string[];
  /** The schema of the JSON value or text. */
  readonly shape: Shape | undefined;
  readonly isJson: boolean;
}

function isText({ mainType, values }: Shape): boolean {
  return mainType === 'string' || (values?.every((value) => typeof value === 'string') ?? false);
}

/** The possible forms of a stream's messages, in the order of the document. */
export function messageForms(media: MediaType): readonly MessageForm[] {
  const [described] = describedBy(media);
  if (!described) return [{ events: [], shape: undefined, isJson: streamFormatOf(media.type) !== 'events' }];
  const forms = formsOf(described.shape);
  if (described.by === 'data') {
    const isEvents = streamFormatOf(media.type) === 'events';
    return forms.map((shape) => ({ events: [], shape, isJson: !(isEvents && isText(shape)) }));
  }
  return forms.flatMap(({ properties }) => {
    const events = (properties.get('event')?.values ?? []).filter((value) => typeof value === 'string');
    const data = properties.get('data');
    const content = contentOf(data);
    if (content) return formsOf(Shape.of([content])).map((shape) => ({ events, shape, isJson: true }));
    return (data ? formsOf(data) : [undefined]).map((shape) => {
      return { events, shape, isJson: shape !== undefined && !isText(shape) };
    });
  });
}
