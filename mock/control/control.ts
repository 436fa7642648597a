import { allowedMethods } from '../answer/elsewhere.ts';
import type { Answer, Awaitable, MockRequest } from '../answer/exchange.ts';
import { isRefusal, REFUSALS, type Refusal } from '../answer/refusal.ts';
import { isSessionName } from '../session/address.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Access } from './access.ts';
import { jsonAnswer, NO_CONTENT } from './json.ts';
import { CONTROL_PATH } from './path.ts';

/** Answers what is asked of the mock itself, for the session that the request names. */
export type Control = (request: MockRequest, session: Session) => Promise<Answer>;

/** One thing that can be asked or told. */
export type Handle = (request: MockRequest, session: Session) => Awaitable<Answer | Refusal>;

/** By path below {@link CONTROL_PATH}, then by method. */
export type ControlTable = Readonly<Record<string, Readonly<Record<string, Handle>>>>;

/** Who watches over a mock must not need its token. */
const OPEN_TO_ALL = `${CONTROL_PATH}/health`;

/** Every answer names the replica that gave it: behind a load balancer nobody else knows. */
export function createControl(
  table: ControlTable,
  sessions: Sessions,
  access: Access,
  replica: string,
): Control {
  return async (request, session) => {
    const outcome = await answer(request, session);
    const { headers, ...rest } = isRefusal(outcome) ? controlRefusal(outcome) : outcome;
    return { ...rest, headers: { ...headers, 'Paddock-Replica': replica } };
  };

  async function answer(request: MockRequest, session: Session): Promise<Answer | Refusal> {
    const forbidden = request.path === OPEN_TO_ALL ? undefined : access(request);
    if (forbidden) return forbidden;
    const handle = findHandle(table, request);
    if (isRefusal(handle)) return handle;
    const name = new URLSearchParams(request.query).get('session');
    if (name === null || name === '') return handle(request, session);
    if (isSessionName(name)) return handle(request, sessions.find(name));
    return { refuse: 'session name', message: `${JSON.stringify(name)} is no name of a session` };
  }
}

/** `/__admin/rules/3` is asked of `rules`, as is `/__admin/rules`. */
function findHandle(table: ControlTable, { method, path }: MockRequest): Handle | Refusal {
  const [, , name = '', ...rest] = path.split('/');
  const methods = Object.hasOwn(table, name) && rest.length <= 1 ? table[name] : undefined;
  if (!methods) {
    const names = Object.keys(table).map((one) => `${CONTROL_PATH}/${one}`);
    return { refuse: 'no such path', message: `There is nothing at ${path}; there are ${names.join(', ')}` };
  }
  const handle = methods[method] ?? (method === 'HEAD' ? methods.GET : undefined);
  if (handle) return handle;
  const allow = allowedMethods(new Map(Object.entries(methods)));
  if (method === 'OPTIONS') return () => ({ ...NO_CONTENT, headers: { Allow: allow } });
  return {
    refuse: 'method not allowed',
    message: `${method} is not possible at ${path}, only ${allow}`,
    headers: { Allow: allow },
  };
}

/** The same form for every document, so that a script that steers a mock can rely on it. */
function controlRefusal({ refuse, message, details, headers }: Refusal): Answer {
  const { status, code } = REFUSALS[refuse];
  return jsonAnswer({ code, message, status, ...(details && { details }) }, status, headers);
}
