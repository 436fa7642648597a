import type { Feed } from '../../http/exchange.ts';

/** Messages in the order in which they are sent; the signal aborts when the client disconnects. */
export type Messages = (left: AbortSignal) => AsyncIterable<string>;

/** Proxies close connections after a minute of silence, some even earlier. */
const HEARTBEAT_MS = 15_000;

/**
 * A body that sends each message with one write, and waits until the reader has taken it.
 * @param comment sent while there are no messages; undefined: the format has no comments
 */
export function feedOf(messages: Messages, comment: string | undefined): Feed {
  return (reader) => {
    const left = new AbortController();
    const beat = comment === undefined ? undefined : setInterval(() => reader.write(comment), HEARTBEAT_MS);
    // In browsers timers are numbers without `unref`.
    beat?.unref?.();
    const send = async () => {
      for await (const text of messages(left.signal)) {
        if (left.signal.aborted) return;
        reader.write(text);
        await reader.taken();
        if (left.signal.aborted) return;
      }
      if (!left.signal.aborted) reader.end();
    };
    // If the store fails, the stream breaks off rather than ending as if it were complete.
    void send()
      .catch(() => left.signal.aborted || reader.breakOff(''))
      .finally(() => clearInterval(beat));
    return () => {
      left.abort();
      clearInterval(beat);
    };
  };
}

/** Where a rule breaks a stream off. */
interface BreakOff {
  /** The number of complete messages before. */
  readonly after: number;
  /** Whether to break off in the middle of the next one. */
  readonly within: boolean;
}

/** The same body, cut by closing the connection; a stream that ends earlier stays complete. */
export function breakOff(body: Feed, { after, within }: BreakOff): Feed {
  return (reader) => {
    let sent = 0;
    let isBroken = false;
    const breakWith = (text: string) => {
      isBroken = true;
      reader.breakOff(text);
    };
    return body({
      taken: () => reader.taken(),
      end() {
        if (!isBroken) reader.end();
      },
      breakOff: breakWith,
      write(text) {
        if (isBroken) return;
        // A heartbeat, or a comment of another service.
        if (typeof text !== 'string' || text.startsWith(':')) reader.write(text);
        else if (within && sent === after) breakWith(text.slice(0, text.length / 2));
        else {
          sent += 1;
          if (!within && sent === after) breakWith(text);
          else reader.write(text);
        }
      },
    });
  };
}
