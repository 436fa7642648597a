import { addWarning, child, children, listAt, type Spot, textAt } from './document/spot.ts';

/** A Server Object (OpenAPI 3.1 §4.8.5) with the defaults of its variables. */
export interface Server {
  /** Absolute, or relative to the address of the document. */
  readonly url: string;
  readonly description: string | undefined;
  /** The path of the URL without a trailing slash: `/v1`, or the empty string. */
  readonly basePath: string;
  /** Undefined: the default server, which is in no document. */
  readonly spot: Spot | undefined;
  /** Its URLs with every combination of its variables' `enum` values, starting with the defaults; at most 1,000. */
  readonly urls: readonly string[];
  /** The path variables without an `enum`. */
  readonly open: readonly string[];
}

/** The servers of a document or operation. */
export interface Served {
  /** At least one. Those of the operation, else of its path, else of the document (OpenAPI 3.1 §4.8.10). */
  readonly servers: readonly Server[];
  /** The distinct paths of all their URLs without a trailing slash; that of the first server is first. */
  readonly basePaths: readonly string[];
}

/** A document without servers has one with the URL `/`. */
export const NO_SERVERS: Served = servedAt([
  { url: '/', description: undefined, basePath: '', spot: undefined, urls: ['/'], open: [] },
]);

/** The servers of the document, a path or an operation. An empty list counts as none, so that servers are inherited. */
export function readServers(holder: Spot, inherited: Served): Served {
  const servers = listAt(holder, 'servers').map(readServer);
  return servers.length > 0 ? servedAt(servers) : inherited;
}

function servedAt(servers: readonly Server[]): Served {
  return { servers, basePaths: basePathsOf(servers) };
}

export function basePathsOf(servers: readonly Server[]): readonly string[] {
  return [...new Set(servers.flatMap(({ urls }) => urls.map(pathOf)))];
}

const MOST_URLS = 1000;

function readServer(spot: Spot): Server {
  const template = textAt(spot, 'url') ?? '/';
  const variables = new Map(children(child(spot, 'variables')));
  let urls = [''];
  for (const [index, part] of template.split(/\{([^}]+)\}/).entries()) {
    const values = index % 2 === 0 ? [part] : valuesOf(spot, part, variables.get(part));
    const all = urls.flatMap((url) => values.map((value) => url + value));
    urls = all.length > MOST_URLS ? urls.map((url) => url + values[0]) : all;
  }
  const [url = '/'] = urls;
  if (!isUrl(url)) addWarning(spot, `"${url}" is no URL; its path is read as /`);
  const inPath = [...template.replace(/^[^/]*\/\/[^/]*/, '').matchAll(/\{([^}]+)\}/g)].map(
    ([, name = '']) => name,
  );
  const open = inPath.filter((name) => listAt(variables.get(name) ?? spot, 'enum').length === 0);
  return { url, description: textAt(spot, 'description'), basePath: pathOf(url), spot, urls, open };
}

/** The default and the other values of a Server Variable Object (OpenAPI 3.1 §4.8.6). */
function valuesOf(server: Spot, name: string, variable: Spot | undefined): readonly string[] {
  const usual = variable && textOf(child(variable, 'default'));
  if (usual === undefined)
    addWarning(server, `the server variable {${name}} has no default; it is read as its own name`);
  const others = (variable ? listAt(variable, 'enum') : []).flatMap((value) => textOf(value) ?? []);
  return [...new Set([usual ?? name, ...others])];
}

/** In YAML, an unquoted port is a number. */
function textOf(spot: Spot | undefined): string | undefined {
  const value = spot?.value;
  return ['string', 'number', 'bigint'].includes(typeof value) ? String(value) : undefined;
}

const isUrl = (url: string) => URL.canParse(url, 'http://localhost');

function pathOf(url: string): string {
  return URL.parse(url, 'http://localhost')?.pathname.replace(/\/+$/, '') ?? '';
}

/**
 * The base paths of an operation if the service is at a URL. The URL's path stands for a base path of the document, and
 * its prefix also applies to those of the operation: `/gateway/v1` has `/files` at `/gateway/files`. If it does not end
 * with a base path of the document, the service is deployed without base paths, and the URL's path is that of all
 * operations.
 * @param pathname of the URL
 * @param document the base paths of the document
 * @returns at least one: first the one for sending requests
 */
export function basePathsAt(
  pathname: string,
  document: readonly string[],
  { basePaths }: Pick<Served, 'basePaths'>,
): readonly string[] {
  const whole = pathname.replace(/\/+$/, '');
  const stood = longestFirst(document).find((one) => whole.endsWith(one));
  if (stood === undefined) return [whole];
  const before = whole.slice(0, whole.length - stood.length);
  const meant = basePaths.includes(stood) ? [stood, ...basePaths] : basePaths;
  return [...new Set(meant.map((one) => before + one))];
}

export function longestFirst(paths: Iterable<string>): string[] {
  return [...new Set(paths)].sort((left, right) => right.length - left.length);
}
