import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { ForwardCertificates } from '#certificates';
import { explainWireError, readTarget } from '#target';
import type { Served } from '../listen.ts';
import { type PairContext, UNSEEN } from '../pair/context.ts';
import { Pair } from '../pair/pair.ts';
import { linger, nameOf } from '../pair/sockets.ts';
import { type Dialer, openTarget, openUnread } from '../target/open-target.ts';
import { ownResponse, type RequestHead } from '../wire/heads.ts';
import type { MayReach } from './destinations.ts';

export interface ForwardOptions {
  /** Origin of the target. */
  readonly target: string;
  /** For requests to the proxy as if it were the target. */
  readonly home: PairContext;
  /** For requests as the origins that are judged get them, by origin. */
  readonly judged: ReadonlyMap<string, PairContext>;
  /** Undefined: none of the origins speaks https. */
  readonly certificates: ForwardCertificates | undefined;
  readonly mayReach: MayReach;
  /** Whether an origin is that of the proxy. */
  readonly isOwn: (origin: string) => boolean;
  readonly serve: (client: Socket, served: Served) => void;
  readonly notice: (text: string) => void;
}

/** Origins whose contexts are kept. */
const MOST_ORIGINS = 200;
/** Hosts of which it is told once that nobody is led there. */
const MOST_TOLD = 500;
/** The first byte of TLS (RFC 8446 §5.1). */
const HANDSHAKE = 0x16;

/**
 * Leads clients that take the proxy for one that leads everywhere (`HTTP_PROXY`, `HTTPS_PROXY`).
 * @returns the context for connections that clients open
 */
export function createForward(options: ForwardOptions): PairContext {
  const { target, judged, home, certificates, mayReach, isOwn, serve, notice } = options;
  const { counts, opened } = home;
  const plain = new Map<string, PairContext>();
  const told = new Set<string>();

  const front: PairContext = {
    ...home,
    dialer: forwarding(home.dialer),
    isOthers(head) {
      if (head.method === 'CONNECT') return true;
      return isHome(head) ? home.isOthers(head) : head.origin !== target;
    },
    takeOver(client, bytes, head) {
      const { takeOver } = head.method !== 'CONNECT' && isHome(head) ? home : { takeOver: take };
      takeOver(client, bytes, head);
    },
  };

  function isHome({ origin }: RequestHead): boolean {
    return origin === undefined || isOwn(origin);
  }

  /** A request that is not to the target, or for a tunnel; what came of it, and after it, is unread. */
  function take(client: Socket, bytes: Buffer, head: RequestHead): void {
    if (opened.has(nameOf(client, 'by them'))) {
      refuse(client, head, 508, 'The request leads back to the proxy itself');
    } else if (head.method === 'CONNECT') connect(client, bytes, head);
    else if (head.origin === undefined || isHome(head) || head.origin === target)
      exchange(client, bytes, front);
    else if (isAllowed(client, head, new URL(head.origin))) exchange(client, bytes, contextOf(head.origin));
  }

  function exchange(client: Socket, bytes: Buffer, context: PairContext): void {
    const pair = new Pair(client, context);
    serve(client, pair);
    pair.take(bytes);
  }

  /** For requests that name a whole URL: the next one on the connection may go elsewhere. */
  function contextOf(origin: string): PairContext {
    const known = plain.get(origin);
    if (known) return known;
    const own = judged.get(origin) ?? unjudged(origin);
    const context: PairContext = {
      ...own,
      dialer: forwarding(own.dialer),
      isOthers: ({ method, origin: named }) => method === 'CONNECT' || named !== origin,
      takeOver: take,
    };
    if (plain.size >= MOST_ORIGINS) plain.clear();
    plain.set(origin, context);
    return context;
  }

  function unjudged(origin: string): PairContext {
    return {
      ...home,
      dialer: openTarget(readTarget({ target: origin }), false),
      holds: false,
      screen: undefined,
      witness: () => {
        counts.elsewhere += 1;
        return UNSEEN;
      },
      counts: { ...counts },
    };
  }

  function connect(client: Socket, bytes: Buffer, head: RequestHead): void {
    const place = placeOf(head.target);
    if (!place) {
      refuse(client, head, 400, 'The target of CONNECT is not HOST:PORT');
      return;
    }
    if (!isAllowed(client, head, place)) return;
    const { host, port } = { host: place.hostname, port: place.port || '80' };
    const secure = judged.get(new URL(`https://${host}:${port}`).origin);
    const clear = isOwn(place.origin) ? home : judged.get(place.origin);
    const rest = bytes.subarray(bytes.indexOf('\r\n\r\n') + 4);
    if (!secure && !clear) {
      tunnel(client, rest, place, head);
      return;
    }
    client.write(ESTABLISHED);
    firstBytes(client, rest, (first) => {
      const isSecure = first[0] === HANDSHAKE;
      if (isSecure && secure) void decrypt(client, first, place, secure);
      else if (!isSecure && clear) exchange(client, first, clear);
      else tunnel(client, first, place);
    });
  }

  /** Shows what the client sends first. */
  function firstBytes(client: Socket, rest: Buffer, then: (first: Buffer) => void): void {
    if (rest.length > 0) {
      then(rest);
      return;
    }
    const ignore = () => {};
    const give = () => {
      client.off('error', ignore);
      const first: Buffer | null = client.read();
      if (first === null) client.destroy();
      else then(first);
    };
    serve(client, { close: () => void client.destroy() });
    client.once('readable', give).on('error', ignore);
  }

  async function decrypt(client: Socket, first: Buffer, place: URL, context: PairContext): Promise<void> {
    const host = place.hostname.replace(/^\[|\]$/g, '');
    const ignore = () => {};
    client.on('error', ignore);
    const certificate = await certificates?.certificateFor(host).catch((error: Error) => {
      notice(`no certificate for ${host} can be made: ${error.message}`);
    });
    client.off('error', ignore);
    if (!certificate || client.destroyed) {
      client.destroy();
      return;
    }
    client.unshift(first);
    const secured = new TLSSocket(client, {
      isServer: true,
      secureContext: createSecureContext(certificate),
      ALPNProtocols: ['http/1.1'],
    });
    const untrusted = ({ code }: NodeJS.ErrnoException) => {
      if (!/ALERT_(?:UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN)/.test(code ?? '')) return;
      const remedy = `it has to trust ${certificates?.authority}`;
      tellOnce(`trust ${host}`, `a client does not trust the certificate for ${host}: ${remedy}`);
    };
    secured.once('error', untrusted).once('secure', () => secured.off('error', untrusted));
    serve(client, new Pair(secured, context));
  }

  /** Bytes of which nothing is understood. @param head of the request that waits for an answer; undefined: it was answered */
  function tunnel(client: Socket, first: Buffer, place: URL, head?: RequestHead): void {
    counts.elsewhere += 1;
    let ends = [client];
    const close = () => {
      for (const socket of ends) socket.destroy();
    };
    const stop = openUnread(
      readTarget({ target: `https://${place.hostname}:${place.port || '80'}` }),
      (onward) => {
        const name = nameOf(onward, 'by us');
        opened.add(name);
        ends = [client, onward];
        onward.setNoDelay(true).on('error', close);
        onward.once('close', () => {
          opened.delete(name);
          if (!onward.readableEnded) close();
        });
        if (head) client.write(ESTABLISHED);
        if (first.length > 0) onward.write(first);
        client.pipe(onward).pipe(client);
      },
      (error) => {
        if (!head) return close();
        const reason = explainWireError(error);
        refuse(client, head, 502, `No tunnel to ${place.host} can be opened: ${reason}`);
      },
    );
    const abandon = () => {
      stop();
      close();
    };
    client.setNoDelay(true).on('error', abandon);
    client.once('close', () => {
      if (ends.length === 1 || !client.readableEnded) abandon();
    });
    serve(client, { close: (isHard) => void (isHard && abandon()) });
  }

  function isAllowed(client: Socket, head: RequestHead, place: URL): boolean {
    if (mayReach(client.remoteAddress, place)) return true;
    const { hostname } = place;
    const remedy = `--allow-host ${hostname} permits it`;
    tellOnce(hostname, `${head.method} ${place.host}: this proxy does not lead there; ${remedy}`);
    refuse(client, head, 403, `This proxy does not lead to ${place.host}: ${remedy}`);
    return false;
  }

  function refuse(client: Socket, { method }: RequestHead, status: number, detail: string): void {
    counts.refused += 1;
    client.on('error', () => {});
    const reason = `${STATUS_CODES[status]} (${detail})`;
    client.write(ownResponse({ status, problem: { detail }, reason }, { method, closes: true }));
    serve(client, { close: () => void client.destroy() });
    linger(client);
  }

  function tellOnce(key: string, text: string): void {
    if (told.has(key) || told.size >= MOST_TOLD) return;
    told.add(key);
    notice(text);
  }

  return front;
}

function forwarding(dialer: Dialer): Dialer {
  return { ...dialer, changes: { ...dialer.changes, forwards: true } };
}

const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n';

/** `HOST:PORT` (RFC 9112 §3.2.3), as an origin without TLS. */
function placeOf(target: string): URL | undefined {
  const isPlace = /^(?:[^:/?#@\\[\]]+|\[[0-9a-f:.]+\]):\d{1,5}$/i.test(target);
  return (isPlace && URL.parse(`http://${target}`)) || undefined;
}
