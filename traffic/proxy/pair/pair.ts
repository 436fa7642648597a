import type { Socket } from 'node:net';
import { MalformedMessage } from '../wire/fields.ts';
import { type OwnResponse, ownResponse, type RequestHead, readRequestHead } from '../wire/heads.ts';
import { MessageReader } from '../wire/message-reader.ts';
import type { PairContext } from './context.ts';
import { type Exchange, Exchanges } from './exchanges.ts';
import { HeldRequest } from './held-request.ts';
import { linger, nameOf, Outlet } from './sockets.ts';
import { TargetConnection } from './target-connection.ts';

/** What {@link Pair} does on each event while requests and responses pass; the names are those of its methods. */
const EXCHANGING = {
  clientSends: 'readRequests',
  clientEnds: 'awaitResponses',
  clientCloses: 'abandon',
  targetSends: 'readResponses',
  targetEnds: 'endLastResponse',
  targetIsLost: 'repeatOrFail',
  proxyCloses: 'finishWhenIdle',
} as const;

/** What it does on each event in each state. */
const ACTIONS = {
  /** Requests are sent on, and responses come back. */
  serving: EXCHANGING,
  /**
   * No further request begins, and with the last response the pair ends: since a message says `Connection: close`, a
   * request is one to the proxy itself, or the proxy closes.
   */
  ending: { ...EXCHANGING, proxyCloses: 'ignore' },
  /** The same, since what the client sent is no request: it is answered last, and nothing more of it is read. */
  refused: { ...EXCHANGING, clientSends: 'ignore', proxyCloses: 'ignore' },
  /** The target has switched to another protocol (101). */
  tunnel: {
    clientSends: 'passToTarget',
    clientEnds: 'passEndToTarget',
    clientCloses: 'abandon',
    targetSends: 'passToClient',
    targetEnds: 'passEndToClient',
    targetIsLost: 'finish',
    proxyCloses: 'finishAfterNext',
  },
  /** Both connections are ended, or that of the client belongs to the control API. */
  over: {
    clientSends: 'ignore',
    clientEnds: 'ignore',
    clientCloses: 'abandon',
    targetSends: 'ignore',
    targetEnds: 'ignore',
    targetIsLost: 'ignore',
    proxyCloses: 'ignore',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<keyof typeof EXCHANGING, string>>>>;

/** Requests of one connection that wait for their responses; what follows them is read later. */
const MOST_WAITING = 64;
/** Bytes that are kept unread. */
const MOST_UNREAD = 64 * 1024;

/** The connection of a client, and the one to the target that belongs to it alone: they live and end together. */
export class Pair {
  readonly #client: Socket;
  readonly #context: PairContext;
  readonly #toClient = new Outlet();
  readonly #target: TargetConnection;
  readonly #exchanges: Exchanges;
  readonly #requests: MessageReader;
  #responses: MessageReader;
  #state: keyof typeof ACTIONS = 'serving';
  /** What is done when all requests are responded to, in place of reading on. */
  #last: (() => void) | undefined;
  /** Responses that came on this connection of the target. */
  #responded = 0;
  /** The client has ended its side while it waited: it may be gone, and many targets then end theirs. */
  #hasClientLeft = false;
  #isOwn: boolean | undefined;
  /** The request that comes in, where it is held back until it is judged. */
  #held: HeldRequest | undefined;
  readonly #listeners: readonly (readonly [event: string, listener: (bytes: Buffer) => void])[];

  constructor(client: Socket, context: PairContext) {
    this.#client = client;
    this.#context = context;
    this.#exchanges = new Exchanges(context, this.#toClient);
    this.#target = new TargetConnection(context, {
      connects: () => {
        this.#responded = 0;
        this.#responses = this.#createResponseReader();
      },
      sends: (bytes) => this[ACTIONS[this.#state].targetSends](bytes),
      ends: () => this[ACTIONS[this.#state].targetEnds](),
      isLost: (reason) => this[ACTIONS[this.#state].targetIsLost](reason),
      takesMore: () => this.#settle(),
    });
    this.#requests = new MessageReader({
      head: (text, raw) => this.#beginRequest(text, raw),
      raw: (bytes) => (this.#held ? this.#held.addRaw(bytes) : this.#target.add(bytes)),
      content: (part) => this.#addContent(part),
      end: () => {
        if (this.#held) this.#screen(this.#held, this.#held.body);
        this.#held = undefined;
        this.#exchanges.endRequest();
        return this.#mayReadOn();
      },
    });
    this.#responses = this.#createResponseReader();
    client.setNoDelay(true);
    this.#listeners = [
      ['data', (bytes) => this[ACTIONS[this.#state].clientSends](bytes)],
      ['drain', () => this.#target.resume()],
      ['end', () => this[ACTIONS[this.#state].clientEnds]()],
      ['close', () => this[ACTIONS[this.#state].clientCloses]()],
      // It closes next.
      ['error', () => {}],
    ];
    for (const [event, listener] of this.#listeners) client.on(event, listener);
  }

  /** Goes on with a connection on which these bytes came. */
  take(bytes: Buffer): void {
    this.#client.resume();
    this.readRequests(bytes);
    if (this.#client.readableEnded) this[ACTIONS[this.#state].clientEnds]();
  }

  /** Ends the pair when no request is under way, or at once. */
  close(isHard = false): void {
    if (isHard) this.finish();
    else this[ACTIONS[this.#state].proxyCloses]();
  }

  // Of the client

  private readRequests(bytes: Buffer): void {
    this.#read(() => this.#requests.push(bytes));
  }

  #read(read: () => void): void {
    try {
      read();
    } catch (error) {
      this.#sendToTarget();
      this.#refuse(error);
      return;
    }
    this.#sendToTarget();
    if (this.#context.screen) this.#sendToClient();
    this.#settle();
  }

  #beginRequest(text: string, raw: Buffer) {
    if (this.#state !== 'serving') return 'stop';
    const head = readRequestHead(text, this.#context.dialer.changes);
    if (this.#context.isOthers(head)) {
      const first = Buffer.from(raw);
      this.#endWith(() => this.#giveAway(first, head));
      return 'stop';
    }
    if (this.#isLoop()) throw new MalformedMessage('the target leads back to the proxy itself', 508);
    if (this.#context.screen) {
      this.#held = new HeldRequest(head);
      if (this.#held.isWaiting && this.#exchanges.count === 0) this.#client.write(CONTINUE);
    } else this.#sendOn(head);
    return head.length;
  }

  #sendOn(head: RequestHead): void {
    this.#exchanges.begin(head);
    this.#target.add(head.forwarded);
    this.#target.dial();
  }

  #addContent(part: Buffer): void {
    if (this.#held && !this.#held.addContent(part)) this.#screen(this.#held, 'unknown');
    if (!this.#held) this.#exchanges.requestContent(part);
  }

  /** Sends on a request that was held back, or responds to it. */
  #screen(held: HeldRequest, body: Buffer | 'unknown'): void {
    if (held.isRefused) return;
    const { head, raw, content } = held;
    const response = this.#context.screen?.(head, body);
    if (response) {
      held.refuse();
      this.#exchanges.refuse(response);
      if (head.closes) this.#endWith(() => this.finish());
      return;
    }
    this.#held = undefined;
    this.#sendOn(head);
    for (const part of content) this.#exchanges.requestContent(part);
    for (const bytes of raw) this.#target.add(bytes);
  }

  /** The connection is one that this proxy has opened itself. */
  #isLoop(): boolean {
    const { opened } = this.#context;
    this.#isOwn ??= opened.size > 0 && opened.has(nameOf(this.#client, 'by them'));
    return this.#isOwn;
  }

  #mayReadOn(): boolean {
    if (this.#state !== 'serving' || this.#exchanges.count >= MOST_WAITING) return false;
    const { last } = this.#exchanges;
    if (last && last.refused.length >= MOST_WAITING) return false;
    return !last || (!last.head.upgrades && !last.head.closes);
  }

  /** What came is no request: the client learns it after the responses to what came before it. */
  #refuse(error: unknown): void {
    if (!(error instanceof MalformedMessage)) throw error;
    const { status, message } = error;
    this.#context.counts.refused += 1;
    this.#state = 'refused';
    if (this.#exchanges.breakOffRequest()?.response) {
      this.finish();
      return;
    }
    const detail = `This is no request: ${message}`;
    this.#last = () => this.#answer({ status, problem: { detail } }, 'GET');
    this.#settle();
  }

  /** Only the target knows what it makes of that: it may still respond. */
  private awaitResponses(): void {
    if (this.#exchanges.count === 0) {
      this.finish();
      return;
    }
    this.#hasClientLeft = true;
    if (this.#target.isOpen) this.#target.end();
    else this.#destroy();
  }

  private abandon(): void {
    this.#exchanges.drop('abandoned');
    this.#destroy();
  }

  // Of the target

  #createResponseReader(): MessageReader {
    return new MessageReader({
      head: (text, raw) => {
        const length = this.#exchanges.beginResponse(text, raw);
        if (length === 'stop') this.#state = 'tunnel';
        return length;
      },
      raw: (bytes) => this.#exchanges.responseBytes(bytes),
      content: (part) => this.#exchanges.responseContent(part),
      end: () => this.#endResponse(),
    });
  }

  private readResponses(bytes: Buffer): void {
    try {
      this.#responses.push(bytes);
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      this.#hasClientLeft = false;
      this.#target.lose(`what it answers is no HTTP/1.1: ${error.message}`);
      return;
    }
    if (this.#state === 'tunnel') this.#beginTunnel();
    this.#sendToClient();
    this.#settle();
  }

  #endResponse(): boolean {
    this.#responded += 1;
    if (this.#exchanges.endResponse(this.#hasClientLeft)) this.#endWith(() => this.finish());
    return !(this.#last && this.#exchanges.count === 0);
  }

  private endLastResponse(): void {
    if (this.#exchanges.first?.response?.length !== 'until close') {
      this.#target.loseInResponse();
      return;
    }
    this.#endResponse();
    this.#sendToClient();
    this.finish();
  }

  private repeatOrFail(reason: string): void {
    const { first, isReturning } = this.#exchanges;
    if (!first) {
      const end = this.#last ?? (() => this.finish());
      end();
      return;
    }
    if (this.#mayRepeat(first)) {
      this.#responded = 0;
      this.#target.add(first.head.forwarded);
      this.#target.dial();
      return;
    }
    // A target that ends a connection because its client did has done nothing wrong.
    if (this.#hasClientLeft) this.#exchanges.drop('abandoned');
    else {
      this.#exchanges.drop('failed');
      this.#context.notice(first.head, `the target gave no whole response: ${reason}`);
    }
    // A part of a response cannot be taken back: the client sees that it breaks off, as without a proxy.
    if (isReturning) this.finish();
    else
      this.#answer(
        { status: 502, problem: { detail: `The target gave no whole response: ${reason}` } },
        first.head.method,
      );
  }

  /** A target may close a connection that was long idle in the moment in which the next request comes (RFC 9112 §9.3.1). */
  #mayRepeat({ head, isWhole, response }: Exchange): boolean {
    const isSafe = SAFE.has(head.method) && head.length === 0 && isWhole && !head.upgrades;
    const isFirstSign = response === undefined && !this.#responses.isInside && !this.#hasClientLeft;
    return isSafe && isFirstSign && this.#responded > 0 && this.#exchanges.count === 1;
  }

  // Of both, as a tunnel

  #beginTunnel(): void {
    this.#exchanges.upgrade();
    this.#toClient.add(this.#responses.takeRest());
    this.#target.add(this.#requests.takeRest());
    this.#sendToTarget();
  }

  private passToTarget(bytes: Buffer): void {
    this.#target.add(bytes);
    this.#sendToTarget();
  }

  private passToClient(bytes: Buffer): void {
    this.#toClient.add(bytes);
    this.#sendToClient();
    this.#settle();
  }

  private passEndToTarget(): void {
    this.#target.end();
  }

  private passEndToClient(): void {
    this.#client.end();
  }

  // What is sent, and what is read next

  #sendToTarget(): void {
    this.#target.flush();
    if (this.#target.isFull) this.#client.pause();
  }

  #sendToClient(): void {
    if (!this.#toClient.flush(this.#client)) this.#target.pause();
  }

  /** After each event: goes on with what waited for it. */
  #settle(): void {
    if (this.#state === 'over') return;
    if (this.#last && this.#exchanges.count === 0) {
      this.#last();
      return;
    }
    if (this.#mayReadOn() && this.#requests.isStopped) {
      this.#read(() => this.#requests.resume());
      return;
    }
    const isFull = this.#requests.isStopped && this.#requests.unread > MOST_UNREAD;
    if (this.#target.isFull || isFull) this.#client.pause();
    else if (this.#client.isPaused()) this.#client.resume();
  }

  // The end

  private ignore(): void {}

  private finishWhenIdle(): void {
    if (this.#exchanges.count === 0 && !this.#requests.isInside) this.finish();
    else this.#endWith(() => this.finish());
  }

  /** With what the target sends next: when a tunnel is idle, only its ends know. */
  private finishAfterNext(): void {
    this.#last ??= () => this.finish();
  }

  #endWith(last: () => void): void {
    if (this.#state === 'serving') this.#state = 'ending';
    this.#last ??= last;
  }

  /** The proxy responds itself, and ends the connection. */
  #answer(response: OwnResponse, method: string): void {
    this.#toClient.add(ownResponse(response, { method, closes: true }));
    this.finish();
  }

  private finish(): void {
    this.#state = 'over';
    this.#toClient.flush(this.#client);
    this.#target.close();
    linger(this.#client);
  }

  #giveAway(first: Buffer, head: RequestHead): void {
    this.#state = 'over';
    this.#target.close();
    this.#client.pause();
    for (const [event, listener] of this.#listeners) this.#client.off(event, listener);
    this.#context.takeOver(this.#client, Buffer.concat([first, this.#requests.takeRest()]), head);
  }

  #destroy(): void {
    this.#state = 'over';
    this.#client.destroy();
    this.#target.close();
  }
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
