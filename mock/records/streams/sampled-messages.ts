import {
  endMessageOf,
  formsOf,
  fullyFits,
  isNullable,
  isPiece,
  isRecord,
  type MediaType,
  memberMeaning,
  memberShape,
  messagesOf,
  type Shape,
  type StreamFormat,
  type StreamMessage,
  stageOf,
  streamFormatOf,
  stringifyJson,
} from '#spec';
import { type MessageForm, messageForms, readStream } from '#stream-messages';
import type { OperationContext } from '../actions/action.ts';

/** The number of messages in a sampled stream with one form. */
const USUAL = 6;
/** With several forms, the stream shows one message of each, up to so many. */
const MOST_FORMS = 60;
/** Consecutive messages of a form that sends a result in pieces. */
const PIECES = 3;

/**
 * The messages of a stream without records: the documented examples, else a sequence with a beginning, a middle and an end,
 * the same for each seed.
 */
export function sampledMessages(context: OperationContext, media: MediaType): readonly StreamMessage[] {
  const { operation } = context;
  const format = streamFormatOf(media.type) as StreamFormat;
  const documented = shownMessages(media, format);
  if (documented.length > 0) return numbered(format, documented);
  const made = madeMessages(context, media);
  const end = format === 'events' ? endMessageOf(operation, media) : undefined;
  return numbered(format, end === undefined ? made : [...made, { data: end }]);
}

/** Ids let a client resume after a lost connection (WHATWG HTML §9.2.4). */
function numbered(format: StreamFormat, messages: readonly StreamMessage[]): readonly StreamMessage[] {
  return format === 'events'
    ? messages.map((message, index) => ({ id: `${index + 1}`, ...message }))
    : messages;
}

/** The documented examples: text is the raw stream, a list has its messages. */
function shownMessages({ examples }: MediaType, format: StreamFormat): readonly StreamMessage[] {
  const all = [...examples.values()];
  const text = all.find((one) => typeof one === 'string');
  if (text !== undefined) return readStream(format, `${text}\n\n`, true).messages;
  return all.flatMap((one) => messagesOf(format, one));
}

function madeMessages(context: OperationContext, media: MediaType): readonly StreamMessage[] {
  const forms = inOrder(messageForms(media).slice(0, MOST_FORMS));
  const ordered =
    forms.length === 1 ? Array<MessageForm>(USUAL).fill(forms[0] as MessageForm) : forms.flatMap(repeated);
  const words = wordsOf(context, ordered.length);
  return ordered.map((form, index) => {
    const at = { index, word: words[index] ?? '', isLast: index === ordered.length - 1 };
    const event = form.events[Math.min(index, form.events.length - 1)];
    return { data: dataOf(context, form, at), ...(event !== undefined && { event }) };
  });
}

interface At {
  readonly index: number;
  readonly word: string;
  readonly isLast: boolean;
}

/** Orders forms from first to last of a successful run; errors are left out. */
function inOrder(forms: readonly MessageForm[]): readonly MessageForm[] {
  const ranked = forms.map((form) => ({ form, stage: stageOf(nameOf(form)) }));
  const going = ranked.filter(({ stage }) => !Number.isNaN(stage));
  if (going.length === 0) return forms;
  return going.toSorted((left, right) => left.stage - right.stage).map(({ form }) => form);
}

/** The name that distinguishes a form from the others. */
function nameOf({ events, shape }: MessageForm): string {
  const [event] = events;
  if (event !== undefined) return event;
  for (const name of ['type', 'event', 'kind', 'object', 'status']) {
    const values = shape && memberShape(shape, name)?.values;
    if (values?.length === 1) return String(values[0]);
  }
  const value = shape?.values?.[0];
  return typeof value === 'string' ? value : '';
}

const repeated = (form: MessageForm) =>
  isPiece(nameOf(form)) ? Array<MessageForm>(PIECES).fill(form) : [form];

/** The words of a text, in pieces. */
function wordsOf({ seeds, operation }: OperationContext, count: number): readonly string[] {
  const words: string[] = [];
  for (let sentence = 0; words.length < count; sentence++) {
    const text = String(seeds.named('commerce.productDescription', [], operation.id, 'stream', sentence));
    words.push(...text.split(' '));
  }
  return words.slice(0, count).map((word, index) => (index === 0 ? word : ` ${word}`));
}

function dataOf({ seeds, operation }: OperationContext, { shape, isJson }: MessageForm, at: At): string {
  if (!shape) return isJson ? '{}' : at.word;
  const made = (...key: readonly unknown[]) =>
    seeds.sampled(shape, { extent: 'least' }, operation.id, 'stream', ...key);
  if (!isJson) return isFreeText(shape) ? at.word : String(made());
  // With several forms, a sample of one form may violate `oneOf` by fitting another: try a further one.
  for (let tried = 0; tried < TRIES; tried++) {
    const base = tried === 0 ? made() : made(tried);
    const sound = [pieceOf(shape, base, at, 0), base].find((one) => fullyFits(shape, one));
    if (sound !== undefined) return stringifyJson(sound);
  }
  return stringifyJson(made());
}

const TRIES = 10;

const DEEPEST = 4;

/** All messages of a stream share a base, so that they are about one thing. */
function pieceOf(shape: Shape, base: unknown, at: At, depth: number): unknown {
  if (depth > DEEPEST) return base;
  if (Array.isArray(base)) {
    const { items } = shape;
    const most = Math.max(1, shape.highest('minItems') ?? 0);
    return items
      ? base.slice(0, most).map((item, index) => pieceOf(items, item, { ...at, index }, depth + 1))
      : base;
  }
  if (!isRecord(base)) return base;
  const members = [...shape.properties].map(([name, member]) => {
    return [name, memberOf(name, member, base[name], at, depth)] as const;
  });
  return { ...base, ...Object.fromEntries(members.filter(([, value]) => value !== undefined)) };
}

/** Undefined: keep the base's value. */
function memberOf(name: string, member: Shape, base: unknown, at: At, depth: number): unknown {
  const { mainType, values } = member;
  if (isPiece(name) && formsOf(member).some(isFreeText)) return at.word;
  if (mainType === 'boolean' && stageOf(name) === 1) return at.isLast;
  // For example the reason for the end.
  const ended = values?.find((value) => value !== null);
  if (ended !== undefined && isNullable(member)) return at.isLast ? ended : null;
  if (base === undefined) return undefined;
  return memberMeaning(name, member, {}).holds === 'place' ? at.index : pieceOf(member, base, at, depth + 1);
}

function isFreeText(shape: Shape): boolean {
  const isText = shape.types?.has('string') ?? shape.mainType === 'string';
  return isText && !shape.values && !shape.find('format') && shape.patterns.length === 0;
}
