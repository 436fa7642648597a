import { essenceOf, isJsonType } from '#spec';
import { type HeaderPair, headerOf, type RecordedExchange } from '../har/recorded-exchange.ts';
import { PathTally } from './operation-tally.ts';
import { createNode, findIds, nodeAt, type PathNode, pathsBelow, type TemplateSegment } from './path-tree.ts';

export interface LearnOptions {
  /** Base URLs of the service to learn from. Default: the origin with most JSON exchanges. */
  readonly baseUrls?: readonly string[] | undefined;
}

export interface LearnedPath {
  readonly segments: readonly TemplateSegment[];
  readonly tally: PathTally;
}

export interface LearnedTraffic {
  /** The origin of the service; undefined: no exchange has one. */
  readonly origin: string | undefined;
  /** The common path prefix: `/api/v1`, or empty. */
  readonly basePath: string;
  readonly paths: readonly LearnedPath[];
  /** The number of exchanges that were used. */
  readonly learned: number;
  /** The reasons why others were not, with their numbers. */
  readonly leftOut: ReadonlyMap<LeftOut, number>;
  /** Other origins, with their numbers of exchanges. */
  readonly others: ReadonlyMap<string, number>;
}

export const LEFT_OUT = {
  elsewhere: 'to other origins or paths than those of the service',
  method: 'with HEAD, OPTIONS and other methods that are about another request',
  asset: 'for files of a page: HTML, scripts, styles, images, fonts',
  withoutResponse: 'without a response',
  fromCache: 'answered by a cache or a service worker',
  unknown: 'to paths that were answered with 404, 405 or 304 alone',
} as const satisfies Readonly<Record<string, string>>;

export type LeftOut = keyof typeof LEFT_OUT;

/** Learns a service from its traffic, exchange by exchange, in memory that grows only with the number of paths. */
export interface Learner {
  add(exchange: RecordedExchange): void;
  result(): LearnedTraffic;
}

/** A browser's traffic has a few dozen origins. */
const MOST_ORIGINS = 200;
const METHODS = new Set(['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'TRACE']);

interface Service {
  readonly root: PathNode;
  exchanges: number;
  json: number;
}

export function createLearner({ baseUrls }: LearnOptions = {}): Learner {
  const services = new Map<string, Service>();
  const leftOut = new Map<LeftOut, number>();
  const bases = baseUrls?.map((url) => new URL(url));
  const count = (why: LeftOut, times = 1) => void leftOut.set(why, (leftOut.get(why) ?? 0) + times);

  function add(exchange: RecordedExchange): void {
    const why = whyNot(exchange, bases);
    if (why) {
      count(why);
      return;
    }
    const { request, response } = exchange;
    const { origin, pathname } = request.url;
    // Deployments at several base URLs are one service.
    const key = bases ? (bases[0] as URL).origin : origin;
    const existing = services.get(key);
    if (!existing && services.size >= MOST_ORIGINS) {
      count('elsewhere');
      return;
    }
    const service = existing ?? { root: createNode(), exchanges: 0, json: 0 };
    services.set(key, service);
    service.exchanges += 1;
    if (hasJson(exchange)) service.json += 1;
    const prefix = bases?.find((base) => isBelow(request.url, base));
    const path = prefix ? pathname.slice(withoutSlash(prefix.pathname).length) : pathname;
    const node = nodeAt(service.root, segmentsOf(path), (response?.status ?? 0) < 400);
    node.leaf ??= new PathTally();
    if (response) node.leaf.add({ ...exchange, response });
  }

  function result(): LearnedTraffic {
    const [chosen, ...rest] = [...services].sort(
      ([, service], [, other]) => other.json - service.json || other.exchanges - service.exchanges,
    );
    const others = new Map(rest.map(([origin, { exchanges }]) => [origin, exchanges]));
    const left = new Map(leftOut);
    const foreign = [...others.values()].reduce((sum, one) => sum + one, 0);
    if (foreign > 0) left.set('elsewhere', (left.get('elsewhere') ?? 0) + foreign);
    if (!chosen) return { origin: undefined, basePath: '', paths: [], learned: 0, leftOut: left, others };
    const [origin, { root, exchanges }] = chosen;
    const basePath = bases?.[0] && withoutSlash(bases[0].pathname);
    const base = basePath === undefined ? baseOf(root) : { node: root, path: basePath };
    findIds(base.node);
    const all = [...pathsBelow(base.node)].map(({ segments, leaf }) => ({ segments, tally: leaf }));
    const paths = all.filter(({ tally }) => tally.isTelling());
    const unknown = all
      .filter(({ tally }) => !tally.isTelling())
      .reduce((sum, { tally }) => sum + seenIn(tally), 0);
    if (unknown > 0) left.set('unknown', unknown);
    return { origin, basePath: base.path, paths, learned: exchanges - unknown, leftOut: left, others };
  }

  return { add, result };
}

function seenIn({ operations }: PathTally): number {
  return [...operations.values()].reduce((sum, { seen }) => sum + seen, 0);
}

export function whyNot(
  { request, response, remarks }: RecordedExchange,
  bases: readonly URL[] | undefined,
): LeftOut | undefined {
  if (bases && !bases.some((base) => isBelow(request.url, base))) return 'elsewhere';
  if (remarks.includes('from-cache') || remarks.includes('service-worker')) return 'fromCache';
  if (!METHODS.has(request.method)) return 'method';
  if (!response || response.status < 200 || response.status > 599) return 'withoutResponse';
  const type = typeOf(response.headers);
  return request.method === 'GET' && ASSETS.test(type) ? 'asset' : undefined;
}

const ASSETS =
  /^(?:text\/(?:html|css|javascript)|application\/(?:(?:x-)?javascript|ecmascript|wasm|manifest\+json|xhtml\+xml|font-.*)|image\/.*|font\/.*|audio\/.*|video\/.*)$/;

function typeOf(headers: readonly HeaderPair[]): string {
  return essenceOf(headerOf(headers, 'content-type') ?? '');
}

function hasJson({ request, response }: RecordedExchange): boolean {
  return isJsonType(typeOf(request.headers)) || isJsonType(typeOf(response?.headers ?? []));
}

const withoutSlash = (path: string) => path.replace(/\/+$/, '');

function isBelow(url: URL, base: URL): boolean {
  const prefix = withoutSlash(base.pathname);
  return url.origin === base.origin && (url.pathname === prefix || url.pathname.startsWith(`${prefix}/`));
}

function segmentsOf(path: string): string[] {
  return path === '' || path === '/' ? [] : path.slice(1).split('/');
}

/** Common path prefixes of services. */
const USUAL = /^(?:api|rest|v\d+(?:\.\d+)*)$/i;

/** The leading words that all paths share, unless they are a resource. */
function baseOf(root: PathNode): { readonly node: PathNode; readonly path: string } {
  const steps: { readonly node: PathNode; readonly path: string; readonly word: string }[] = [];
  for (let node = root; !node.leaf?.isTelling() && node.ids.size === 0; ) {
    const telling = [...node.words].filter(([, child]) => hasTelling(child));
    const [only] = telling;
    if (!only || telling.length > 1) break;
    const [word, child] = only;
    steps.push({ node: child, path: `${steps.at(-1)?.path ?? ''}/${word}`, word });
    node = child;
  }
  const usual = steps.findLast(({ word }) => USUAL.test(word));
  const last = steps.findLast(
    ({ node }) => node.ids.size === 0 && !node.leaf?.isTelling() && !isResource(node),
  );
  return usual ?? last ?? { node: root, path: '' };
}

/** Whether the children share a resource: `/pets/search` and `/pets/count` do, as nothing is below them. */
function isResource({ words }: PathNode): boolean {
  return [...words.values()].every((child) => child.words.size === 0 && child.ids.size === 0);
}

function hasTelling({ leaf, words, ids }: PathNode): boolean {
  return leaf?.isTelling() === true || [...words.values(), ...ids.values()].some(hasTelling);
}
