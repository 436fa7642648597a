import { type ClientRequest, globalAgent, Agent as HttpAgent, request as httpRequest } from 'node:http';
import { type AgentOptions, Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Fields } from './fields.ts';

/** The environment of a process. */
export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The variables that configure HTTP proxies, if Node was told to use them (`NODE_USE_ENV_PROXY`); undefined otherwise.
 * Missing in Node's types.
 */
export const proxyEnv: Variables | undefined = (
  globalAgent as HttpAgent & { readonly options: { proxyEnv?: Variables } }
).options.proxyEnv;

export interface ServiceOptions {
  /** Only scheme, host and port are used. */
  readonly base: URL;
  readonly tls?: Pick<AgentOptions, 'cert' | 'key' | 'rejectUnauthorized' | 'ca'>;
  /** Configures HTTP proxies; undefined: none is used. */
  readonly proxyEnv: Variables | undefined;
}

/** A request to forward. */
export interface OnwardRequest {
  readonly method: string;
  /** The path and query as received, or `*`. */
  readonly target: string;
  readonly fields: Fields;
}

/** A service that requests are forwarded to. */
export interface Service {
  /**
   * Starts a request; nothing is sent until something is written or it is ended.
   * @param connection `own`: a new connection
   */
  request(onward: OnwardRequest, connection: 'kept' | 'own'): ClientRequest;
  close(): void;
}

/** Bytes of a message head; with Node's default (16 KiB), an overflow would look like a broken connection. */
export const LONGEST_HEAD = 256 * 1024;

/** Milliseconds until an idle connection is closed, before the service closes it: the fastest ones do after two seconds. */
const IDLE = 1000;

/** Opens a service. Responses are passed on unchanged: nothing is decoded, and redirects are not followed. */
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
      // Setting a list would replace what Node adds for an HTTP proxy.
      for (const [name, value] of fields) request.appendHeader(name, value);
      return request;
    },
    close() {
      agents.kept.destroy();
      agents.own.destroy();
    },
  };
}

/** Whether the service closed a reused connection before any response, so that the request counts as not sent. */
export function isStale(request: ClientRequest, error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return request.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
}

const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Whether certainly no byte has reached the service. */
export function isNeverSent(error: Error): boolean {
  return NEVER_SENT.has((error as NodeJS.ErrnoException).code ?? '');
}
