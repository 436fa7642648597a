import { isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';
import { certificatesFor } from '#certificates';
import { SettingsError } from '#contract-tests';
import { type Contract, isLoopback, namesLoopback } from '#spec';
import { readTarget, type Target } from '#target';
import type { Way } from '../way.ts';
import { createForward, type Forward, type MayReach } from './forward.ts';

interface ForwardingOptions {
  readonly allowHosts?: readonly string[] | undefined;
  readonly insecure?: boolean | undefined;
  readonly host?: string | undefined;
}

/** What the proxy of a target shares with its forward mode. */
interface Parts {
  readonly home: Way;
  /** @param judgedAt the target for which the rules judge the traffic */
  readonly wayTo: (to: Target, judgedAt: Target) => Way;
  /** The proxy's own address; undefined: it does not listen yet. */
  readonly listening: () => { readonly origin: string; adopt(socket: Duplex): void } | undefined;
  readonly notice: (text: string) => void;
}

/** The forward mode of a proxy with its options resolved. */
export interface Forwarding {
  /** The documented servers beside the target, which are judged as the service. */
  readonly servers: readonly Target[];
  /** The file (PEM) of the authority that clients must trust; undefined: nothing is decrypted. */
  readonly authority: string | undefined;
  open(parts: Parts): Forward;
}

/** @throws SettingsError for an invalid option */
export async function readForwarding(
  { allowHosts = [], insecure, host = '127.0.0.1' }: ForwardingOptions,
  contract: Contract,
  target: Target,
): Promise<Forwarding> {
  const servers = serversOf(contract, target.base).map((url) => readTarget({ target: url.href, insecure }));
  const judged = [target, ...servers].flatMap((at) =>
    aliases(at.base).map((base) => ({ at, to: { ...at, base } })),
  );
  const mayReach = compileMayReach({
    target: target.base,
    servers: servers.map(({ base }) => base),
    allowed: allowHosts,
    listensOn: host,
  });
  const secure = judged.filter(({ to }) => to.base.protocol === 'https:').map(({ to }) => hostOf(to.base));
  const certificates =
    secure.length === 0
      ? undefined
      : await certificatesFor([...new Set(secure)]).catch((error: Error) => {
          throw new SettingsError(error.message, 'forward');
        });
  return {
    servers,
    authority: certificates?.authority,
    open: ({ home, wayTo, listening, notice }) =>
      createForward({
        home,
        judged: new Map(judged.toReversed().map(({ at, to }) => [to.base.origin, wayTo(to, at)])),
        certificates,
        mayReach,
        isOwn: (origin) => isSame(new URL(origin), new URL(listening()?.origin ?? 'http://none.invalid')),
        adopt: (socket) => listening()?.adopt(socket),
        notice,
      }),
  };
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** A service on this machine usually has all of these names, and clients may use any of them. */
function aliases(base: URL): URL[] {
  const names = ['localhost', '127.0.0.1', '[::1]'];
  const others = names.includes(base.hostname) ? names.filter((name) => name !== base.hostname) : [];
  return [base, ...others.map((hostname) => Object.assign(new URL(base), { hostname }))];
}

/** The absolute servers of other deployments than the target. */
function serversOf({ servers }: Contract, base: URL): URL[] {
  const urls = servers.flatMap(({ url }) => {
    const parsed = /^https?:/i.test(url) ? URL.parse(url) : null;
    return parsed && !parsed.username && !parsed.search && !parsed.hash ? [parsed] : [];
  });
  const others = urls.map(({ href }) => href.replace(/\/+$/, '')).filter((href) => href !== base.href);
  return [...new Set(others)].map((href) => new URL(href));
}

/** Whether both are the same port of this machine; a server on all addresses is reached by each name. */
function isSame(asked: URL, proxy: URL): boolean {
  const isNamed =
    asked.hostname === proxy.hostname || (namesLoopback(proxy.hostname) && asked.hostname === 'localhost');
  return isNamed && asked.port === proxy.port;
}

interface Destinations {
  readonly target: URL;
  /** The documented servers. */
  readonly servers: readonly URL[];
  /** The user's hosts: `HOST`, `HOST:PORT`, `*.DOMAIN`, or `*` for all. */
  readonly allowed: readonly string[];
  /** The address that the proxy listens on. */
  readonly listensOn: string;
}

/**
 * Compiles the access rules of a forward proxy. Clients on this machine, which could connect directly, may reach this
 * machine and the hosts of target and servers; others may reach the target only, as they must not reach what only this
 * machine may; and all may reach the user's hosts.
 * @throws SettingsError for an invalid host, or one that would make an open proxy
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

/** A dual-stack socket has IPv4 addresses mapped into IPv6 (RFC 4291 §2.5.5.2). */
function isOfThisMachine(address = ''): boolean {
  return isLoopback(address.replace(/^::ffff:/, ''));
}
