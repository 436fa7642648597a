import { isIP, connect as netConnect, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import type { Target } from '#target';
import type { RequestChanges } from '../wire/heads.ts';
import { environmentProxy, proxyAuthorization } from './environment-proxy.ts';

/** Makes connections to the target. */
export interface Dialer {
  /** How requests are changed for the target. */
  readonly changes: RequestChanges;
  /**
   * Opens a connection. Writing may begin when `ready` is called: at once without an HTTP proxy.
   * @returns what ends the attempt
   */
  dial(ready: (socket: Socket) => void, failed: (error: Error) => void): () => void;
}

/** @param keepHost lets Host stay as the client sent it */
export function openTarget({ base, tls, proxyEnv }: Target, keepHost: boolean): Dialer {
  const proxy = environmentProxy(base, proxyEnv);
  const isSecure = base.protocol === 'https:';
  const authorization = proxy && proxyAuthorization(proxy);
  const { host, port } = wayTo(base);
  let session: Buffer | undefined;

  /** A connection to the target, through a tunnel if there is one. */
  function secure(socket?: Socket): Socket {
    // With a socket, the host is what the certificate must be for: without it, that would be the HTTP proxy.
    const way = { host, port, ...(socket && { socket }), ...serverName(host) };
    const secured = tlsConnect({ ...way, ...tls, ALPNProtocols: ['http/1.1'], session });
    secured.on('session', (next) => {
      session = next;
    });
    return secured;
  }

  const isTunnelled = proxy !== undefined && isSecure;
  return {
    changes: {
      host: keepHost ? undefined : base.host,
      origin: proxy && !isSecure ? base.origin : '',
      added: proxy && !isSecure && authorization !== undefined ? [authorization] : [],
    },
    dial(ready, failed) {
      if (isTunnelled)
        return openTunnel(toProxy(proxy), `${host}:${port}`, authorization, secure, ready, failed);
      const socket = isSecure
        ? secure()
        : proxy
          ? toProxy(proxy)
          : netConnect({ host, port, allowHalfOpen: true });
      ready(socket);
      return () => socket.destroy();
    },
  };
}

/**
 * Opens a connection for bytes of any protocol. It is ready when the other side has accepted it.
 * @param target whose host and port are meant
 * @returns what ends the attempt
 */
export function openUnread(
  { base, proxyEnv }: Target,
  ready: (socket: Socket) => void,
  failed: (error: Error) => void,
): () => void {
  const proxy = environmentProxy(base, proxyEnv);
  const way = wayTo(base);
  if (proxy) {
    const place = `${base.hostname}:${way.port}`;
    return openTunnel(toProxy(proxy), place, proxyAuthorization(proxy), (socket) => socket, ready, failed);
  }
  const socket = netConnect({ ...way, allowHalfOpen: true });
  socket.once('error', failed).once('connect', () => ready(socket.off('error', failed)));
  return () => socket.destroy();
}

function wayTo({ hostname, port, protocol }: URL): { host: string; port: number } {
  const standard = protocol === 'https:' ? 443 : 80;
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || standard) };
}

function toProxy(url: URL): Socket {
  const way = wayTo(url);
  return url.protocol === 'https:' ? tlsConnect({ ...way, ...serverName(way.host) }) : netConnect(way);
}

/** Server Name Indication knows no addresses (RFC 6066 §3). */
function serverName(host: string): { servername?: string } {
  return isIP(host) ? {} : { servername: host };
}

/** Asks an HTTP proxy for a tunnel (RFC 9110 §9.3.6). */
function openTunnel(
  socket: Socket,
  authority: string,
  authorization: string | undefined,
  secure: (socket: Socket) => Socket,
  ready: (socket: Socket) => void,
  failed: (error: Error) => void,
): () => void {
  let answer = '';
  const lines = [
    `CONNECT ${authority} HTTP/1.1`,
    `Host: ${authority}`,
    ...(authorization ? [authorization] : []),
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);

  function fail(error: Error): void {
    socket.off('data', read).off('end', ended).destroy();
    failed(error);
  }
  function ended(): void {
    fail(new Error('the HTTP proxy of the environment closed the connection'));
  }
  function read(bytes: Buffer): void {
    answer += bytes.toString('latin1');
    const end = answer.indexOf('\r\n\r\n');
    if (end < 0 && answer.length < LONGEST_ANSWER) return;
    const [, status] = /^HTTP\/1\.[01] (\d{3})/.exec(answer) ?? [];
    if (end >= 0 && status?.startsWith('2')) {
      // Errors are reported on the connection within.
      socket
        .off('data', read)
        .off('end', ended)
        .off('error', fail)
        .on('error', () => {});
      // A server may speak first.
      const rest = answer.slice(end + 4);
      if (rest !== '') socket.unshift(Buffer.from(rest, 'latin1'));
      ready(secure(socket));
    } else {
      const answered = status ?? 'no HTTP';
      fail(new Error(`the HTTP proxy of the environment opens no tunnel (it answers ${answered})`));
    }
  }
  socket.on('data', read).on('end', ended).on('error', fail);
  return () => socket.destroy();
}

const LONGEST_ANSWER = 16 * 1024;
