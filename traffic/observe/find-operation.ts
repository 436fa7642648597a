import { type Contract, compileRoutes, type Operation, type Router } from '#spec';

/** Where a request goes: the service, as it is deployed at one base URL. */
export interface Found {
  /** Origin and path prefix. */
  readonly base: string;
  readonly operation: Operation;
  /** Texts of the path parameters, percent-encoded as they were sent. */
  readonly path: Readonly<Record<string, string>>;
}

/** Why a request has no operation; `base` where it may be one to the service all the same. */
export interface NotFound {
  readonly why: 'elsewhere' | 'unknownPaths' | 'unknownMethods';
  readonly base?: string;
}

export type FindOperation = (method: string, url: URL) => Found | NotFound;

/** Origins whose path prefixes are kept; those of a browser's traffic are a few dozen. */
const MOST_ORIGINS = 1000;

/**
 * Compiles the paths of a document for requests from outside.
 * @param baseUrls of the service; undefined: any origin, and the path prefixes that the document's servers have
 */
export function compileFindOperation(contract: Contract, baseUrls?: readonly URL[]): FindOperation {
  const endpoints = contract.operations.map((operation) => ({ operation }));
  const routers = new Map<string, Router<{ operation: Operation }>>();
  const prefixes = new Map<string, readonly string[]>();
  const prefixesFor = baseUrls ? prefixesIn(baseUrls) : prefixesOf(contract);

  function prefixesAt(origin: string): readonly string[] {
    const known = prefixes.get(origin) ?? prefixesFor(origin);
    if (prefixes.size >= MOST_ORIGINS) prefixes.clear();
    prefixes.set(origin, known);
    return known;
  }

  function routerAt(prefix: string): Router<{ operation: Operation }> {
    const router = routers.get(prefix) ?? compileRoutes(prefix, endpoints);
    routers.set(prefix, router);
    return router;
  }

  return (method, { protocol, origin, pathname }) => {
    if (protocol !== 'http:' && protocol !== 'https:') return { why: 'elsewhere' };
    let notFound: NotFound = { why: 'elsewhere' };
    for (const prefix of prefixesAt(origin)) {
      const isBelow = prefix === '' || pathname === prefix || pathname.startsWith(`${prefix}/`);
      if (!isBelow) continue;
      const base = origin + prefix;
      const match = routerAt(prefix)(pathname);
      const operation = match?.methods.get(method)?.operation;
      if (match && operation) return { base, operation, path: ownPath(operation, match.path) };
      if (match) notFound = { why: 'unknownMethods', base };
      else if (notFound.why === 'elsewhere') notFound = { why: 'unknownPaths', base };
    }
    return notFound;
  };
}

/** Templates of one form may name a parameter differently for other methods. */
function ownPath({ path }: Operation, texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => [name, texts[name] ?? '']),
  );
}

const withoutSlash = (path: string) => path.replace(/\/+$/, '');
const longestFirst = (paths: readonly string[]) =>
  [...new Set(paths)].sort((one, other) => other.length - one.length);

function prefixesIn(bases: readonly URL[]): (origin: string) => readonly string[] {
  return (origin) =>
    longestFirst(bases.filter((base) => base.origin === origin).map((base) => withoutSlash(base.pathname)));
}

/** Where a server of the document has the origin, its prefix alone; a deployment elsewhere may have any of them, or none. */
function prefixesOf({ servers }: Contract): (origin: string) => readonly string[] {
  const anywhere = longestFirst([...servers.map(({ basePath }) => basePath), '']);
  const absolute = servers.flatMap(({ url }) => URL.parse(url) ?? []);
  const named = prefixesIn(absolute);
  return (origin) => {
    const own = named(origin);
    return own.length > 0 ? own : anywhere;
  };
}
