import type { MockRequest, MockResponse } from '../http/exchange.ts';
import type { Refusal } from '../http/refusal.ts';
import { StoreUnavailable } from '../store/port.ts';
import type { Session, Time } from './session.ts';

export interface Sessions {
  readonly main: Session;
  /** Creates the session on first use. */
  find(name: string): Session;
  readonly all: readonly Session[];
  close(): void;
}

export interface SessionsOptions {
  readonly open: (name: string) => Session;
  /** The maximum number of named sessions; beyond it, the one idle for longest is removed. */
  readonly most: number;
  /** Milliseconds without a request after which a session is removed. */
  readonly idle: number;
  readonly time: Time;
  /** Receives which session was removed, and why. */
  readonly notice: (text: string) => void;
}

interface NamedSession {
  readonly session: Session;
  touched: number;
}

const SWEEP_MS = 60_000;

function closeListeners({ events, recordEvents, outbox }: Session): void {
  outbox?.close();
  events.close();
  recordEvents.close();
}

/** If the store is unavailable, a later process deletes the session's records. */
async function closeStore({ store }: Session): Promise<void> {
  try {
    await store.close();
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
  }
}

export function createSessions({ open, most, idle, time, notice }: SessionsOptions): Sessions {
  const main = open('');
  // In the order of use: the first one has been idle for longest.
  const named = new Map<string, NamedSession>();
  let sweeping: NodeJS.Timeout | undefined;

  function drop({ session }: NamedSession, why: string): void {
    named.delete(session.name);
    closeListeners(session);
    session.journal.clear();
    void closeStore(session);
    notice(`session "${session.name}" was removed: ${why}`);
  }

  function dropIdle(): void {
    const since = time() - idle;
    for (const session of named.values()) {
      if (session.touched > since) break;
      drop(session, 'it was idle for too long');
    }
  }

  function make(name: string): NamedSession {
    if (named.size >= most) {
      const [oldest] = named.values();
      if (oldest) drop(oldest, `there are more than ${most} sessions, and it was idle the longest`);
    }
    if (!sweeping) {
      sweeping = setInterval(dropIdle, SWEEP_MS);
      // In browsers timers are numbers without `unref`.
      sweeping.unref?.();
    }
    return { session: open(name), touched: 0 };
  }

  return {
    main,
    find(name) {
      if (name === '') return main;
      dropIdle();
      const entry = named.get(name) ?? make(name);
      entry.touched = time();
      named.delete(name);
      named.set(name, entry);
      return entry.session;
    },
    get all() {
      return [main, ...[...named.values()].map(({ session }) => session)];
    },
    close() {
      clearInterval(sweeping);
      for (const session of this.all) closeListeners(session);
    },
  };
}

/** A request, and the session that it names. */
interface SessionRequest {
  readonly session: string;
  /** The prefix of the session's paths: `/~NAME`, or empty. */
  readonly prefix: string;
  readonly request: MockRequest;
}

const HEADER = 'paddock-session';
const TILDE = '~'.charCodeAt(0);

/** A fast check: most requests name no session. */
export function namesSession({ path, headers }: MockRequest): boolean {
  return path.charCodeAt(1) === TILDE || headers[HEADER] !== undefined;
}

/** Reads `/~NAME/...` or the header `Paddock-Session: NAME`; the path takes precedence. */
export function readSession(request: MockRequest): SessionRequest | Refusal {
  const [prefix = '', inPath] = /^\/~([^/]*)/.exec(request.path) ?? [];
  const session = inPath ?? String(request.headers[HEADER] ?? '');
  if (!isSessionName(session)) return refuseSessionName(session);
  return {
    session,
    prefix,
    request: prefix ? { ...request, path: request.path.slice(prefix.length), prefix } : request,
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

/** Makes URLs in a response lead to the session of its request. */
export function withPrefix(prefix: string, response: MockResponse): MockResponse {
  const { Link: link, Location: location } = response.headers;
  if (prefix === '' || (link === undefined && location === undefined)) return response;
  const headers: Record<string, string> = { ...response.headers };
  if (link !== undefined) headers.Link = link.replace(/<\//g, `<${prefix}/`);
  if (location?.startsWith('/')) headers.Location = prefix + location;
  return { ...response, headers };
}
