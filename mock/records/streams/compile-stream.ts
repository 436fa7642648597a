import {
  formsOf,
  isFollowed,
  isNullable,
  isPiece,
  isRecord,
  type MediaType,
  memberMeaning,
  memberShape,
  messagesOf,
  parseJson,
  type Shape,
  type StreamFormat,
  type StreamMessage,
  stageOf,
  streamFormatOf,
  stringifyJson,
  successOf,
  writeMessage,
} from '#spec';
import { endMessageOf, type MessageForm, messageForms, readStream } from '#stream-messages';
import { andThen, type ResponseContent } from '../../http/exchange.ts';
import { onFirstCall } from '../../http/memoize.ts';
import { isRefusal, type Outcome } from '../../http/refusal.ts';
import { acceptOf, chooseAcceptable, successForm } from '../../http/representations.ts';
import type { ActionContext, Run, Task } from '../actions/action.ts';
import { compileFits } from '../forms.ts';
import { feedOf, type Messages } from './feed-of.ts';
import { compileLiveMessages } from './live-messages.ts';
import { compileRecordMessages } from './record-messages.ts';

type Context = Omit<ActionContext, 'collection'>;

/** Between the messages of a sampled stream: somebody who looks at it sees them come. */
const PAUSE_MS = 20;

/** A comment is an event to nobody (WHATWG HTML §9.2.6). */
const HEARTBEAT = ': still here\n\n';

/**
 * Answers with a stream where the document has one, and the client asks for it: by its `Accept`, by a
 * member `stream` of its body, or since there is nothing else. Undefined: the document has none.
 */
export function compileStream(context: Context & { readonly isSampled: boolean }): Run | undefined {
  const { operation, isSampled } = context;
  const content = successOf(operation)?.content ?? [];
  const streams = content.filter(({ type }) => streamFormatOf(type) !== undefined);
  const others = content.filter((media) => !streams.includes(media));
  const [first] = streams;
  if (!first) return undefined;
  const offered = [...others, ...streams];
  const { status } = successForm(operation);
  const compiled = new Map(streams.map((media) => [media, onFirstCall(() => compileBody(context, media))]));
  const isRead = operation.method === 'GET' || operation.method === 'HEAD' || operation.method === 'QUERY';

  function chosenBy({ request, values: { body } }: Task): MediaType | undefined {
    if (others.length > 0 && isRecord(body) && body.stream === true) return first;
    const chosen = chooseAcceptable(acceptOf(request), offered);
    return chosen ? streams.find((one) => one === chosen) : others.length === 0 ? first : undefined;
  }

  const streamed = (media: MediaType, task: Task, done?: ResponseContent): ResponseContent => ({
    status,
    type: media.type,
    headers: { 'Cache-Control': 'no-store' },
    body: compiled.get(media)?.(task, done) ?? '',
  });

  return (task, next) => {
    const media = chosenBy(task);
    if (!media) return next(task);
    const hasList = others.some(({ isJson }) => isJson);
    if (isSampled || (isRead && !hasList)) return streamed(media, task);
    // What it does is done, and what it lists is listed, whatever the response looks like.
    return andThen(
      next(task),
      (outcome): Outcome =>
        isRefusal(outcome) || outcome.status >= 300 ? outcome : streamed(media, task, outcome),
    );
  };
}

function compileBody(context: Context, media: MediaType) {
  const { operation } = context;
  const format = streamFormatOf(media.type) as StreamFormat;
  const comment = format === 'events' ? HEARTBEAT : undefined;
  const records = compileRecordMessages(context, media);
  const follows = format === 'events' || isFollowed(`${operation.path} ${operation.id}`);
  const live = records && compileLiveMessages(context, media, records, follows);
  const sampled = onFirstCall(() => {
    const texts = sampledMessages(context, media).map((message) => writeMessage(format, message));
    return () => texts;
  });

  return (task: Task, done?: ResponseContent) => {
    const list = format === 'events' ? undefined : listIn(done);
    if (list) return list.map((data) => writeMessage(format, { data })).join('');
    if (live && (operation.method === 'GET' || operation.method === 'QUERY'))
      return feedOf(live(task), comment);
    const since = Number(/^\d{1,9}$/.exec(String(task.request.headers['last-event-id'] ?? ''))?.[0] ?? 0);
    return feedOf(paced(sampled().slice(since)), comment);
  };
}

/** The items of the list that a JSON body is, or has. */
function listIn(done: ResponseContent | undefined): readonly string[] | undefined {
  if (typeof done?.body !== 'string' || done.body === '') return undefined;
  const value = parseJson(done.body);
  const list = isRecord(value) ? Object.values(value).find(Array.isArray) : value;
  return Array.isArray(list) ? list.map((item) => stringifyJson(item)) : undefined;
}

function paced(texts: readonly string[]): Messages {
  return async function* messages() {
    for (const [index, text] of texts.entries()) {
      if (index > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      yield text;
    }
  };
}

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
function inOrder(forms: readonly MessageForm[]): readonly MessageForm[] {
  const ranked = forms.map((form) => ({ form, stage: stageOf(nameOf(form)) }));
  const going = ranked.filter(({ stage }) => !Number.isNaN(stage));
  if (going.length === 0) return forms;
  return going.toSorted((one, other) => one.stage - other.stage).map(({ form }) => form);
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

const repeated = (form: MessageForm) =>
  isPiece(nameOf(form)) ? Array<MessageForm>(PIECES).fill(form) : [form];

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
  const fits = compileFits(contract);
  // Of a schema with several forms a sample of one may fit another one as well: a further one may not.
  for (let tried = 0; tried < TRIES; tried++) {
    const base = seeds.whole(shape, false, operation.id, 'stream', ...(tried === 0 ? [] : [tried]));
    const sound = [pieceOf(shape, base, at, 0), base].find((one) => fits(shape, one));
    if (sound !== undefined) return stringifyJson(sound);
  }
  return stringifyJson(seeds.whole(shape, false, operation.id, 'stream'));
}

const TRIES = 10;

const DEEPEST = 4;

/** The base is the same for all messages of a stream: they are about one thing. */
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

/** Undefined: it stays as it is. */
function memberOf(name: string, member: Shape, base: unknown, at: At, depth: number): unknown {
  const { mainType, values } = member;
  if (isPiece(name) && formsOf(member).some(isFreeText)) return at.word;
  if (mainType === 'boolean' && stageOf(name) === 1) return at.isLast;
  // Why it has ended, say.
  const ended = values?.find((value) => value !== null);
  if (ended !== undefined && isNullable(member)) return at.isLast ? ended : null;
  if (base === undefined) return undefined;
  return memberMeaning(name, member, {}).holds === 'place' ? at.index : pieceOf(member, base, at, depth + 1);
}

function isFreeText(shape: Shape): boolean {
  const isText = shape.types?.has('string') ?? shape.mainType === 'string';
  return isText && !shape.values && !shape.find('format') && shape.patterns.length === 0;
}
