import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { ForwardCertificates } from '#certificates';
import { openService } from '#forwarder';
import { explainWireError, readTarget } from '#target';
import { answerRaw } from '../answer.ts';
import { pass } from '../exchange.ts';
import { Refusal, type RequestHead, readRequestHead } from '../message.ts';
import { UNSEEN, type Way } from '../way.ts';
import { openTunnel } from './tunnel.ts';

/**
 * Whether a client may reach a place.
 * @param client its address
 */
export type MayReach = (client: string | undefined, place: URL) => boolean;

export interface ForwardOptions {
  /** For requests to the proxy as if it were the target. */
  readonly home: Way;
  /** For requests to judged origins, by origin. */
  readonly judged: ReadonlyMap<string, Way>;
  /** Undefined: none of the origins uses https. */
  readonly certificates: ForwardCertificates | undefined;
  readonly mayReach: MayReach;
  readonly isOwn: (origin: string) => boolean;
  /** Serves requests on a connection inside a client's connection. */
  readonly adopt: (socket: Duplex) => void;
  readonly notice: (text: string) => void;
}

/** Handles clients that use the proxy as a forward proxy (`HTTP_PROXY`, `HTTPS_PROXY`). */
export interface Forward {
  /**
   * Selects the destination of a request.
   * @throws Refusal
   */
  wayOf(client: Socket, head: RequestHead): Way;
  /** Opens a tunnel for a client, which sent these bytes after its request. */
  connect(incoming: IncomingMessage, client: Socket, first: Buffer): void;
}

/** The maximum number of cached origins. */
const MOST_ORIGINS = 200;
/** The maximum number of rejected hosts that are reported once each. */
const MOST_TOLD = 500;
/** The first byte of TLS (RFC 8446 §5.1). */
const HANDSHAKE = 0x16;
const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n';

export function createForward(options: ForwardOptions): Forward {
  const { judged, home, certificates, mayReach, isOwn, adopt, notice } = options;
  const { counts, ownConnections } = home;
  const unjudged = new Map<string, Way>();
  /** The destination of requests inside a tunnel, whatever they say themselves. */
  const within = new WeakMap<Duplex, Way>();
  const told = new Set<string>();

  function wayTo(origin: string): Way {
    const existing = judged.get(origin) ?? unjudged.get(origin);
    if (existing) return existing;
    const { base, proxyEnv } = readTarget({ target: origin });
    const way: Way = {
      ...home,
      holds: false,
      screen: undefined,
      counts: { ...counts },
      service: openService({ base, proxyEnv }),
      host: base.host,
      witness: () => {
        counts.elsewhere += 1;
        return UNSEEN;
      },
    };
    if (unjudged.size >= MOST_ORIGINS) unjudged.clear();
    unjudged.set(origin, way);
    return way;
  }

  function connect(incoming: IncomingMessage, client: Socket, first: Buffer): void {
    try {
      const head = readRequestHead(incoming, true);
      if (ownConnections.has(client)) throw new Refusal('The request leads back to the proxy itself', 508);
      const place = placeOf(head.target);
      if (!place) throw new Refusal('The target of CONNECT is not HOST:PORT');
      checkReach(client, head, place);
      const secure = judged.get(new URL(`https://${place.hostname}:${place.port || '80'}`).origin);
      const clear = isOwn(place.origin) ? home : judged.get(place.origin);
      if (!secure && !clear) return void tunnel(client, first, place, true);
      client.write(ESTABLISHED);
      firstBytes(client, first, (bytes) => {
        const isSecure = bytes[0] === HANDSHAKE;
        if (isSecure && secure) void decrypt(client, bytes, place, secure);
        else if (!isSecure && clear) lead(client, bytes, clear);
        else void tunnel(client, bytes, place, false);
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refuse(client, error.status, error.message);
    }
  }

  /** Waits for the first bytes of the client. */
  function firstBytes(client: Socket, first: Buffer, then: (first: Buffer) => void): void {
    if (first.length > 0) {
      then(first);
      return;
    }
    client.once('readable', () => {
      const bytes: Buffer | null = client.read();
      if (bytes === null) client.destroy();
      else then(bytes);
    });
  }

  function lead(socket: Duplex, first: Buffer | undefined, way: Way): void {
    within.set(socket, way);
    if (first) socket.unshift(first);
    adopt(socket);
  }

  async function decrypt(client: Socket, first: Buffer, place: URL, way: Way): Promise<void> {
    const host = place.hostname.replace(/^\[|\]$/g, '');
    const certificate = await certificates?.certificateFor(host).catch((error: Error) => {
      notice(`no certificate for ${host} can be made: ${error.message}`);
    });
    if (!certificate || client.destroyed) return void client.destroy();
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
    lead(secured, undefined, way);
  }

  /**
   * Forwards bytes of an unknown protocol.
   * @param waits the client waits for a response
   */
  async function tunnel(client: Socket, first: Buffer, place: URL, waits: boolean): Promise<void> {
    counts.elsewhere += 1;
    try {
      const onward = await openTunnel(
        readTarget({ target: `https://${place.hostname}:${place.port || '80'}` }),
      );
      ownConnections.add(onward);
      if (client.destroyed) return void onward.destroy();
      if (waits) client.write(ESTABLISHED);
      if (first.length > 0) onward.write(first);
      pass(client, onward.setNoDelay(true));
    } catch (error) {
      if (waits) refuse(client, 502, `No tunnel to ${place.host} can be opened: ${explainWireError(error)}`);
      else client.destroy();
    }
  }

  /** @throws Refusal */
  function checkReach(client: Socket, { method }: RequestHead, place: URL): void {
    if (mayReach(client.remoteAddress, place)) return;
    const { hostname } = place;
    const remedy = `--allow-host ${hostname} permits it`;
    tellOnce(hostname, `${method} ${place.host}: this proxy does not lead there; ${remedy}`);
    throw new Refusal(`This proxy does not lead to ${place.host}: ${remedy}`, 403);
  }

  function refuse(client: Socket, status: number, detail: string): void {
    counts.refused += 1;
    answerRaw(client, status, detail, `${STATUS_CODES[status]} (${detail})`);
  }

  function tellOnce(key: string, text: string): void {
    if (told.has(key) || told.size >= MOST_TOLD) return;
    told.add(key);
    notice(text);
  }

  return {
    wayOf(client, head) {
      const { origin } = head;
      const tunnelled = within.get(client);
      if (tunnelled) return tunnelled;
      if (origin === undefined || isOwn(origin)) return home;
      checkReach(client, head, new URL(origin));
      return wayTo(origin);
    },
    connect,
  };
}

/** `HOST:PORT` (RFC 9112 §3.2.3), as an origin without TLS. */
function placeOf(target: string): URL | undefined {
  const isPlace = /^(?:[^:/?#@\\[\]]+|\[[0-9a-f:.]+\]):\d{1,5}$/i.test(target);
  return (isPlace && URL.parse(`http://${target}`)) || undefined;
}
