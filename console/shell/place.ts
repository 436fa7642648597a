import { createValue } from './value.ts';

/** Where the page is: `/__admin/`, or `/~NAME/__admin/`. */
const FOLDER = new URL('.', location.href);

/** What the page belongs to: the mock, or the proxy. */
export const SERVER = document.body.dataset.server ?? 'mock';

/** The session that the page shows; empty: the one of requests that name none. */
export const SESSION =
  /^\/~([^/]+)\//.exec(FOLDER.pathname)?.[1] ?? new URLSearchParams(location.search).get('session') ?? '';

/** The console and the API reference of the session, from either of them. */
export const CONSOLE = `./${location.search}`;
export const REFERENCE = `reference${location.search}`;

/** A page of the console for another session; without a name: for requests that name none. */
export function sessionUrl(name: string, page: string): string {
  return `/__admin/${name === '' ? '' : `?session=${encodeURIComponent(name)}`}${linkTo(page)}`;
}

/** The URL of an endpoint of the control API, for the session of the page. */
export function adminUrl(endpoint: string, query: Readonly<Record<string, string>> = {}): string {
  const url = new URL(endpoint, new URL('/__admin/', FOLDER));
  const all = { ...query, ...(SESSION !== '' && { session: SESSION }) };
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
  return url.href;
}

/** The URL of a path of the mock in the session of the page, as a client in another program would use it. */
export function mockUrl(target: string): string {
  return FOLDER.origin + (SESSION === '' ? '' : `/~${SESSION}`) + target;
}

/** What the page shows, after the `#/` of its address, split at slashes and decoded. */
export const route = createValue(readRoute());
addEventListener('hashchange', () => route.set(readRoute()));

function readRoute(): readonly string[] {
  return location.hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
}

/** Shows another part of the console; `replace` leaves no step in the history of the tab. */
export function goTo(steps: readonly string[], replace = false): void {
  if (!replace) {
    location.hash = linkTo(...steps);
    return;
  }
  history.replaceState(null, '', linkTo(...steps));
  route.set(readRoute());
}

/** The address of a part of the console. */
export function linkTo(...steps: readonly string[]): string {
  return `#/${steps.map(encodeURIComponent).join('/')}`;
}
