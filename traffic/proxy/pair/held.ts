import { MAX_BODY } from '#target';
import { headBytes, type ResponseHead } from '../wire/request-head.ts';

/** A response that is held back until it is judged. */
export interface Held {
  add(bytes: Buffer): void;
  /** So much more content has come: more than is held back, or of a kind that never ends. */
  isTooLong(length: number): boolean;
  annotate(lines: readonly string[]): void;
  parts(): readonly Buffer[];
}

export function createHeld(head: ResponseHead, raw: Buffer): Held {
  const body: Buffer[] = [];
  let first = head.forwarded ?? raw;
  let held = 0;
  const isEndless = head.fields.some(
    ({ key, value }) => key === 'content-type' && /^text\/event-stream\b/i.test(value),
  );
  return {
    add: (bytes) => void body.push(bytes),
    isTooLong(length) {
      held += length;
      return held > MAX_BODY || isEndless;
    },
    annotate(lines) {
      first = headBytes(head.firstLine, [...head.lines, ...lines]);
    },
    parts: () => [first, ...body],
  };
}
