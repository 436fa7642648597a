import { type ClientRequest, globalAgent, Agent as HttpAgent, request as httpRequest } from 'node:http';
import { type AgentOptions, Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Fields } from './fields.ts';

/** The environment of a process. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Where Node was told to take HTTP proxies from (`NODE_USE_ENV_PROXY`); undefined: it asks none. Its types do not say so yet. */
export const proxyEnv: Variables | undefined = (
  globalAgent as HttpAgent & { readonly options: { proxyEnv?: Variables } }
).options.proxyEnv;

export interface ServiceOptions {
  /** Of which scheme, host and port count. */
  readonly base: URL;
  readonly tls?: Pick<AgentOptions, 'cert' | 'key' | 'rejectUnauthorized' | 'ca'>;
  /** Names HTTP proxies on the way; undefined: none is asked. */
  readonly proxyEnv: Variables | undefined;
}

/** A request as it is sent on. */
export interface OnwardRequest {
  readonly method: string;
  /** Path and query as they came, or `*`. */
  readonly target: string;
  readonly fields: Fields;
}

/** A service that requests are sent on to. */
export interface Service {
  /**
   * Begins a request, nothing of which is sent before something is written or it is ended.
   * @param connection `own`: none that had another request before
   */
  request(onward: OnwardRequest, connection: 'kept' | 'own'): ClientRequest;
  close(): void;
}

/** Bytes of a head; Node's own limit (16 KiB) would show as a broken connection. */
export const LONGEST_HEAD = 256 * 1024;

/** Milliseconds after which an idle connection is closed: services close theirs, the hastiest after two seconds. */
const IDLE = 1000;

/** Opens a service. Its answers are as they came: nothing is decoded, and no redirect is followed. */
export function openService({ base, tls, proxyEnv: env }: ServiceOptions): Service {
  const { protocol, hostname, port } = base;
  const isSecure = protocol === 'https:';
  const Agent = isSecure ? HttpsAgent : HttpAgent;
  const shared = { ...tls, ...(env && { proxyEnv: env }) };
  const agents = {
    kept: new Agent({ keepAlive: true, scheduling: 'lifo', timeout: IDLE, ...shared }),
    own: new Agent({ keepAlive: false, ...shared }),
  };
  const way = { protocol, host: hostname.replace(/^\[|\]$/g, ''), port: port || (isSecure ? 443 : 80) };
  return {
    request({ method, target, fields }, connection) {
      const agent = agents[connection];
      const options = { ...way, method, path: target, agent, maxHeaderSize: LONGEST_HEAD };
      const send = isSecure ? httpsRequest : httpRequest;
      if (!env) return send({ ...options, headers: fields.flat() });
      const request = send({ ...options, setHost: false });
      // A list would take the place of what Node adds for an HTTP proxy.
      for (const [name, value] of fields) request.appendHeader(name, value);
      return request;
    },
    close() {
      agents.kept.destroy();
      agents.own.destroy();
    },
  };
}

/** The connection was closed before any response, and had served others before: as if the request had not been sent. */
export function isStale(request: ClientRequest, error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return request.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
}

const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Whether not a byte can have reached the service. */
export function isNeverSent(error: Error): boolean {
  return NEVER_SENT.has((error as NodeJS.ErrnoException).code ?? '');
}
