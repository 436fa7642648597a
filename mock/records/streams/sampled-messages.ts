import {
  endMessageOf,
  formsOf,
  isRecord,
  type MediaType,
  memberShape,
  messagesOf,
  type Shape,
  type StreamFormat,
  type StreamMessage,
  streamFormatOf,
  stringifyJson,
} from '#spec';
import { type MessageForm, messageForms, readStream } from '#stream-messages';
import type { ActionContext } from '../actions/action.ts';

type Context = Omit<ActionContext, 'collection'>;

/** How many messages a sampled stream of one form has. */
const USUAL = 6;
/** Forms of which a stream shows one message each. */
const MOST_FORMS = 60;
/** Messages in a row of a form that brings a result piece by piece. */
const PIECES = 3;

/**
 * The messages of a stream that is about no records: those that the document shows, else a sequence that has begun, goes
 * on and ends, the same for each seed.
 */
export function sampledMessages(context: Context, media: MediaType): readonly StreamMessage[] {
  const { operation } = context;
  const format = streamFormatOf(media.type) as StreamFormat;
  const shown = shownMessages(media, format);
  if (shown.length > 0) return numbered(format, shown);
  const made = madeMessages(context, media);
  const end = format === 'events' ? endMessageOf(operation, media) : undefined;
  return numbered(format, end === undefined ? made : [...made, { data: end }]);
}

/** So that a client can go on where its connection has ended (WHATWG HTML §9.2.4). */
function numbered(format: StreamFormat, messages: readonly StreamMessage[]): readonly StreamMessage[] {
  return format === 'events' ? messages.map((one, index) => ({ id: `${index + 1}`, ...one })) : messages;
}

/** The examples of the document: a text is the stream as it is sent, a list has its messages. */
function shownMessages({ examples }: MediaType, format: StreamFormat): readonly StreamMessage[] {
  const all = [...examples.values()];
  const text = all.find((one) => typeof one === 'string');
  if (text !== undefined) return readStream(format, `${text}\n\n`, true).messages;
  return all.flatMap((one) => messagesOf(format, one));
}

function madeMessages(context: Context, media: MediaType): readonly StreamMessage[] {
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

/** What comes first and last of a run that goes well; a failure is not part of it. */
const STAGES: readonly (readonly [RegExp, number])[] = [
  [/error|fail|cancel|expire|incomplete|abort|refus/i, Number.NaN],
  [/(?:^|[._:-])(?:creat|start|begin|open|init|queued)/i, -1],
  [/(?:^|[._:-])(?:done|complet|end|stop|finish|clos|final)/i, 1],
];

function inOrder(forms: readonly MessageForm[]): readonly MessageForm[] {
  if (forms.length < 2) return forms;
  const ranked = forms.map((form) => ({ form, stage: stageOf(form) }));
  const going = ranked.filter(({ stage }) => !Number.isNaN(stage));
  if (going.length === 0) return forms;
  return going.toSorted((one, other) => one.stage - other.stage).map(({ form }) => form);
}

function stageOf(form: MessageForm): number {
  const name = nameOf(form);
  return STAGES.find(([pattern]) => pattern.test(name))?.[1] ?? 0;
}

/** What distinguishes a form from the others. */
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

function repeated(form: MessageForm): readonly MessageForm[] {
  return /delta|chunk|token|partial|progress/i.test(nameOf(form))
    ? Array<MessageForm>(PIECES).fill(form)
    : [form];
}

/** The pieces of a text. */
function wordsOf({ seeds, operation }: Context, count: number): readonly string[] {
  const words: string[] = [];
  for (let sentence = 0; words.length < count; sentence++) {
    const text = String(seeds.named('commerce.productDescription', [], operation.id, 'stream', sentence));
    words.push(...text.split(' '));
  }
  return words.slice(0, count).map((word, index) => (index === 0 ? word : ` ${word}`));
}

function dataOf({ seeds, operation, contract }: Context, { shape, isJson }: MessageForm, at: At): string {
  if (!shape) return isJson ? '{}' : at.word;
  if (!isJson) {
    return isFreeText(shape) ? at.word : String(seeds.whole(shape, false, operation.id, 'stream'));
  }
  const fits = (value: unknown) =>
    shape.parts.every((part) => contract.validators.compile(part, 'response')(value).length === 0);
  // Of a schema with several forms a sample of one may fit another one as well: a further one may not.
  for (let tried = 0; tried < TRIES; tried++) {
    const base = seeds.whole(shape, false, operation.id, 'stream', ...(tried === 0 ? [] : [tried]));
    const sound = [pieceOf(shape, base, at, 0), base].find(fits);
    if (sound !== undefined) return stringifyJson(sound);
  }
  return stringifyJson(seeds.whole(shape, false, operation.id, 'stream'));
}

const TRIES = 10;

/** Members that hold a part of a text which comes piece by piece. */
const TEXT =
  /^(?:content|text|delta|token|value|partial|completion|output|output_text|message|chunk|response|answer)$/i;
const NUMBER = /^(?:index|sequence|sequence_?number|seq|position|offset)$/i;
const REASON = /^(?:finish|stop)_?reason$/i;
const DONE = /^(?:done|is_?(?:final|last|done|finished|complete)|finished|completed?|final|last|end)$/i;
const DEEPEST = 4;

/** The base is the same for all messages of a stream: they are about one thing. */
function pieceOf(shape: Shape, base: unknown, at: At, depth: number): unknown {
  if (depth > DEEPEST) return base;
  if (Array.isArray(base)) {
    const { items } = shape;
    const most = Math.max(1, shape.highest('minItems') ?? 0);
    return items ? base.slice(0, most).map((item, index) => itemOf(items, item, at, index, depth)) : base;
  }
  if (!isRecord(base)) return base;
  const piece: Record<string, unknown> = { ...base };
  for (const [name, member] of shape.properties) {
    const own = memberOf(name, member, base[name], at, depth);
    if (own !== undefined) piece[name] = own;
  }
  return piece;
}

function itemOf(items: Shape, item: unknown, at: At, index: number, depth: number): unknown {
  const piece = pieceOf(items, item, at, depth + 1);
  return isRecord(piece) && typeof piece.index === 'number' ? { ...piece, index } : piece;
}

/** Undefined: it stays as it is. */
function memberOf(name: string, member: Shape, base: unknown, at: At, depth: number): unknown {
  const forms = formsOf(member);
  const { mainType } = member;
  if (TEXT.test(name) && forms.some(isFreeText)) return at.word;
  if (NUMBER.test(name) && mainType === 'integer' && base !== undefined) return at.index;
  if (DONE.test(name) && mainType === 'boolean') return at.isLast;
  if (REASON.test(name) && (base !== undefined || at.isLast)) {
    if (!at.isLast) return forms.some((one) => one.nullable && one.allows(null)) ? null : undefined;
    return (
      member.values?.find((value) => value === 'stop') ??
      member.values?.find((value) => value !== null) ??
      base
    );
  }
  return base === undefined ? undefined : pieceOf(member, base, at, depth + 1);
}

function isFreeText(shape: Shape): boolean {
  const isText = shape.types?.has('string') ?? shape.mainType === 'string';
  return isText && !shape.values && !shape.find('format') && shape.patterns.length === 0;
}
