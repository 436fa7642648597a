import {
  isEqual,
  isRecord,
  type MediaType,
  oncePer,
  parseJson,
  type StreamFormat,
  type StreamMessage,
  streamFormatOf,
  stringifyJson,
  writeMessage,
} from '#spec';
import type { Condition, Id } from '../../store/port.ts';
import type { RecordEvent, RecordEvents } from '../../store/record-events.ts';
import type { OperationContext, Task } from '../actions/action.ts';
import { pathParameter } from '../collection.ts';
import type { Messages } from './feed-of.ts';
import type { RecordMessages } from './record-messages.ts';

/** Records read at a time. */
const PAGE = 100;
/** Events that may wait for a slow reader. Beyond that it is disconnected, and may reconnect. */
const MOST_PENDING = 1000;

/**
 * Compiles a stream of records: the existing ones, then each change.
 * @param follows false: the stream ends after the existing records
 */
export function compileLiveMessages(
  { operation }: OperationContext,
  media: MediaType,
  { collection, messageOf }: RecordMessages,
  follows: boolean,
): (task: Task) => Messages {
  const format = streamFormatOf(media.type) as StreamFormat;
  const { resource } = collection;
  const isWithin = operation.path === resource.path || operation.path.startsWith(`${resource.path}/`);
  const ofOne = isWithin && pathParameter(operation, resource.id?.parameter) && resource.id?.parameter;
  const filters = operation.parameters.filter(
    (parameter) => parameter.in === 'query' && resource.shape.properties.has(parameter.name),
  );

  function compileMatches({ values }: Task): (text: string) => boolean {
    const { query } = values.parameters;
    const wanted = filters.flatMap(({ name }) =>
      query[name] === undefined ? [] : [[name, query[name]] as const],
    );
    if (wanted.length === 0) return () => true;
    return (text) => {
      const record = parseJson(text);
      return (
        isRecord(record) &&
        wanted.every(([name, value]) => [value].flat().some((one) => isEqual(record[name], one)))
      );
    };
  }

  return (task) => {
    const { store, values, recordEvents, request, time } = task;
    const where: readonly Condition[] = isWithin ? collection.scopeFrom(values.parameters.path) : [];
    const one: Id | undefined = ofOne ? collection.idFrom(values.parameters.path[ofOne]) : undefined;
    const matches = compileMatches(task);
    const written = (message: StreamMessage | undefined, id: string) =>
      message && writeMessage(format, format === 'events' ? { ...message, id } : message);

    async function* listed(from: number, last: number): AsyncGenerator<string> {
      for (let offset = from; ; ) {
        const texts = one === undefined ? await pageAt(offset) : await theOne(offset);
        for (const text of texts) {
          offset += 1;
          const message = matches(text) ? messageOf('listed', text, time()) : undefined;
          const whole = written(message, `${last}.${offset}`);
          if (whole !== undefined) yield whole;
        }
        if (one !== undefined || texts.length < PAGE) return;
      }
    }

    async function pageAt(offset: number): Promise<readonly string[]> {
      const { text } = await store.list(collection, { where, offset, limit: PAGE });
      return (parseJson(text) as readonly unknown[]).map((record) => stringifyJson(record));
    }

    async function theOne(offset: number): Promise<readonly string[]> {
      const text = offset === 0 ? await store.read(collection, one as Id, where) : undefined;
      return text === undefined ? [] : [text];
    }

    async function isOurs({ kind, id, text, collection: { name } }: RecordEvent): Promise<boolean> {
      if (name !== collection.name || (one !== undefined && !isEqual(id, one)) || !matches(text))
        return false;
      if (where.length === 0 || kind === 'removed') return true;
      return (await store.read(collection, id, where)) !== undefined;
    }

    return async function* messages(left) {
      if (!recordEvents || !follows) {
        yield* listed(0, 0);
        return;
      }
      const history = historyOf(recordEvents);
      const queue = new Queue(left);
      const stop = recordEvents.subscribe(queue);
      try {
        const since = history.since(String(request.headers['last-event-id'] ?? ''));
        const { last } = recordEvents;
        if (since) queue.put(since.events);
        if (since?.offset !== undefined || !since) yield* listed(since?.offset ?? 0, last);
        for (let event = await queue.next(); event; event = await queue.next()) {
          if (!(await isOurs(event))) continue;
          const whole = written(messageOf(event.kind, event.text, event.at), `${event.number}`);
          if (whole !== undefined) yield whole;
        }
      } finally {
        stop();
      }
    };
  };
}

/** Events until the session is reset or ends, or the reader leaves or falls too far behind. */
class Queue {
  #pending: RecordEvent[] = [];
  #isOver = false;
  #wake = Promise.withResolvers<void>();

  constructor(left: AbortSignal) {
    left.addEventListener('abort', () => this.#end([]));
  }

  /** Adds earlier events at the front. */
  put(events: readonly RecordEvent[]): void {
    this.#pending = [...events, ...this.#pending];
  }

  happened = (event: RecordEvent): void => {
    if (this.#isOver) return;
    this.#pending.push(event);
    if (this.#pending.length > MOST_PENDING) this.#end([]);
    this.#wake.resolve();
  };

  replaced = (): void => this.#end(this.#pending);

  closed = this.replaced;

  #end(last: RecordEvent[]): void {
    this.#isOver = true;
    this.#pending = last;
    this.#wake.resolve();
  }

  /** Undefined: the stream has ended. */
  async next(): Promise<RecordEvent | undefined> {
    while (!this.#isOver && this.#pending.length === 0) {
      await this.#wake.promise;
      this.#wake = Promise.withResolvers();
    }
    return this.#pending.shift();
  }
}

/** Past events of a session since its first stream, for clients that reconnect. */
interface History {
  /** The events after a given one, and how many existing records were sent after it. Undefined: the event is unknown. */
  since(
    id: string,
  ): { readonly events: readonly RecordEvent[]; readonly offset: number | undefined } | undefined;
}

const MOST_KEPT = 1000;
/** Not in the store: event numbers belong to connections of this process. */
const historyOf = oncePer((recordEvents: RecordEvents): History => {
  let kept: RecordEvent[] = [];
  let before = recordEvents.last;
  recordEvents.subscribe({
    happened(event) {
      kept.push(event);
      if (kept.length > MOST_KEPT) before = kept.shift()?.number ?? before;
    },
    replaced() {
      kept = [];
      before = recordEvents.last;
    },
  });
  return {
    since(id) {
      // The id of an existing record's message is the number of the event before, and an offset.
      const [, number, offset] = /^(\d{1,15})(?:\.(\d{1,15}))?$/.exec(id) ?? [];
      const last = Number(number);
      if (number === undefined || last < before || last > recordEvents.last) return undefined;
      const events = kept.filter((event) => event.number > last);
      if (offset === undefined) return { events, offset: undefined };
      // After a removal, offsets no longer match.
      const isMoved = events.some(({ kind }) => kind === 'removed');
      return isMoved ? undefined : { events, offset: Number(offset) };
    },
  };
});
