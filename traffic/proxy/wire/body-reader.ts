import { isFieldLine } from './fields.ts';
import { MalformedMessage } from './malformed-message.ts';

/** Finds the end of a body, and what of its bytes is content. */
export interface BodyReader {
  /**
   * Reads on, from `from`.
   * @param content receives the content, without what delimits it
   * @returns where the body ends in these bytes; undefined: it goes on in further ones
   */
  read(bytes: Buffer, from: number, content: (part: Buffer) => void): number | undefined;
}

const CR = 13;
const LF = 10;

/** Bytes of a line that are not content: a size with its extensions, or the trailer section as a whole. */
const LONGEST_LINE = 16 * 1024;

type Part = 'size' | 'data' | 'data end' | 'trailer';

/** Reads `Transfer-Encoding: chunked` (RFC 9112 §7.1), strictly: each line ends with CR LF. */
export function createChunkedReader(): BodyReader {
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
export function createLengthReader(length: number): BodyReader {
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
export const UNTIL_CLOSE: BodyReader = {
  read(bytes, from, content) {
    if (from < bytes.length) content(bytes.subarray(from));
    return undefined;
  },
};
