import { type StreamFormat, streamFormatOf } from '#spec';

/** How far a stream is read: it may have no end. */
export interface Listening {
  readonly messages: number;
  /** Milliseconds from its head. */
  readonly ms: number;
}

/** For what is not about the messages: that it is a stream shows at once. */
export const GLANCE: Listening = { messages: 1, ms: 250 };

/** For what is about the messages. */
export const LISTENING: Listening = { messages: 100, ms: 2000 };

/** How long a stream may take until its head comes: many servers send that with the first message. */
export const SILENCE_MS = 3000;

/** No message of a document needs more. */
const LONGEST = 4 * 2 ** 20;

/** The part of a stream that was read. */
export interface ReadPart {
  readonly body: Uint8Array;
  /** It went on, or broke off. */
  readonly left: boolean;
}

/**
 * Reads a stream until it ends, or enough has come; then it is left.
 * @param leave ends the connection
 */
export async function readStreamBody(
  contentType: string,
  chunks: AsyncIterable<Uint8Array>,
  { messages, ms }: Listening,
  leave: () => void,
): Promise<ReadPart> {
  const format = streamFormatOf(contentType) ?? 'lines';
  const parts: Uint8Array[] = [];
  let count = 0;
  let length = 0;
  let left = false;
  const stop = () => {
    left = true;
    leave();
  };
  const timer = setTimeout(stop, ms);
  try {
    for await (const chunk of chunks) {
      if (left) break;
      parts.push(chunk);
      length += chunk.length;
      count += endsIn(chunk, format);
      if (count >= messages || length > LONGEST) {
        stop();
        break;
      }
    }
  } catch {
    // A connection that breaks off leaves what has come.
    left = true;
  } finally {
    clearTimeout(timer);
  }
  return { body: Buffer.concat(parts), left };
}

/** Messages that end in a chunk, about: one that ends between two chunks is not counted. */
function endsIn(chunk: Uint8Array, format: StreamFormat): number {
  const text = Buffer.from(chunk).toString('latin1');
  const end = format === 'events' ? /\n\r?\n|\r\r/g : /\n/g;
  return text.match(end)?.length ?? 0;
}
