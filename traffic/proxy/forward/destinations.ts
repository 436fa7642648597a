import { isIPv6 } from 'node:net';
import { SettingsError } from '#contract-tests';
import { isLoopback, namesLoopback } from '#spec';

/** Whether a client may be led to a place. @param client its address */
export type MayReach = (client: string | undefined, place: URL) => boolean;

interface Destinations {
  readonly target: URL;
  /** Where the document says that the service is. */
  readonly servers: readonly URL[];
  /** Hosts that the user names: `HOST`, `HOST:PORT`, `*.DOMAIN`, or `*` for all. */
  readonly allowed: readonly string[];
  /** The address that the proxy listens on. */
  readonly listensOn: string;
}

/**
 * Compiles where a proxy leads. Clients on this machine, which can go there without it, are led to this machine and to the
 * hosts of target and servers; all others to the target alone, lest they reach what only this machine may; and each to what
 * the user names.
 * @throws SettingsError for a host that cannot be read, or one that would make an open proxy
 */
export function compileMayReach({ target, servers, allowed, listensOn }: Destinations): MayReach {
  const rules = allowed.map(readRule);
  const isOpen = rules.some(({ isAny }) => isAny);
  if (isOpen && !isOfThisMachine(listensOn)) {
    const message = `option allowHosts: "*" would let every machine that reaches ${listensOn} go anywhere: name hosts, or listen on 127.0.0.1`;
    throw new SettingsError(message, 'allowHosts');
  }
  const hosts = new Set([target, ...servers].map(({ hostname }) => hostname));
  return (client, place) => {
    const { hostname } = place;
    if (hostname === target.hostname && portOf(place) === portOf(target)) return true;
    if (rules.some(({ fits }) => fits(place))) return true;
    return isOfThisMachine(client) && (namesLoopback(hostname) || hosts.has(hostname));
  };
}

interface Rule {
  readonly isAny: boolean;
  fits(place: URL): boolean;
}

function readRule(text: string): Rule {
  if (text === '*') return { isAny: true, fits: () => true };
  const form = /^(\*\.)?([^*/@\s]+?)(?::(\d{1,5}))?$/;
  const [, wildcard, named = '', port] = form.exec(isIPv6(text) ? `[${text}]` : text) ?? [];
  const url = URL.parse(`http://${named}`);
  if (url?.port !== '' || url.pathname !== '/') {
    const message = `option allowHosts: "${text}" is no host: write HOST, HOST:PORT, *.DOMAIN, or * for all`;
    throw new SettingsError(message, 'allowHosts');
  }
  const isPort = (place: URL) => port === undefined || portOf(place) === Number(port);
  const isHost = ({ hostname }: URL) =>
    wildcard === undefined ? hostname === url.hostname : hostname.endsWith(`.${url.hostname}`);
  return { isAny: false, fits: (place) => isHost(place) && isPort(place) };
}

function portOf({ port, protocol }: URL): number {
  return Number(port || (protocol === 'https:' ? 443 : 80));
}

/** A socket of both families has IPv4 addresses mapped into IPv6 (RFC 4291 §2.5.5.2). */
function isOfThisMachine(address = ''): boolean {
  return isLoopback(address.replace(/^::ffff:/, ''));
}
