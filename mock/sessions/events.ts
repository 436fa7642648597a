import type { FeedReader } from '../http/exchange.ts';

/** The events of a session for its listeners (WHATWG HTML §9.2, server-sent events). */
export interface Events {
  /** So that nothing is serialized without a listener. */
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
      // A proxy may hold headers back until the first bytes of a body: a comment.
      reader.write(': listening\n\n');
      return () => readers.delete(reader);
    },
    close() {
      for (const reader of readers) reader.end();
      readers.clear();
    },
  };
}
