import type { Feed } from '../../http/exchange.ts';

/** Messages as they are sent, one after the other; the signal says that nobody reads them any more. */
export type Messages = (left: AbortSignal) => AsyncIterable<string>;

/** Proxies close connections that are silent for a minute, some of them after less. */
const HEARTBEAT_MS = 15_000;

/**
 * A body of messages, each of which is one write. The next one is made when the reader has taken those before it.
 * @param comment what is sent while nothing happens; undefined: the format has nothing that readers ignore
 */
export function feedOf(messages: Messages, comment: string | undefined): Feed {
  return (reader) => {
    const left = new AbortController();
    const beat = comment === undefined ? undefined : setInterval(() => reader.write(comment), HEARTBEAT_MS);
    // A browser's timers are numbers, and hold no process.
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
    // A store that cannot be read any more ends no stream that would then look whole.
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
  /** Whole messages before. */
  readonly after: number;
  /** In the middle of the next one. */
  readonly within: boolean;
}

/** The same body, whose connection breaks. One that ends before is whole. */
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
        // A heartbeat, or what another service sends.
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
