import type { Socket } from 'node:net';
import { explainWireError } from '#target';
import { MalformedMessage } from '../wire/fields.ts';
import { createMessageReader, type MessageReader } from '../wire/message-reader.ts';
import {
  type OwnResponse,
  ownResponse,
  parseRequestHead,
  parseResponseHead,
  type RequestHead,
  type ResponseHead,
} from '../wire/request-head.ts';
import { isAdminTarget, type PairContext, type Witness } from './context.ts';
import { createHeld, type Held } from './held.ts';
import { createMemo } from './memo.ts';
import { createOutlet, linger, nameOf } from './outlet.ts';

/** A request that was sent, and not yet responded to. */
interface Waiting {
  readonly head: RequestHead;
  readonly witness: Witness;
  /** The request was sent on as a whole. */
  isWhole: boolean;
  /** Its response has begun. */
  response: ResponseHead | undefined;
}

/** Requests of one connection that wait for their responses; what follows them is read later. */
const MOST_WAITING = 64;
/** Bytes that are kept unread. */
const MOST_UNREAD = 64 * 1024;

/** The connection of a client, and the one to the target that belongs to it alone: they live and end together. */
export class Pair {
  readonly #client: Socket;
  readonly #context: PairContext;
  readonly #waiting: Waiting[] = [];
  /** The request that is being sent on; its response may already be there. */
  #sending: Waiting | undefined;
  readonly #requests: MessageReader;
  #responses: MessageReader;
  readonly #toTarget = createOutlet();
  readonly #toClient = createOutlet();
  #target: Socket | undefined;
  #stopDialing: (() => void) | undefined;
  /** Responses that came on this connection of the target. */
  #responded = 0;
  #isTunnel = false;
  /** Nothing more is read or sent. */
  #isOver = false;
  /** The client has ended its side while it waited: it may be gone, and many targets then end theirs. */
  #hasClientLeft = false;
  /** What is done when all waiting requests are responded to, in place of reading on. */
  #then: (() => void) | undefined;
  #held: Held | undefined;
  #isTargetFull = false;
  /** What came was no request: what follows is read no more. */
  #isRefused = false;
  #isOwn: boolean | undefined;

  constructor(client: Socket, context: PairContext) {
    this.#client = client;
    this.#context = context;
    this.#requests = createMessageReader({
      head: (text, raw) => this.#beginRequest(text, raw),
      raw: (bytes) => this.#toTarget.add(bytes),
      content: (part) => this.#sending?.witness.requestContent(part),
      end: () => this.#endRequest(),
    });
    this.#responses = this.#createResponseReader();
    client.setNoDelay(true);
    client.on('data', (bytes) => this.#fromClient(bytes));
    client.on('drain', () => this.#target?.resume());
    client.on('end', () => this.#clientEnded());
    client.on('close', () => this.#clientClosed());
    // It closes next.
    client.on('error', () => {});
  }

  /** No request is under way. */
  get isIdle(): boolean {
    return this.#waiting.length === 0 && !this.#requests.isInside() && !this.#isTunnel;
  }

  /** Ends the pair when it is idle, or at once. */
  close(isHard = false): void {
    if (isHard || this.isIdle) this.#finish();
    else this.#then ??= () => this.#finish();
  }

  destroy(): void {
    this.#isOver = true;
    this.#client.destroy();
    this.#target?.destroy();
    this.#stopDialing?.();
  }

  #fromClient(bytes: Buffer): void {
    if (this.#isOver || this.#isRefused) return;
    if (this.#isTunnel) {
      this.#toTarget.add(bytes);
      this.#sendToTarget();
      return;
    }
    this.#readRequests(() => this.#requests.push(bytes));
  }

  #readRequests(read: () => void): void {
    try {
      read();
    } catch (error) {
      this.#sendToTarget();
      this.#refuse(error);
      return;
    }
    this.#sendToTarget();
    this.#settle();
  }

  #beginRequest(text: string, raw: Buffer) {
    if (this.#isOver || this.#then) return 'stop';
    const head = REQUESTS(text, this.#context.dialer.changes);
    if (isAdminTarget(head.target)) {
      const first = Buffer.from(raw);
      this.#then = () => this.#giveAway(first);
      return 'stop';
    }
    if (this.#isLoop()) throw new MalformedMessage('the target leads back to the proxy itself', 508);
    this.#context.counts.requests += 1;
    this.#sending = { head, witness: this.#context.witness(head), isWhole: false, response: undefined };
    this.#waiting.push(this.#sending);
    this.#toTarget.add(head.forwarded);
    this.#dial();
    return head.length;
  }

  /** The connection is one that this proxy has opened itself. */
  #isLoop(): boolean {
    const { opened } = this.#context;
    this.#isOwn ??= opened.size > 0 && opened.has(nameOf(this.#client, 'by them'));
    return this.#isOwn;
  }

  #endRequest(): boolean {
    if (this.#sending) {
      this.#sending.isWhole = true;
      this.#sending.witness.requestEnd();
      this.#sending = undefined;
    }
    return this.#mayReadOn();
  }

  #mayReadOn(): boolean {
    if (this.#waiting.length >= MOST_WAITING || this.#then) return false;
    const last = this.#waiting.at(-1);
    return !last || (!last.head.upgrades && !last.head.closes);
  }

  #dial(): void {
    if (this.#target || this.#stopDialing) return;
    this.#stopDialing = this.#context.dialer.dial(
      (socket) => this.#connectedTo(socket),
      (error) => this.#lost(explainWireError(error)),
    );
    if (this.#target) this.#stopDialing = undefined;
  }

  #connectedTo(socket: Socket): void {
    this.#stopDialing = undefined;
    if (this.#isOver) return void socket.destroy();
    this.#target = socket;
    this.#responded = 0;
    this.#responses = this.#createResponseReader();
    const { opened } = this.#context;
    let own = '';
    const isCurrent = () => this.#target === socket;
    socket.setNoDelay(true);
    socket.once('connect', () => {
      own = nameOf(socket, 'by us');
      opened.add(own);
    });
    socket.on('data', (bytes) => isCurrent() && this.#fromTarget(bytes));
    socket.on('drain', () => {
      this.#isTargetFull = false;
      if (isCurrent()) this.#settle();
    });
    socket.on('end', () => isCurrent() && this.#targetEnded());
    socket.on('error', (error) => isCurrent() && this.#lost(explainWireError(error)));
    socket.on('close', () => {
      opened.delete(own);
      if (isCurrent()) this.#lost('the connection was closed before the whole answer had come');
    });
    const wasFull = this.#isTargetFull;
    this.#isTargetFull = false;
    this.#sendToTarget();
    if (wasFull) this.#settle();
  }

  #sendToTarget(): void {
    if (this.#target?.destroyed) return;
    // An HTTP proxy on the way may take any time to open a tunnel.
    const takesMore = this.#target
      ? this.#toTarget.flush(this.#target)
      : this.#toTarget.waiting() <= MOST_UNREAD;
    if (takesMore) return;
    this.#isTargetFull = true;
    this.#client.pause();
  }

  #sendToClient(): void {
    if (!this.#toClient.flush(this.#client)) this.#target?.pause();
  }

  #createResponseReader(): MessageReader {
    return createMessageReader({
      head: (text, raw) => this.#beginResponse(text, raw),
      raw: (bytes) => (this.#held ?? this.#toClient).add(bytes),
      content: (part) => this.#responseContent(part),
      end: () => this.#endResponse(),
    });
  }

  #fromTarget(bytes: Buffer): void {
    if (this.#isTunnel) this.#toClient.add(bytes);
    else {
      try {
        this.#responses.push(bytes);
      } catch (error) {
        if (!(error instanceof MalformedMessage)) throw error;
        this.#hasClientLeft = false;
        this.#lost(`what it answers is no HTTP/1.1: ${error.message}`);
        return;
      }
      if (this.#isTunnel) this.#beginTunnel();
    }
    this.#sendToClient();
    this.#settle();
  }

  #beginResponse(text: string, raw: Buffer) {
    const first = this.#waiting[0];
    if (!first) throw new MalformedMessage('a response came without a request');
    const head = RESPONSES(text, first.head.method === 'HEAD' ? 'HEAD' : 'GET');
    if (head.status === 101) {
      if (!first.head.upgrades || this.#waiting.length > 1)
        throw new MalformedMessage('it switches to another protocol (101), which nobody asked for');
      this.#isTunnel = true;
      this.#toClient.add(head.forwarded ?? raw);
      return 'stop';
    }
    if (head.status < 200) {
      this.#toClient.add(head.forwarded ?? raw);
      return 'none';
    }
    first.response = head;
    first.witness.responseHead(head);
    if (this.#context.holds) this.#held = createHeld(head, raw);
    else this.#toClient.add(head.forwarded ?? raw);
    return head.length;
  }

  #responseContent(part: Buffer): void {
    const isKept = this.#waiting[0]?.witness.responseContent(part);
    if (this.#held && (this.#held.isTooLong(part.length) || isKept === false)) this.#release();
  }

  #release(): void {
    const held = this.#held;
    this.#held = undefined;
    for (const part of held?.parts() ?? []) this.#toClient.add(part);
  }

  #endResponse(): boolean {
    const { head, response, witness, isWhole } = this.#waiting.shift() as Waiting;
    this.#responded += 1;
    // Of what ends with the connection nobody knows whether it is whole, if the client has ended it.
    if (this.#hasClientLeft && (!isWhole || response?.length === 'until close')) {
      this.#context.counts.abandoned += 1;
      witness.drop('abandoned');
    } else witness.responseEnd();
    const replacement = this.#held && witness.replacement();
    if (replacement && 'status' in replacement) {
      this.#held = undefined;
      const closes = head.closes || (response?.closes ?? false);
      this.#toClient.add(ownResponse(replacement, { method: head.method, closes }));
    } else {
      if (replacement) this.#held?.annotate(replacement.lines);
      this.#release();
    }
    if (head.closes || response?.closes) this.#then ??= () => this.#finish();
    return !(this.#then && this.#waiting.length === 0);
  }

  /** After each event: goes on with what waited for it. */
  #settle(): void {
    if (this.#isOver) return;
    if (this.#then) {
      if (this.#waiting.length === 0) this.#then();
      return;
    }
    if (this.#isTunnel) {
      if (!this.#isTargetFull) this.#client.resume();
      return;
    }
    if (this.#mayReadOn() && this.#requests.isStopped()) {
      this.#readRequests(() => this.#requests.resume());
      return;
    }
    const isFull = this.#requests.isStopped() && this.#requests.unread() > MOST_UNREAD;
    if (this.#isTargetFull || isFull) this.#client.pause();
    else if (this.#client.isPaused()) this.#client.resume();
  }

  #beginTunnel(): void {
    this.#context.counts.upgraded += 1;
    this.#waiting.shift()?.witness.drop('upgraded');
    this.#toClient.add(this.#responses.takeRest());
    this.#toTarget.add(this.#requests.takeRest());
    this.#sendToTarget();
  }

  #clientEnded(): void {
    if (this.#isOver) return;
    // Only the target knows what it makes of that: it may still respond.
    if (this.#waiting.length > 0 || this.#isTunnel) {
      this.#hasClientLeft = true;
      if (this.#target) this.#target.end();
      else this.destroy();
    } else this.#finish();
  }

  #clientClosed(): void {
    this.#drop('abandoned');
    this.destroy();
  }

  /** What is still waiting gets no response. */
  #drop(why: 'abandoned' | 'failed'): void {
    for (const { witness } of this.#waiting.splice(0)) {
      this.#context.counts[why] += 1;
      witness.drop(why);
    }
  }

  #targetEnded(): void {
    if (this.#isTunnel) return void this.#client.end();
    if (this.#waiting[0]?.response?.length === 'until close') {
      this.#endResponse();
      this.#sendToClient();
      this.#finish();
      return;
    }
    this.#lost('the connection was closed before the whole answer had come');
  }

  /** The connection to the target is over, and no other has taken its place. */
  #lost(reason: string): void {
    const target = this.#target;
    this.#target = undefined;
    this.#stopDialing = undefined;
    target?.destroy();
    if (this.#isOver) return;
    const [first] = this.#waiting;
    if (!first || this.#isTunnel) {
      if (first || !this.#then) this.#finish();
      else this.#then();
      return;
    }
    if (!first.response && !this.#hasClientLeft && this.#mayRepeat(first)) {
      this.#responded = 0;
      this.#toTarget.add(first.head.forwarded);
      this.#dial();
      return;
    }
    const isBegun = first.response && !this.#held;
    // A target that ends a connection because its client did has done nothing wrong.
    if (this.#hasClientLeft) this.#drop('abandoned');
    else {
      this.#drop('failed');
      this.#context.tell(first.head, `the target gave no whole response: ${reason}`);
    }
    // A part of a response cannot be taken back: the client sees that it breaks off, as without a proxy.
    if (isBegun) this.#finish();
    else
      this.#answer(
        { status: 502, problem: { detail: `The target gave no whole response: ${reason}` } },
        first.head.method,
      );
  }

  /** A target may close a connection that was long idle in the moment in which the next request comes (RFC 9112 §9.3.1). */
  #mayRepeat({ head, isWhole }: Waiting): boolean {
    const isSafe = SAFE.has(head.method) && head.length === 0 && isWhole && !head.upgrades;
    return isSafe && this.#responded > 0 && this.#waiting.length === 1 && !this.#responses.isInside();
  }

  /** What came is no request: told after the responses to what came before it. */
  #refuse(error: unknown): void {
    if (!(error instanceof MalformedMessage)) throw error;
    const { status, message } = error;
    this.#context.counts.refused += 1;
    this.#isRefused = true;
    const broken = this.#sending;
    const answer = () =>
      this.#answer({ status, problem: { detail: `This is no request: ${message}` } }, 'GET');
    // The body broke off: the target waits for the rest of it.
    if (broken) {
      if (this.#waiting.at(-1) === broken) this.#waiting.pop();
      broken.witness.drop('abandoned');
      if (broken.response) {
        this.#finish();
        return;
      }
    }
    this.#then = answer;
    this.#settle();
  }

  /** The proxy responds itself, and ends the connection. */
  #answer(response: OwnResponse, method: string): void {
    this.#isOver = true;
    this.#toClient.add(ownResponse(response, { method, closes: true }));
    this.#toClient.flush(this.#client);
    this.#dropTarget();
    linger(this.#client);
  }

  #finish(): void {
    this.#isOver = true;
    this.#toClient.flush(this.#client);
    this.#dropTarget();
    linger(this.#client);
  }

  #dropTarget(): void {
    const target = this.#target;
    this.#target = undefined;
    this.#stopDialing?.();
    target?.destroy();
  }

  #giveAway(first: Buffer): void {
    this.#isOver = true;
    this.#dropTarget();
    const bytes = Buffer.concat([first, this.#requests.takeRest()]);
    this.#context.takeOver(this.#client, bytes);
  }
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Clients and targets repeat their heads: most differ by nothing, or by the second in Date. */
const REQUESTS = createMemo(parseRequestHead);
const RESPONSES = createMemo(parseResponseHead);
