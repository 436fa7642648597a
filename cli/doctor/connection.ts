import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { environmentProxy } from '#proxy';
import { explainWireError, type Target } from '#target';
import { about, type Remark } from './remark.ts';

const ofTarget = about('target');

/** How far one gets on the way to a target. */
export interface Way {
  readonly remarks: readonly Remark[];
  /** A request can be tried. */
  readonly isOpen: boolean;
}

/** Looks the host up, connects, and looks at the certificate: a step that fails is reported. */
export async function examineConnection(target: Target, timeout: number): Promise<Way> {
  const { base } = target;
  const proxy = environmentProxy(base, target.proxyEnv);
  // Only the HTTP proxy can look the host up, and connect to it.
  if (proxy)
    return { remarks: [ofTarget.good(`is reached through the HTTP proxy ${proxy.host}`)], isOpen: true };
  const host = base.hostname.replace(/^\[|\]$/g, '');
  const port = Number(base.port || (base.protocol === 'https:' ? 443 : 80));
  const signal = AbortSignal.timeout(timeout);
  try {
    const addresses = isIP(host) ? [host] : await lookUp(host, signal);
    await reach(host, port, signal);
    const where = isIP(host) ? `${host}:${port}` : `${host}:${port} (${addresses.join(', ')})`;
    const connected = ofTarget.good(`${where} accepts connections`);
    if (base.protocol === 'http:') return { remarks: [connected], isOpen: true };
    const certificate = await examineTls(host, port, target, signal);
    return { remarks: [connected, certificate], isOpen: certificate.grade !== 'wrong' };
  } catch (error) {
    return { remarks: [failure(host, port, error, timeout)], isOpen: false };
  }
}

/** DNS cannot be aborted: its own end is not waited for. */
async function lookUp(host: string, signal: AbortSignal): Promise<string[]> {
  const late = once(signal, 'abort').then(() => signal.throwIfAborted());
  const found = await Promise.race([lookup(host, { all: true }), late]);
  return (found ?? []).map(({ address }) => address);
}

async function reach(host: string, port: number, signal: AbortSignal): Promise<void> {
  const socket = connect({ host, port, signal });
  try {
    await once(socket, 'connect', { signal });
  } finally {
    socket.on('error', () => {}).destroy();
  }
}

async function examineTls(host: string, port: number, { tls }: Target, signal: AbortSignal): Promise<Remark> {
  const name = isIP(host) ? {} : { servername: host };
  const way = { host, port, ALPNProtocols: ['http/1.1'], ...name };
  // A certificate that cannot be verified is to be looked at, too; nothing is sent.
  const socket = connectTls({ ...way, ...tls, rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect', { signal });
    const { valid_to: end } = socket.getPeerCertificate();
    const { authorized, authorizationError } = socket;
    const code = authorized ? undefined : String(authorizationError);
    return examineCertificate({
      code,
      end: new Date(end),
      now: new Date(),
      insecure: tls.rejectUnauthorized === false,
    });
  } finally {
    socket.on('error', () => {}).destroy();
  }
}

function failure(host: string, port: number, error: unknown, timeout: number): Remark {
  const { code, name, syscall } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError' || name === 'AbortError')
    return ofTarget.wrong(
      `${host}:${port}: no connection within ${timeout} ms`,
      'check the firewall, the VPN and --timeout',
    );
  const remedies: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'start the service, or check the port of the base URL',
    ENOTFOUND: 'check the host of the base URL, and the VPN',
    EAI_AGAIN: 'check the network and the VPN',
  };
  const what = syscall === 'getaddrinfo' ? host : `${host}:${port}`;
  return ofTarget.wrong(`${what}: ${explainWireError(error)}`, remedies[code ?? '']);
}

const ofCertificate = about('certificate');

/** The certificate that a target has shown. */
interface Shown {
  /** Why it cannot be verified, as OpenSSL and Node name it; undefined: it is verified. */
  readonly code: string | undefined;
  /** The end of its validity. */
  readonly end: Date;
  readonly now: Date;
  /** The user accepts any. */
  readonly insecure: boolean;
}

const DAY_MS = 86_400_000;
/** So many days before its end there is a warning. */
const SOON_DAYS = 14;

function examineCertificate({ code, end, now, insecure }: Shown): Remark {
  const day = Number.isNaN(end.getTime()) ? 'an unknown day' : end.toISOString().slice(0, 10);
  const days = Math.floor((end.getTime() - now.getTime()) / DAY_MS);
  if (code !== undefined) {
    const reason =
      code === 'CERT_HAS_EXPIRED' ? `it has expired on ${day}` : explainWireError({ code, message: code });
    if (insecure) return ofCertificate.warning(`${reason}; --insecure accepts it`);
    return ofCertificate.wrong(reason, code === 'CERT_HAS_EXPIRED' ? 'renew it' : undefined);
  }
  const left = `valid until ${day}, ${days === 1 ? '1 more day' : `${days} more days`}`;
  return days < SOON_DAYS ? ofCertificate.warning(left, 'renew it') : ofCertificate.good(left);
}
