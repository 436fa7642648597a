import { type BodyLength, isFieldLine, MalformedMessage } from './fields.ts';

/** What is done with the messages of a connection. */
export interface MessageSink {
  /**
   * A whole head with its empty line, as text (ISO 8859-1) and as it came.
   * @returns how long its body is; 'none': what follows is the next head (1xx); 'stop': nobody reads on here
   */
  head(text: string, raw: Buffer): BodyLength | 'none' | 'stop';
  /** Bytes of the body as they came. */
  raw(bytes: Buffer): void;
  /** The content among them. */
  content(part: Buffer): void;
  /** The message is whole; true: go on with the next one. */
  end(): boolean;
}

/** Bytes of a head. */
const LONGEST_HEAD = 256 * 1024;

const CR = 13;
const LF = 10;
const NOTHING = Buffer.alloc(0);
const HEAD_END = Buffer.from('\r\n\r\n');

/** Finds the messages in the bytes of a connection, as they come. */
export class MessageReader {
  readonly #sink: MessageSink;
  readonly #content = (part: Buffer) => this.#sink.content(part);
  #rest: Buffer = NOTHING;
  #body: BodyReader | undefined;
  #isStopped = false;

  constructor(sink: MessageSink) {
    this.#sink = sink;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Bytes that came and were not yet read. */
  get unread(): number {
    return this.#rest.length;
  }

  /** Bytes of an unread or unfinished message are there. */
  get isInside(): boolean {
    return this.#rest.length > 0 || this.#body !== undefined;
  }

  /** Reads what came. @throws MalformedMessage */
  push(more: Buffer): void {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, more]) : more;
    this.#rest = NOTHING;
    let at = 0;
    while (at < bytes.length && !this.#isStopped)
      at = this.#body ? this.#readBody(this.#body, bytes, at) : this.#readHead(bytes, at);
    if (at < bytes.length) this.#rest = bytes.subarray(at);
  }

  /** Reads on after a stop. */
  resume(): void {
    this.#isStopped = false;
    if (this.#rest.length > 0) this.push(NOTHING);
  }

  /** What came, and was not read: after a stop. */
  takeRest(): Buffer {
    const taken = this.#rest;
    this.#rest = NOTHING;
    return taken;
  }

  #readHead(bytes: Buffer, from: number): number {
    let start = from;
    // RFC 9112 §2.2: empty lines before a request are ignored.
    while (bytes[start] === CR && bytes[start + 1] === LF) start += 2;
    const at = bytes.indexOf(HEAD_END, start);
    if (at < 0 || at - start > LONGEST_HEAD) {
      if (bytes.length - start > LONGEST_HEAD)
        throw new MalformedMessage(`the header section is larger than ${LONGEST_HEAD / 1024} KiB`, 431);
      // Whoever ends lines so would wait for ever.
      const lineEnd = bytes.indexOf(LF, start);
      if (lineEnd >= 0 && bytes[lineEnd - 1] !== CR)
        throw new MalformedMessage('the first line does not end with CR LF');
      this.#rest = bytes.subarray(start);
      return bytes.length;
    }
    const end = at + HEAD_END.length;
    const length = this.#sink.head(bytes.toString('latin1', start, end), bytes.subarray(start, end));
    if (length === 'stop') this.#isStopped = true;
    else if (length === 0) this.#isStopped = !this.#sink.end();
    else if (length !== 'none') this.#body = readerOf(length);
    return end;
  }

  #readBody(reader: BodyReader, bytes: Buffer, from: number): number {
    const end = reader.read(bytes, from, this.#content);
    const stop = end ?? bytes.length;
    if (stop > from) this.#sink.raw(from === 0 && stop === bytes.length ? bytes : bytes.subarray(from, stop));
    if (end !== undefined) {
      this.#body = undefined;
      this.#isStopped = !this.#sink.end();
    }
    return stop;
  }
}

function readerOf(length: BodyLength): BodyReader {
  if (length === 'chunked') return createChunkedReader();
  return length === 'until close' ? UNTIL_CLOSE : createLengthReader(length);
}

/** Finds the end of a body, and what of its bytes is content. */
interface BodyReader {
  /**
   * Reads on, from `from`.
   * @param content receives the content, without what delimits it
   * @returns where the body ends in these bytes; undefined: it goes on in further ones
   */
  read(bytes: Buffer, from: number, content: (part: Buffer) => void): number | undefined;
}

/** Bytes of a line that are not content: a size with its extensions, or the trailer section as a whole. */
const LONGEST_LINE = 16 * 1024;

type Part = 'size' | 'data' | 'data end' | 'trailer';

/** Reads `Transfer-Encoding: chunked` (RFC 9112 §7.1), strictly: each line ends with CR LF. */
function createChunkedReader(): BodyReader {
  let part: Part = 'size';
  let left = 0;
  let line = '';
  let trailerBytes = 0;

  /** Whether that was the last line. */
  function endLine(): boolean {
    const text = line;
    line = '';
    if (part === 'trailer') {
      trailerBytes += text.length;
      if (trailerBytes > LONGEST_LINE) throw new MalformedMessage('the trailer section is too long');
      if (text === '') return true;
      if (!isFieldLine(text)) throw new MalformedMessage('a line of the trailer section is no field');
      return false;
    }
    if (part === 'data end') {
      if (text !== '') throw new MalformedMessage('a chunk is longer than its size');
      part = 'size';
      return false;
    }
    const [, size] = /^([0-9A-Fa-f]{1,13})[ \t]*(?:;[^\0]*)?$/.exec(text) ?? [];
    if (size === undefined) throw new MalformedMessage('a chunk has no valid size');
    left = Number.parseInt(size, 16);
    part = left === 0 ? 'trailer' : 'data';
    return false;
  }

  return {
    read(bytes, from, content) {
      for (let at = from; at < bytes.length; ) {
        if (part === 'data') {
          const end = Math.min(bytes.length, at + left);
          content(bytes.subarray(at, end));
          left -= end - at;
          at = end;
          if (left === 0) part = 'data end';
          continue;
        }
        const end = bytes.indexOf(LF, at);
        const stop = end < 0 ? bytes.length : end + 1;
        line += bytes.toString('latin1', at, stop);
        if (line.length > LONGEST_LINE) throw new MalformedMessage('a line of a chunked body is too long');
        at = stop;
        if (end < 0) return undefined;
        if (line.charCodeAt(line.length - 2) !== CR || line.indexOf('\r') !== line.length - 2)
          throw new MalformedMessage('a line of a chunked body does not end with CR LF');
        line = line.slice(0, -2);
        if (endLine()) return at;
      }
      return undefined;
    },
  };
}

/** Reads a body of so many bytes. */
function createLengthReader(length: number): BodyReader {
  let left = length;
  return {
    read(bytes, from, content) {
      const end = Math.min(bytes.length, from + left);
      if (end > from) content(from === 0 && end === bytes.length ? bytes : bytes.subarray(from, end));
      left -= end - from;
      return left === 0 ? end : undefined;
    },
  };
}

/** Reads what comes until the connection ends. */
const UNTIL_CLOSE: BodyReader = {
  read(bytes, from, content) {
    if (from < bytes.length) content(bytes.subarray(from));
    return undefined;
  },
};
