import type { FeedReader } from '../answer/exchange.ts';

/** What happens in a session, told to whoever listens (WHATWG HTML §9.2, server-sent events). */
export interface Events {
  /** So that nothing need be written down where nobody listens. */
  readonly hasListeners: boolean;
  /** `data` is JSON text. */
  publish(event: string, data: string): void;
  listen(reader: FeedReader): () => void;
  close(): void;
}

export function createEvents(): Events {
  const readers = new Set<FeedReader>();
  return {
    get hasListeners() {
      return readers.size > 0;
    },
    publish(event, data) {
      for (const reader of readers) reader.write(`event: ${event}\ndata: ${data}\n\n`);
    },
    listen(reader) {
      readers.add(reader);
      // Headers alone may be held back by what stands between; a comment is not.
      reader.write(': listening\n\n');
      return () => readers.delete(reader);
    },
    close() {
      for (const reader of readers) reader.end();
      readers.clear();
    },
  };
}
