import type { MockRequest, MockResponse } from '../http/exchange.ts';
import type { Refusal } from '../http/refusal.ts';

/** A request, and the session that it names. */
export interface SessionRequest {
  readonly session: string;
  /** What precedes the path within the session: `/~NAME`, or nothing. */
  readonly prefix: string;
  readonly request: MockRequest;
}

const HEADER = 'paddock-session';
const TILDE = '~'.charCodeAt(0);

/** A fast check: most requests name no session. */
export function namesSession({ path, headers }: MockRequest): boolean {
  return path.charCodeAt(1) === TILDE || headers[HEADER] !== undefined;
}

/** Reads `/~NAME/...` or the header `Paddock-Session: NAME`; the path wins. */
export function readSession(request: MockRequest): SessionRequest | Refusal {
  const [prefix = '', inPath] = /^\/~([^/]*)/.exec(request.path) ?? [];
  const session = inPath ?? String(request.headers[HEADER] ?? '');
  if (!isSessionName(session)) return refuseSessionName(session);
  return {
    session,
    prefix,
    request: prefix ? { ...request, path: request.path.slice(prefix.length) } : request,
  };
}

export function refuseSessionName(name: string): Refusal {
  return { refuse: 'session name', message: sessionNameProblem(name) };
}

export function sessionNameProblem(name: string): string {
  return `A session's name must have 1 to 64 letters, digits and the characters . _ -, not ${JSON.stringify(name)}`;
}

export function isSessionName(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(text);
}

/** The URLs in a response lead into the session of its request. */
export function withPrefix(prefix: string, response: MockResponse): MockResponse {
  const { Link: link, Location: location } = response.headers;
  if (prefix === '' || (link === undefined && location === undefined)) return response;
  const headers: Record<string, string> = { ...response.headers };
  if (link !== undefined) headers.Link = link.replace(/<\//g, `<${prefix}/`);
  if (location?.startsWith('/')) headers.Location = prefix + location;
  return { ...response, headers };
}
