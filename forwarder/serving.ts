import type { ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** The order of pipelined requests on a connection (RFC 9112 §9.3.2). */
export interface Turns {
  /**
   * Runs a request of a connection when it is its turn; never if the client has gone.
   * @param outgoing its response; undefined: the data is not a request, and ends an incomplete one before it
   */
  enter(socket: Socket, start: () => void, outgoing?: ServerResponse): void;
  /** The latest response that has started and not ended; undefined if none. */
  current(socket: Socket): ServerResponse | undefined;
}

interface Turn {
  readonly start: () => void;
  readonly outgoing: ServerResponse | undefined;
}

interface Line {
  readonly underway: ServerResponse[];
  readonly waiting: Turn[];
}

/**
 * Node dispatches all requests of a packet at once, and keeps each response until the earlier ones are read, so that a
 * few packets could fill the memory.
 * @param most the number of requests of one connection that are served at once
 */
export function createTurns(most: number): Turns {
  const lines = new WeakMap<Socket, Line>();

  function begin({ underway }: Line, { start, outgoing }: Turn): void {
    if (outgoing) underway.push(outgoing);
    start();
  }

  function hasRoom({ underway }: Line, { outgoing }: Turn): boolean {
    while (underway[0]?.writableFinished) underway.shift();
    return underway.length < (outgoing ? most : 1);
  }

  function wait(socket: Socket, line: Line): void {
    socket.pause();
    // Node resumes reading when a request has ended.
    setImmediate(() => line.waiting.length > 0 && socket.pause());
    line.underway[0]?.once('close', () => advance(socket, line));
  }

  function advance(socket: Socket, line: Line): void {
    const { waiting } = line;
    if (!socket.writable) return;
    for (let next = waiting[0]; next && hasRoom(line, next); next = waiting[0]) {
      waiting.shift();
      begin(line, next);
    }
    if (waiting.length > 0) wait(socket, line);
    else socket.resume();
  }

  return {
    enter(socket, start, outgoing) {
      const line = lines.get(socket) ?? { underway: [], waiting: [] };
      lines.set(socket, line);
      const { waiting } = line;
      if (!outgoing && waiting.at(-1)?.outgoing?.req.complete === false) waiting.pop();
      const turn = { start, outgoing };
      if (waiting.length === 0 && hasRoom(line, turn)) begin(line, turn);
      else if (waiting.push(turn) === 1) wait(socket, line);
    },
    current: (socket) =>
      lines.get(socket)?.underway.findLast((serverResponse) => !serverResponse.writableFinished),
  };
}

/** The origin of a server that listens at this address. */
export function originOf({ address, family, port }: AddressInfo, scheme: 'http' | 'https'): string {
  const host = ANY_ADDRESS[address] ?? address;
  return `${scheme}://${family === 'IPv6' ? `[${host}]` : host}:${port}`;
}

/** The address to reach a server that listens on every address. */
const ANY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
