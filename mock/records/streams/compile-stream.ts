import {
  isFollowed,
  isRecord,
  type MediaType,
  once,
  parseJson,
  type StreamFormat,
  streamFormatOf,
  stringifyJson,
  successOf,
  writeMessage,
} from '#spec';
import { andThen, type ResponseContent } from '../../http/exchange.ts';
import { onFirstCall } from '../../http/memoize.ts';
import { isRefusal, type Outcome } from '../../http/refusal.ts';
import { acceptOf, chooseAcceptable, successForm } from '../../http/representations.ts';
import type { OperationContext, Run, Task } from '../actions/action.ts';
import { feedOf, type Messages } from './feed-of.ts';
import { compileLiveMessages } from './live-messages.ts';
import { compileRecordMessages } from './record-messages.ts';
import { sampledMessages } from './sampled-messages.ts';

/** The pause between messages of a sampled stream, in milliseconds, so that a viewer sees them arrive. */
const PAUSE_MS = 20;

/** Clients ignore comments (WHATWG HTML §9.2.6). */
const HEARTBEAT = ': still here\n\n';

/**
 * Responds with a stream where one is documented and the client asks for it: by its `Accept`, by a member `stream` of its
 * body, or since there is no other response. Undefined: no stream is documented.
 */
export function compileStream(context: OperationContext & { readonly isSampled: boolean }): Run | undefined {
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
    return chosen ? streams.find((stream) => stream === chosen) : others.length === 0 ? first : undefined;
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
    // The operation still takes effect, and its list is what the stream sends.
    return andThen(
      next(task),
      (outcome): Outcome =>
        isRefusal(outcome) || outcome.status >= 300 ? outcome : streamed(media, task, outcome),
    );
  };
}

function compileBody(context: OperationContext, media: MediaType) {
  const { operation } = context;
  const format = streamFormatOf(media.type) as StreamFormat;
  const comment = format === 'events' ? HEARTBEAT : undefined;
  const records = compileRecordMessages(context, media);
  const follows = format === 'events' || isFollowed(`${operation.path} ${operation.id}`);
  const live = records && compileLiveMessages(context, media, records, follows);
  const sampled = once(() => sampledMessages(context, media).map((message) => writeMessage(format, message)));

  return (task: Task, done?: ResponseContent) => {
    const list = format === 'events' ? undefined : listIn(done);
    if (list) return list.map((data) => writeMessage(format, { data })).join('');
    if (live && (operation.method === 'GET' || operation.method === 'QUERY'))
      return feedOf(live(task), comment);
    const since = Number(/^\d{1,9}$/.exec(String(task.request.headers['last-event-id'] ?? ''))?.[0] ?? 0);
    return feedOf(paced(sampled().slice(since)), comment);
  };
}

/** The items of a JSON list, or of the list in an object. */
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
