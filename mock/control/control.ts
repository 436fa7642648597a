import { isRefusal, type Outcome, REFUSALS, type Refusal } from '../errors/refusal.ts';
import type { Awaitable } from '../exchange/awaitable.ts';
import type { MockRequest, ResponseContent } from '../exchange/exchange.ts';
import { findMethod, methodNotAllowed } from '../http/methods.ts';
import { isSessionName, refuseSessionName } from '../session/address.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Access } from './access.ts';
import { jsonResponse } from './json.ts';
import { CONTROL_PATH, isConsolePath, seeConsole } from './path.ts';

/** Responds to requests below {@link CONTROL_PATH}, for the session that the request names. */
export type Control = (request: MockRequest, session: Session) => Promise<ResponseContent>;

export type Handler = (request: MockRequest, session: Session) => Awaitable<Outcome>;

/** By path below {@link CONTROL_PATH}, then by method. */
export type ControlEndpoints = Readonly<Record<string, Readonly<Record<string, Handler>>>>;

/** A health check has no token. */
const PUBLIC_PATH = `${CONTROL_PATH}/health`;

/** Every response names the replica that sent it, which a load balancer does not tell. */
export function createControl(
  endpoints: ControlEndpoints,
  sessions: Sessions,
  access: Access,
  replica: string,
): Control {
  return async (request, session) => {
    const outcome = await respond(request, session);
    const { headers, ...rest } = isRefusal(outcome) ? refusalResponse(outcome) : outcome;
    return { ...rest, headers: { ...headers, 'Paddock-Replica': replica } };
  };

  async function respond(request: MockRequest, session: Session): Promise<Outcome> {
    const forbidden = request.path === PUBLIC_PATH ? undefined : access(request);
    // The page asks for the token that it then sends.
    const isPage = isConsolePath(request.path);
    if (forbidden && !(isPage && forbidden.refuse === 'unauthorized')) return forbidden;
    if (isPage) return respondConsole(request);
    const handler = findHandler(endpoints, request);
    if (typeof handler !== 'function') return handler;
    const name = new URLSearchParams(request.query).get('session');
    if (!name) return handler(request, session);
    return isSessionName(name) ? handler(request, sessions.find(name)) : refuseSessionName(name);
  }
}

const PAGE_METHODS = new Map([['GET', true]]);

/** The console is loaded when it is first asked for. */
async function respondConsole(request: MockRequest): Promise<Outcome> {
  const { method, path, query } = request;
  if (!findMethod(PAGE_METHODS, method)) return methodNotAllowed(method, path, PAGE_METHODS);
  if (path === CONTROL_PATH) return seeConsole(query);
  const { consoleFile } = await import('#console-files');
  return consoleFile(request);
}

/** `rules` handles `/__admin/rules/3` as well as `/__admin/rules`. */
function findHandler(endpoints: ControlEndpoints, { method, path }: MockRequest): Handler | Outcome {
  const [, , name = '', ...rest] = path.split('/');
  const handlers = Object.hasOwn(endpoints, name) && rest.length <= 1 ? endpoints[name] : undefined;
  if (!handlers) {
    const paths = Object.keys(endpoints).map((one) => `${CONTROL_PATH}/${one}`);
    return { refuse: 'no such path', message: `There is nothing at ${path}; there are ${paths.join(', ')}` };
  }
  const methods = new Map(Object.entries(handlers));
  return findMethod(methods, method) ?? methodNotAllowed(method, path, methods);
}

/** The same form for every document, so that scripts can rely on it. */
function refusalResponse({ refuse, message, details, headers }: Refusal): ResponseContent {
  const { status, code } = REFUSALS[refuse];
  return jsonResponse({ code, message, status, ...(details && { details }) }, status, headers);
}
