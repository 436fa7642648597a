import { MAX_BODY } from '#target';
import { type BodyLength, MalformedMessage } from '../wire/fields.ts';
import {
  headBytes,
  ownResponse,
  type RequestHead,
  type ResponseHead,
  readResponseHead,
} from '../wire/heads.ts';
import { isStream } from '../wire/stream.ts';
import type { PairContext, Witness } from './context.ts';
import type { Outlet } from './sockets.ts';

/** A request that was sent, and not yet responded to. */
export interface Exchange {
  readonly head: RequestHead;
  readonly witness: Witness;
  /** The request was sent on as a whole. */
  isWhole: boolean;
  /** Its response has begun. */
  response: ResponseHead | undefined;
  /** The responses to the requests behind it that were not sent on. */
  readonly refused: Buffer[];
}

const NEW = { isWhole: false, response: undefined };

/** The requests of one connection that wait for their responses, in their order, and the response that comes in. */
export class Exchanges {
  readonly #context: PairContext;
  readonly #toClient: Outlet;
  readonly #waiting: Exchange[] = [];
  /** The request that is being sent on; its response may already be there. */
  #sending: Exchange | undefined;
  /** The response that comes in, where it is held back until it is judged. */
  #held: Held | undefined;

  constructor(context: PairContext, toClient: Outlet) {
    this.#context = context;
    this.#toClient = toClient;
  }

  get count(): number {
    return this.#waiting.length;
  }

  /** The one whose response is next. */
  get first(): Exchange | undefined {
    return this.#waiting[0];
  }

  get last(): Exchange | undefined {
    return this.#waiting.at(-1);
  }

  /** The client has a part of a response. */
  get isReturning(): boolean {
    return this.first?.response !== undefined && this.#held === undefined;
  }

  begin(head: RequestHead): void {
    this.#context.counts.requests += 1;
    this.#sending = { head, witness: this.#context.witness(head), ...NEW, refused: [] };
    this.#waiting.push(this.#sending);
  }

  /** A request is not sent on: it is responded to after those before it. */
  refuse(response: Buffer): void {
    if (this.last) this.last.refused.push(response);
    else this.#toClient.add(response);
  }

  requestContent(part: Buffer): void {
    this.#sending?.witness.requestContent(part);
  }

  endRequest(): void {
    if (!this.#sending) return;
    this.#sending.isWhole = true;
    this.#sending.witness.requestEnd();
    this.#sending = undefined;
  }

  /** The request breaks off: the target waits for the rest of it. Returns it, if there is one. */
  breakOffRequest(): Exchange | undefined {
    const broken = this.#sending;
    if (broken && this.last === broken) this.#waiting.pop();
    broken?.witness.drop('abandoned');
    return broken;
  }

  /** @returns 'stop': the connection becomes one of another protocol (101) */
  beginResponse(text: string, raw: Buffer): BodyLength | 'none' | 'stop' {
    const { first } = this;
    if (!first) throw new MalformedMessage('a response came without a request');
    const head = readResponseHead(text, first.head.method === 'HEAD' ? 'HEAD' : 'GET');
    const isSwitch = head.status === 101;
    if (isSwitch && (!first.head.upgrades || this.count > 1))
      throw new MalformedMessage('it switches to another protocol (101), which nobody asked for');
    if (head.status < 200) {
      this.#toClient.add(head.forwarded ?? raw);
      return isSwitch ? 'stop' : 'none';
    }
    first.response = head;
    first.witness.responseHead(head);
    // What may never end cannot wait for its end.
    if (this.#context.holds && !isStream(head)) this.#held = new Held(head, raw);
    else this.#toClient.add(head.forwarded ?? raw);
    return head.length;
  }

  responseBytes(bytes: Buffer): void {
    (this.#held ?? this.#toClient).add(bytes);
  }

  responseContent(part: Buffer): void {
    const isKept = this.first?.witness.responseContent(part);
    if (this.#held && (this.#held.isTooLong(part.length) || isKept === false)) this.#release();
  }

  /**
   * @param hasClientLeft of what ends with the connection nobody knows then whether it is whole
   * @returns whether client or target ends the connection after it
   */
  endResponse(hasClientLeft: boolean): boolean {
    const { head, response, witness, isWhole, refused } = this.#waiting.shift() as Exchange;
    const closes = head.closes || (response?.closes ?? false);
    if (hasClientLeft && (!isWhole || response?.length === 'until close')) {
      this.#drop(witness, 'abandoned');
    } else witness.responseEnd();
    const replacement = this.#held && witness.replacement();
    if (replacement && 'status' in replacement) {
      this.#held = undefined;
      this.#toClient.add(ownResponse(replacement, { method: head.method, closes }));
    } else {
      if (replacement) this.#held?.annotate(replacement.lines);
      this.#release();
    }
    if (!closes) for (const own of refused) this.#toClient.add(own);
    return closes;
  }

  /** The only one has become a connection of another protocol. */
  upgrade(): void {
    this.#context.counts.upgraded += 1;
    this.#waiting.shift()?.witness.drop('upgraded');
  }

  /** What is still waiting gets no response. */
  drop(why: 'abandoned' | 'failed'): void {
    for (const { witness } of this.#waiting.splice(0)) this.#drop(witness, why);
  }

  #drop(witness: Witness, why: 'abandoned' | 'failed'): void {
    if (!witness.drop(why)) this.#context.counts[why] += 1;
  }

  #release(): void {
    const held = this.#held;
    this.#held = undefined;
    for (const part of held?.parts ?? []) this.#toClient.add(part);
  }
}

/** A response that is held back until it is judged. */
class Held {
  readonly parts: Buffer[];
  readonly #head: ResponseHead;
  #length = 0;

  constructor(head: ResponseHead, raw: Buffer) {
    this.parts = [head.forwarded ?? raw];
    this.#head = head;
  }

  add(bytes: Buffer): void {
    this.parts.push(bytes);
  }

  /** So much more content has come: more than is held back. */
  isTooLong(length: number): boolean {
    this.#length += length;
    return this.#length > MAX_BODY;
  }

  annotate(lines: readonly string[]): void {
    this.parts[0] = headBytes(this.#head.firstLine, [...this.#head.lines, ...lines]);
  }
}
