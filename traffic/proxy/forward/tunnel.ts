import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, isIPv4, type Socket } from 'node:net';
import type { Target } from '#target';

/**
 * Opens a connection for any protocol, through the HTTP proxy of the environment if there is one.
 * @param target whose host and port to connect to
 */
export function openTunnel({ base, proxyEnv }: Target): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const proxy = environmentProxy(base, proxyEnv);
  const port = Number(base.port || 443);
  if (!proxy) {
    const socket = connect({ host: base.hostname.replace(/^\[|\]$/g, ''), port, allowHalfOpen: true });
    socket.once('error', reject).once('connect', () => resolve(socket));
    return promise;
  }
  const path = `${base.hostname}:${port}`;
  const authorization = proxyAuthorization(proxy);
  const headers = { Host: path, ...(authorization && { 'Proxy-Authorization': authorization }) };
  (proxy.protocol === 'https:' ? httpsRequest : httpRequest)(proxy, {
    method: 'CONNECT',
    path,
    headers,
    agent: false,
  })
    .on('error', reject)
    .on('connect', ({ statusCode = 0 }, socket: Socket, first) => {
      if (statusCode < 200 || statusCode > 299) {
        socket.destroy();
        const message = `the HTTP proxy of the environment opens no tunnel (it answers ${statusCode})`;
        return reject(new Error(message));
      }
      // A server may send first.
      if (first.length > 0) socket.unshift(first);
      resolve(socket);
    })
    .end();
  return promise;
}

/**
 * The HTTP proxy of the environment for a target; undefined: none. The variables and their forms are those of Node
 * (`NODE_USE_ENV_PROXY`): `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, lower case first.
 */
export function environmentProxy(
  { protocol, hostname, port }: URL,
  env: NodeJS.ProcessEnv | undefined,
): URL | undefined {
  if (!env) return undefined;
  const named = protocol === 'https:' ? env.https_proxy || env.HTTPS_PROXY : env.http_proxy || env.HTTP_PROXY;
  if (!named || !URL.canParse(named)) return undefined;
  const proxy = new URL(named);
  if (proxy.protocol !== 'http:' && proxy.protocol !== 'https:') return undefined;
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const hostPort = `${host}:${port || (protocol === 'https:' ? 443 : 80)}`;
  const exceptions = (env.no_proxy || env.NO_PROXY || '').toLowerCase().split(',');
  return exceptions.some((exception) => isException(exception.trim(), host, hostPort)) ? undefined : proxy;
}

/** A host, a host with its port, `*`, a domain with a leading dot or asterisk, or a range of IPv4 addresses. */
function isException(exception: string, host: string, hostPort: string): boolean {
  if (exception === '*' || exception === host || exception === hostPort) return true;
  if (exception.startsWith('*.')) return host.endsWith(exception.slice(1));
  if (exception.startsWith('.')) return `.${host}`.endsWith(exception);
  const [first = '', last = ''] = exception.split('-').map((end) => end.trim());
  if (![first, last, host].every(isIPv4)) return false;
  return numberOf(first) <= numberOf(host) && numberOf(host) <= numberOf(last);
}

function numberOf(address: string): number {
  return Buffer.from(address.split('.').map(Number)).readUInt32BE();
}

/** The credential in the URL of a proxy (RFC 7617). */
export function proxyAuthorization({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}
