import { isIPv4 } from 'node:net';

/**
 * The HTTP proxy that the environment names for a target; undefined: none. The variables and their forms are those of
 * Node (`NODE_USE_ENV_PROXY`): `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, in lower case first.
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
  return exceptions.some((one) => isException(one.trim(), host, hostPort)) ? undefined : proxy;
}

/** A host, a host with its port, `*`, a domain with a dot or an asterisk before it, or a range of IPv4 addresses. */
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

/** The credential that the URL of a proxy holds (RFC 7617). */
export function proxyAuthorization({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}
