import type { Socket } from 'node:net';
import type { Fields, Service } from '#forwarder';
import type { OwnResponse } from './answer.ts';
import type { RequestHead, ResponseHead } from './message.ts';

/** Observes one exchange, and keeps what it needs of it. */
export interface Witness {
  requestContent(part: Buffer): void;
  requestEnd(): void;
  responseHead(head: ResponseHead): void;
  /** False: the exchange is not judged, whatever follows. */
  responseContent(part: Buffer): boolean;
  responseEnd(): void;
  /** The replacement of a response that was held back; undefined: itself. */
  replacement(): Replacement | undefined;
  /** Called if the response is incomplete. True: the received part of a stream is judged. */
  drop(why: 'upgraded' | 'abandoned' | 'failed'): boolean;
}

/** Another response, or additional fields. */
export type Replacement = OwnResponse | { readonly more: Fields };

/** For exchanges that are not judged. */
export const UNSEEN: Witness = {
  requestContent() {},
  requestEnd() {},
  responseHead() {},
  responseContent: () => true,
  responseEnd() {},
  replacement: () => undefined,
  drop: () => false,
};

/** The destination of requests, and how they are processed. */
export interface Way {
  readonly service: Service;
  /** The host and port of the target for the Host header; undefined: the client's is kept. */
  readonly host: string | undefined;
  readonly counts: Counts;
  /** Whether responses are held back until they are judged. */
  readonly holds: boolean;
  /**
   * Judges requests before they are forwarded: returns the response to one that is not. Default: all are forwarded.
   * @param body its content; `unknown`: it is too long to be held back
   */
  readonly screen?:
    | ((head: RequestHead, body: Uint8Array | 'unknown') => OwnResponse | undefined)
    | undefined;
  readonly witness: (head: RequestHead) => Witness;
  readonly ownConnections: OwnConnections;
  /** Receives messages about the target's handling of a request. */
  readonly notice: (request: RequestHead, what: string) => void;
}

/** The numbers of exchanges and results. */
export interface Counts {
  /** Requests that were sent to the target. */
  requests: number;
  /** Exchanges that were judged. */
  judged: number;
  /** Not judged: the document has no operation for them. */
  unknown: number;
  /** Not judged: the connection switched to another protocol, such as WebSocket. */
  upgraded: number;
  /** Not judged: a body exceeds the limit. */
  tooLong: number;
  /** Not judged: traffic came faster than it could be judged. */
  overtaken: number;
  /** Not judged: left out by `sample`. */
  notSampled: number;
  /** Not judged: the client left before the response was complete. */
  abandoned: number;
  /** Answered 502: the target could not be reached, or did not respond with valid HTTP. */
  failed: number;
  /** Answered with the documented error body: the request is invalid (`--enforce requests`). */
  invalid: number;
  /** Answered by the proxy itself: no HTTP, a request for a tunnel, or to a host that it does not forward to. */
  refused: number;
  /** Forwarded and not judged: requests and tunnels to other hosts. */
  elsewhere: number;
}

export function createCounts(): Counts {
  return {
    requests: 0,
    judged: 0,
    unknown: 0,
    upgraded: 0,
    tooLong: 0,
    overtaken: 0,
    notSampled: 0,
    abandoned: 0,
    failed: 0,
    invalid: 0,
    refused: 0,
    elsewhere: 0,
  };
}

/** The path of the proxy's own responses, the same as that of the mock. */
export const ADMIN_PATH = '/__admin';

export function isAdminTarget(target: string): boolean {
  if (!target.startsWith(ADMIN_PATH)) return false;
  return target.length === ADMIN_PATH.length || '/?'.includes(target.charAt(ADMIN_PATH.length));
}

/** The connections that the proxy opened itself: a request from one of them is a loop. */
export interface OwnConnections {
  add(socket: Socket): void;
  has(client: Socket): boolean;
}

export function createOwnConnections(): OwnConnections {
  const sockets = new WeakSet<Socket>();
  const names = new Set<string>();
  return {
    add(socket) {
      if (sockets.has(socket)) return;
      sockets.add(socket);
      const begin = () => {
        const name = `${endOf(socket.localAddress, socket.localPort)} ${endOf(socket.remoteAddress, socket.remotePort)}`;
        names.add(name);
        socket.once('close', () => names.delete(name));
      };
      if (socket.connecting) socket.once('connect', begin);
      else begin();
    },
    has: ({ remoteAddress, remotePort, localAddress, localPort }) =>
      names.has(`${endOf(remoteAddress, remotePort)} ${endOf(localAddress, localPort)}`),
  };
}

function endOf(address = '', port = 0): string {
  // An IPv4 client of a socket that listens on IPv6.
  return `${address.replace(/^::ffff:/, '')}:${port}`;
}
