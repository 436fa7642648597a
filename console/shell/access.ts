import { createValue, type Value } from './value.ts';

/** How the console, or the dock in another page, reaches its mock: over HTTP, or within the page. */
export interface Access {
  /** The kind of server: `mock`, or `proxy`. */
  readonly server: string;
  readonly origin: string;
  /** Empty: the default session. */
  readonly session: string;
  /** Whether other programs can reach it. */
  readonly isShared: boolean;
  /** The token of the control API. */
  readonly token: Value<string | undefined>;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

let current: Access | undefined;

/** The console's access, unless another one was set. */
export function access(): Access {
  current ??= accessOfConsole();
  return current;
}

export function setAccess(next: Access): void {
  current = next;
}

export function overHttp(origin: string, session: string, token: Access['token']): Access {
  const fetch = globalThis.fetch.bind(globalThis);
  return { server: 'mock', origin, session, isShared: true, token, fetch };
}

const KEY = 'paddock-admin-token';

/** The page is at `/__admin/`, or `/~NAME/__admin/`; the browser forgets the token with its tab. */
function accessOfConsole(): Access {
  const { origin, pathname, search } = location;
  const session = /^\/~([^/]+)\//.exec(pathname)?.[1] ?? new URLSearchParams(search).get('session') ?? '';
  const token = createValue(sessionStorage.getItem(KEY) ?? undefined);
  token.subscribe(() => {
    const text = token.get();
    if (text === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, text);
  });
  return { ...overHttp(origin, session, token), server: document.body.dataset.server ?? 'mock' };
}

/** The URL of a control API endpoint, for the session. */
export function adminUrl(endpoint: string, query: Readonly<Record<string, string>> = {}): string {
  const { origin, session } = access();
  const url = new URL(`/__admin/${endpoint}`, origin);
  const all = { ...query, ...(session !== '' && { session }) };
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
  return url.href;
}

/** The URL of a path of the mock in the session, for other clients. */
export function mockUrl(target: string): string {
  const { origin, session } = access();
  return origin + (session === '' ? '' : `/~${session}`) + target;
}
