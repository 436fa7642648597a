import { type Contract, explicitStatuses } from '#spec';
import { baseUrlHint } from '#target';
import type { Answer } from './ask-target.ts';
import { about, type Remark } from './remark.ts';

const { good, warning, wrong, skipped } = about('base path');

/** Whether the path of the base URL leads to the documented operations. */
export function examineBasePath(
  base: URL,
  { servers }: Pick<Contract, 'servers'>,
  answers: readonly Answer[],
): Remark {
  const path = base.pathname.replace(/\/+$/, '') || '/';
  const [first] = answers;
  if (!first) return skipped('no documented GET operation has given an answer');
  const found = answers.find((answer) => !isElsewhere(answer) && !isRefused(answer) && !isRedirect(answer));
  if (found) return good(`${path}: ${said(found)}`);
  const hint = baseUrlHint(
    base,
    servers.map((server) => server.basePath),
  );
  const redirect = answers.find(isRedirect);
  if (redirect)
    return wrong(
      `${said(redirect)}, to ${originOf(redirect, base)}`,
      'name where it leads to as base URL; redirects are not followed',
    );
  if (answers.some(isRefused))
    return skipped(`${said(answers.find(isRefused) ?? first)}: that says nothing of the path`);
  const all =
    answers.length === 1
      ? 'the documented path that was requested'
      : `all of ${answers.length} documented paths`;
  const seen = `${all} lead elsewhere: ${said(first)}`;
  const isSure = answers.some((answer) => !answer.isGuess && !documents(answer, 404));
  return isSure ? wrong(seen, hint) : warning(`${seen}, for which there may be no record`, hint);
}

function said({ operation: { method, path }, status, type }: Answer): string {
  const page = status < 300 && type === 'text/html' ? ' with a page' : '';
  return `${method} ${path} answers ${status}${page}`;
}

/** What a server answers that does not know the path: 404, or the page of a web site. */
function isElsewhere(answer: Answer): boolean {
  if (answer.status === 404) return true;
  if (answer.status >= 300 || answer.type !== 'text/html') return false;
  return !answer.operation.responses.some(({ content }) =>
    content.some(({ type }) => type.startsWith('text/html')),
  );
}

function documents({ operation }: Answer, status: number): boolean {
  return explicitStatuses(operation.responses).includes(status);
}

function isRefused({ status }: Answer): boolean {
  return status === 401 || status === 403;
}

function isRedirect(answer: Answer): boolean {
  const { status, location } = answer;
  return location !== undefined && status >= 300 && status < 400 && !documents(answer, status);
}

/** Without the query, which may hold a token. */
function originOf({ location = '' }: Answer, base: URL): string {
  const url = URL.parse(location, base.href);
  return url ? url.origin + url.pathname : 'no URL';
}
