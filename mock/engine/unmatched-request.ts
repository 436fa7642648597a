import type { Control } from '../control/control.ts';
import { isControlPath, seeConsole } from '../control/path.ts';
import { acceptOf } from '../http/accept.ts';
import type { Awaitable } from '../http/awaitable.ts';
import type { Refuse } from '../http/error-response.ts';
import type { MockRequest, ResponseContent } from '../http/exchange.ts';
import { methodNotAllowed } from '../http/methods.ts';
import type { Outcome } from '../http/refusal.ts';
import type { Finish } from '../http/response-headers.ts';
import type { Session } from '../sessions/session.ts';

/** What responds to requests that match no operation of the document. */
export interface UnmatchedContext {
  /** The document's own files, by path. */
  readonly files: ReadonlyMap<string, () => ResponseContent>;
  readonly control: Control;
  /** Of the session with this path prefix. */
  readonly baseUrl: (prefix: string) => string;
  readonly refuse: Refuse;
  readonly finish: Finish;
}

/** The control API and the document's files; else 405 where other methods are offered, or 404. */
export function respondUnmatched(
  { files, control, baseUrl }: UnmatchedContext,
  methods: ReadonlyMap<string, unknown> | undefined,
  request: MockRequest,
  session: Session,
  prefix: string,
): Awaitable<Outcome> {
  const { method, path } = request;
  if (!methods && isControlPath(path)) return control(request, session);
  const file = files.get(path);
  const offered = methods ?? (file && new Map([['GET', file]]));
  if (!offered) {
    if (path === '/' && method === 'GET' && isBrowser(request)) return seeConsole();
    const message = `There is nothing at ${path}; the paths of the document begin with ${baseUrl(prefix)}`;
    return { refuse: 'no such path', message };
  }
  if (file && (method === 'GET' || method === 'HEAD')) return file();
  return methodNotAllowed(method, path, offered);
}

/** Programs name no HTML among what they accept. */
function isBrowser(request: MockRequest): boolean {
  return /\btext\/html\b/i.test(acceptOf(request) ?? '');
}
