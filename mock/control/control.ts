import { parseJson, percentDecode, stringifyJson } from '#spec';
import { findMethod, methodNotAllowed } from '../http/cors.ts';
import type { Awaitable, MockRequest, ResponseContent } from '../http/exchange.ts';
import { isRefusal, type Outcome, REFUSALS, type Refusal } from '../http/refusal.ts';
import type { Session } from '../sessions/session.ts';
import type { Access } from './access.ts';
import { CONTROL_PATH, type ConsolePages, isConsolePath, seeConsole } from './path.ts';

/** Responds to requests below {@link CONTROL_PATH}, in the session of the request. */
export type Control = (request: MockRequest, session: Session) => Promise<ResponseContent>;

export type Handler = (request: MockRequest, session: Session) => Awaitable<Outcome>;

/** By path below {@link CONTROL_PATH}, whose last segment may be `*`, then by method. */
export type ControlEndpoints = Readonly<Record<string, Readonly<Record<string, Handler>>>>;

const PUBLIC_PATH = `${CONTROL_PATH}/health`;

/**
 * The shared part of every control API: checks access, serves the console's pages, and finds the handler.
 * @param contextOf what handlers receive beside the request, or the reason for a refusal
 */
export function compileControl<Source, Context extends object>(
  endpoints: Readonly<
    Record<string, Readonly<Record<string, (request: MockRequest, context: Context) => Awaitable<Outcome>>>>
  >,
  access: Access,
  contextOf: (request: MockRequest, source: Source) => Context | Refusal,
  pages?: ConsolePages,
): (request: MockRequest, source: Source) => Promise<ResponseContent> {
  return async (request, source) => {
    const outcome = await respond(request, source).catch(refusalIn);
    return isRefusal(outcome) ? refusalResponse(outcome) : outcome;
  };

  async function respond(request: MockRequest, source: Source): Promise<Outcome> {
    const forbidden = request.path === PUBLIC_PATH ? undefined : access(request);
    // The page itself asks for the token, so it needs none.
    const isPage = isConsolePath(request.path);
    if (forbidden && !(isPage && forbidden.refuse === 'unauthorized')) return forbidden;
    if (isPage) return respondConsole(request, pages);
    const handler = findHandler(endpoints, request);
    if (typeof handler !== 'function') return handler;
    return handler(request, need(contextOf(request, source)));
  }
}

class Refused extends Error {}

/** Ends a handler with a refusal as its response. */
export function refuseWith(refusal: Refusal): never {
  throw new Refused('', { cause: refusal });
}

/** Returns the value, or ends the handler with a refusal in its place. */
export function need<Found extends object>(value: Found | Refusal): Found {
  return 'refuse' in value ? refuseWith(value) : value;
}

function refusalIn(error: unknown): Refusal {
  if (error instanceof Refused) return error.cause as Refusal;
  throw error;
}

const PAGE_METHODS = new Map([['GET', true]]);

async function respondConsole(request: MockRequest, pages: ConsolePages | undefined): Promise<Outcome> {
  const { method, path, query } = request;
  if (!findMethod(PAGE_METHODS, method)) return methodNotAllowed(method, path, PAGE_METHODS);
  if (path === CONTROL_PATH) return seeConsole(query);
  const { consoleFile } = await import('#console-files');
  return consoleFile(request, pages);
}

/** Renamed endpoints, with their new names. */
const MOVED: Readonly<Record<string, string>> = { rules: 'answers', scenarios: 'answers/scenarios' };

/** The handler of a path, with or without a trailing slash, else the one with `*` as its last segment. */
function findHandler<Found>(
  endpoints: Readonly<Record<string, Readonly<Record<string, Found>>>>,
  { method, path }: MockRequest,
): Found | Outcome {
  const below = path.slice(CONTROL_PATH.length + 1);
  const steps = (below.endsWith('/') ? below.slice(0, -1) : below).split('/');
  const names = [steps, [...steps.slice(0, -1), '*']].map((one) => one.join('/'));
  const name = names.find((one) => Object.hasOwn(endpoints, one));
  const handlers = name === undefined ? undefined : endpoints[name];
  if (!handlers) {
    const [first = ''] = steps;
    const moved = Object.hasOwn(MOVED, first) ? MOVED[first] : undefined;
    const paths = Object.keys(endpoints).map((one) => `${CONTROL_PATH}/${one}`);
    const remedy =
      moved !== undefined && Object.hasOwn(endpoints, moved)
        ? `${CONTROL_PATH}/${first} is ${CONTROL_PATH}/${moved} now`
        : `there are ${paths.join(', ')}`;
    return { refuse: 'no such path', message: `No such path: ${path}; ${remedy}` };
  }
  const methods = new Map(Object.entries(handlers));
  return findMethod(methods, method) ?? methodNotAllowed(method, path, methods);
}

export function lastStep({ path }: MockRequest): string {
  return percentDecode(path.slice(path.lastIndexOf('/') + 1));
}

/** The same form for every document, so that scripts can rely on it. */
function refusalResponse({ refuse, message, details, headers }: Refusal): ResponseContent {
  const { status, code } = REFUSALS[refuse];
  return jsonResponse({ code, message, status, ...(details && { details }) }, status, headers);
}

export const NO_STORE = { 'Cache-Control': 'no-store' };

export function jsonResponse(
  value: unknown,
  status = 200,
  headers?: ResponseContent['headers'],
): ResponseContent {
  const body = `${stringifyJson(value, 2)}\n`;
  return { status, type: 'application/json', body, headers: { ...NO_STORE, ...headers } };
}

export const NO_CONTENT: ResponseContent = { status: 204, type: undefined, body: '' };

/** The text of a request's body, which must be UTF-8. */
export function bodyText({ body }: MockRequest): string {
  if (body === 'too large') return refuseWith({ refuse: 'too large', message: 'The body is too large' });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return refuseWith({ refuse: 'malformed', message: 'The body is not UTF-8' });
  }
}

export function bodyJson(request: MockRequest): unknown {
  const text = bodyText(request);
  try {
    return parseJson(text);
  } catch (error) {
    const message = `The body must be JSON: ${(error as Error).message}`;
    return refuseWith({ refuse: 'malformed', message });
  }
}
