import { MAX_BODY } from '#target';
import type { RequestHead } from '../wire/heads.ts';

/** A request that is held back until it is known whole, and judged. */
export class HeldRequest {
  readonly head: RequestHead;
  /** As it came, behind the head. */
  readonly raw: Buffer[] = [];
  readonly content: Buffer[] = [];
  /** It was refused before it was whole: the rest of it is thrown away. */
  isRefused = false;
  #length = 0;

  constructor(head: RequestHead) {
    this.head = head;
  }

  addRaw(bytes: Buffer): void {
    if (!this.isRefused) this.raw.push(bytes);
  }

  /** False: so much is not held back. */
  addContent(part: Buffer): boolean {
    if (this.isRefused) return true;
    this.#length += part.length;
    if (this.#length > MAX_BODY) return false;
    this.content.push(part);
    return true;
  }

  refuse(): void {
    this.isRefused = true;
    this.raw.length = 0;
    this.content.length = 0;
  }

  get body(): Buffer {
    return Buffer.concat(this.content);
  }

  /** The client sends its body when it is told to (RFC 9110 §10.1.1). */
  get isWaiting(): boolean {
    return (
      this.head.length !== 0 &&
      this.head.fields.some(({ key, value }) => key === 'expect' && /^100-continue$/i.test(value))
    );
  }
}
