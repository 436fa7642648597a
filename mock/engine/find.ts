import { type RouteMatch, type Router, withAnySlash } from '#spec';
import { isOwnPath } from '../control/path.ts';
import type { MockRequest } from '../http/exchange.ts';
import type { Endpoint } from './endpoint.ts';

/** Finds the endpoints of a path; where several documents are served, by the host of the request, too. */
export type Find = (
  path: string,
  request: Pick<MockRequest, 'headers'> & Partial<Pick<MockRequest, 'method'>>,
) => RouteMatch<Endpoint> | undefined;

/** A slash at the end makes no difference but for the paths of the mock itself and of its files. */
export function withOwnPaths(route: Router<Endpoint>, files: ReadonlyMap<string, unknown>): Router<Endpoint> {
  const loosely = withAnySlash(route);
  return (path, method) => (isOwnPath(path) || files.has(path) ? route(path, method) : loosely(path, method));
}

/** What the log says where a slash made no difference; undefined: path and document agree. */
export function slashNote({ slash }: RouteMatch<Endpoint>, path: string): string | undefined {
  if (slash === undefined) return undefined;
  return slash === 'left out'
    ? `served as ${path.slice(0, -1)}: the document has no slash at its end`
    : `served as ${path}/: the document has a slash at its end`;
}
