import type { Socket } from 'node:net';
import { explainWireError } from '#target';
import type { PairContext } from './context.ts';
import { nameOf, Outlet } from './sockets.ts';

export interface TargetEvents {
  /** A connection is there, in place of an earlier one where there was one. */
  connects(): void;
  sends(bytes: Buffer): void;
  ends(): void;
  /** The connection is over, or none came about. */
  isLost(reason: string): void;
  takesMore(): void;
}

/** Bytes that wait for a connection: an HTTP proxy on the way may take any time to open a tunnel. */
const MOST_UNSENT = 64 * 1024;

/** The connection to the target, opened when it is first needed, and anew when it was lost and is needed again. */
export class TargetConnection {
  readonly #context: PairContext;
  readonly #on: TargetEvents;
  readonly #outlet = new Outlet();
  #socket: Socket | undefined;
  #stopDialing: (() => void) | undefined;
  #isFull = false;
  #isClosed = false;

  constructor(context: PairContext, on: TargetEvents) {
    this.#context = context;
    this.#on = on;
  }

  get isOpen(): boolean {
    return this.#socket !== undefined;
  }

  /** What is sent now has to wait. */
  get isFull(): boolean {
    return this.#isFull;
  }

  dial(): void {
    if (this.#socket || this.#stopDialing) return;
    this.#stopDialing = this.#context.dialer.dial(
      (socket) => this.#connectedTo(socket),
      (error) => this.lose(explainWireError(error)),
    );
    if (this.#socket) this.#stopDialing = undefined;
  }

  #connectedTo(socket: Socket): void {
    this.#stopDialing = undefined;
    if (this.#isClosed) return void socket.destroy();
    this.#socket = socket;
    this.#on.connects();
    const { opened } = this.#context;
    let own = '';
    const isCurrent = () => this.#socket === socket;
    socket.setNoDelay(true);
    socket.once('connect', () => {
      own = nameOf(socket, 'by us');
      opened.add(own);
    });
    socket.on('data', (bytes) => isCurrent() && this.#on.sends(bytes));
    socket.on('drain', () => {
      this.#isFull = false;
      if (isCurrent()) this.#on.takesMore();
    });
    socket.on('end', () => isCurrent() && this.#on.ends());
    socket.on('error', (error) => isCurrent() && this.lose(explainWireError(error)));
    socket.on('close', () => {
      opened.delete(own);
      if (isCurrent()) this.loseInResponse();
    });
    const wasFull = this.#isFull;
    this.#isFull = false;
    this.flush();
    if (wasFull) this.#on.takesMore();
  }

  /** Adds what the next flush sends. */
  add(bytes: Buffer): void {
    this.#outlet.add(bytes);
  }

  flush(): void {
    if (this.#socket?.destroyed) return;
    const takesMore = this.#socket ? this.#outlet.flush(this.#socket) : this.#outlet.waiting <= MOST_UNSENT;
    if (!takesMore) this.#isFull = true;
  }

  pause(): void {
    this.#socket?.pause();
  }

  resume(): void {
    this.#socket?.resume();
  }

  /** Nothing more is sent; a response may still come. */
  end(): void {
    this.#socket?.end();
  }

  loseInResponse(): void {
    this.lose('the connection was closed before the whole answer had come');
  }

  lose(reason: string): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#stopDialing = undefined;
    socket?.destroy();
    this.#on.isLost(reason);
  }

  close(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#isClosed = true;
    this.#stopDialing?.();
    socket?.destroy();
  }
}
