import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Responses that may be in the making at once, such as those of a latency, whose sizes nobody knows yet. */
const MOST_IN_THE_MAKING = 8;

/** Characters of responses that are made and not yet with the system, before the next request has to wait. */
const MOST_UNSENT = 2 ** 16;

interface Turn {
  readonly request: IncomingMessage;
  readonly start: () => void;
}

/**
 * The requests of one connection, which a client may send without waiting for responses (RFC 9112 §9.3.2). Node
 * dispatches all that a packet holds, and keeps each response until its client has read those before it: a few packets
 * would fill the memory. Here a request starts only while few of the earlier responses are unsent, and never for a client
 * that has gone.
 */
export class Pipeline {
  readonly #socket: Socket;
  #waiting: Turn[] = [];
  /** Started, and not yet handed to the engine. */
  #reading: IncomingMessage | undefined;
  /** Of the request that was handed to the engine last. Responses are sent in order: it is the last to be finished. */
  #last: ServerResponse | undefined;
  #awaited: ServerResponse | undefined;
  #inTheMaking = 0;
  #unsent = 0;
  #refuse: (() => void) | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.once('close', () => {
      this.#waiting = [];
    });
  }

  /** Starts a request in its turn. */
  enter(request: IncomingMessage, start: () => void): void {
    if (this.#waiting.length === 0 && this.#hasRoom()) {
      this.#start({ request, start });
      return;
    }
    this.#waiting.push({ request, start });
    this.#socket.pause();
    this.#await();
  }

  /** A response is in the making: the whole request has been read, or will not be. */
  begin(response: ServerResponse): void {
    if (response.req === this.#reading) this.#reading = undefined;
    this.#last = response;
    this.#inTheMaking += 1;
  }

  /** A response is made, of this length; infinite: it has no end, and nothing can follow it. */
  made(length: number): void {
    this.#inTheMaking -= 1;
    this.#unsent += length;
    if (this.#waiting.length > 0 || this.#refuse) this.#advance();
  }

  /**
   * Refuses what followed the last whole request and is no request, after the responses before it: written at once, the
   * refusal would be read as the response to the first of them.
   */
  end(refuse: () => void): void {
    // Node's parser reports each further packet.
    if (this.#refuse) return;
    this.#refuse = refuse;
    // It never gets the rest of its body.
    if (this.#waiting.at(-1)?.request.complete === false) this.#waiting.pop();
    // No turn comes after a response without an end.
    if (this.#unsent === Number.POSITIVE_INFINITY) this.#socket.destroy();
    else this.#advance();
  }

  #hasRoom(): boolean {
    if (this.#isIdle()) this.#unsent = 0;
    return this.#inTheMaking < MOST_IN_THE_MAKING && this.#unsent < MOST_UNSENT;
  }

  #isIdle(): boolean {
    return this.#last === undefined || this.#last.writableFinished;
  }

  #advance(): void {
    while (this.#waiting.length > 0 && this.#hasRoom()) {
      const turn = this.#waiting.shift() as Turn;
      if (this.#waiting.length === 0) this.#socket.resume();
      this.#start(turn);
    }
    if (this.#waiting.length > 0) this.#await();
    else if (this.#refuse) {
      // The rest of a body that is not whole never comes.
      if (this.#isIdle() && !this.#reading?.complete) this.#refuse();
      else this.#await();
    }
  }

  #start({ request, start }: Turn): void {
    if (!this.#socket.writable) return;
    this.#reading = request;
    start();
  }

  /** Goes on when the last response is with the system; at once, since a client that ends its side gets no further one. */
  #await(): void {
    const last = this.#last;
    if (!last || last === this.#awaited) return;
    this.#awaited = last;
    last.once('close', () => this.#advance());
  }
}
