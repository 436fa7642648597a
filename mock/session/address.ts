import type { MockRequest, Reply } from '../answer/exchange.ts';
import type { Refusal } from '../answer/refusal.ts';

/** Which session a request means, and what it asks there. */
export interface Addressed {
  readonly session: string;
  /** What stands before the path within the session: `/~NAME`, or nothing. */
  readonly prefix: string;
  readonly request: MockRequest;
}

const HEADER = 'paddock-session';
const TILDE = '~'.charCodeAt(0);

/** Most requests name no session. */
export function namesSession({ path, headers }: MockRequest): boolean {
  return path.charCodeAt(1) === TILDE || headers[HEADER] !== undefined;
}

/** Reads `/~NAME/...` or the header `Paddock-Session: NAME`; of the two the path counts. */
export function readSession(request: MockRequest): Addressed | Refusal {
  const [prefix = '', inPath] = /^\/~([^/]*)/.exec(request.path) ?? [];
  const session = inPath ?? String(request.headers[HEADER] ?? '');
  if (!isSessionName(session)) {
    const message = `A session's name has 1 to 64 letters, digits and the signs . _ - and not ${JSON.stringify(session)}`;
    return { refuse: 'session name', message };
  }
  return {
    session,
    prefix,
    request: prefix ? { ...request, path: request.path.slice(prefix.length) } : request,
  };
}

export function isSessionName(text: string): boolean {
  return /^[A-Za-z0-9._-]{1,64}$/.test(text);
}

/** An answer's own addresses lead into the session that was asked. */
export function within(prefix: string, reply: Reply): Reply {
  const { Link: link, Location: location } = reply.headers;
  if (prefix === '' || (link === undefined && location === undefined)) return reply;
  const headers: Record<string, string> = { ...reply.headers };
  if (link !== undefined) headers.Link = link.replace(/<\//g, `<${prefix}/`);
  if (location?.startsWith('/')) headers.Location = prefix + location;
  return { ...reply, headers };
}
