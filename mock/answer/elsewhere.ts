import type { Control } from '../control/control.ts';
import { isControlPath } from '../control/path.ts';
import type { Session } from '../session/session.ts';
import type { Answer, Awaitable, MockRequest } from './exchange.ts';
import type { Refusal } from './refusal.ts';
import type { Refuse } from './refuse.ts';
import type { Finish } from './reply.ts';

/** Requests that mean no operation of the document. */
export interface Elsewhere {
  /** What the mock offers of its own, by path; all of it can only be read. */
  readonly pages: ReadonlyMap<string, () => Awaitable<Answer>>;
  /** Answers what is asked of the mock itself. */
  readonly control: Control;
  /** Of the session whose addresses begin with this prefix. */
  readonly baseUrl: (prefix: string) => string;
  readonly refuse: Refuse;
  readonly finish: Finish;
}

type Methods = ReadonlyMap<string, unknown>;

const PAGE_METHODS: Methods = new Map([['GET', undefined]]);

export function answerElsewhere(
  { pages, control, baseUrl }: Elsewhere,
  found: { readonly methods: Methods } | undefined,
  request: MockRequest,
  session: Session,
  prefix: string,
): Awaitable<Answer | Refusal> {
  const { method, path } = request;
  if (!found && isControlPath(path)) return control(request, session);
  const page = pages.get(path);
  const methods = found?.methods ?? (page && PAGE_METHODS);
  if (!methods) {
    const message = `There is nothing at ${path}; the paths of the document begin with ${baseUrl(prefix)}`;
    return { refuse: 'no such path', message };
  }
  const allow = allowedMethods(methods);
  if (method === 'OPTIONS') return { status: 204, type: undefined, headers: { Allow: allow }, body: '' };
  if (page && (method === 'GET' || method === 'HEAD')) return page();
  const message = `${method} is not possible at ${path}, only ${allow}`;
  return { refuse: 'method not allowed', message, headers: { Allow: allow } };
}

/** RFC 9110 §10.2.1; HEAD comes with every GET, OPTIONS with every path. */
export function allowedMethods(methods: Methods | undefined): string {
  const documented = [...(methods?.keys() ?? ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])];
  const implied = documented.includes('GET') ? ['HEAD', 'OPTIONS'] : ['OPTIONS'];
  return [...new Set([...documented, ...implied])].join(', ');
}
