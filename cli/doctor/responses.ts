import { type Contract, explicitStatuses } from '#spec';
import { baseUrlHint, type Keys, missingSchemes, needsKey } from '#target';
import type { Answer } from './ask-target.ts';
import { about, type Remark } from './remark.ts';

const ofBasePath = about('base path');

/** Whether the path of the base URL leads to the documented operations. */
export function examineBasePath(
  base: URL,
  { servers }: Pick<Contract, 'servers'>,
  answers: readonly Answer[],
): Remark {
  const path = base.pathname.replace(/\/+$/, '') || '/';
  const [first] = answers;
  if (!first) return ofBasePath.skipped('no documented GET operation has responded');
  const found = answers.find((answer) => !isElsewhere(answer) && !isRefused(answer) && !isRedirect(answer));
  if (found) return ofBasePath.good(`${path}: ${said(found)}`);
  const hint = baseUrlHint(
    base,
    servers.map((server) => server.basePath),
  );
  const redirect = answers.find(isRedirect);
  if (redirect)
    return ofBasePath.wrong(
      `${said(redirect)}, to ${originOf(redirect, base)}`,
      'use the URL that it leads to as base URL; redirects are not followed',
    );
  if (answers.some(isRefused))
    return ofBasePath.skipped(`${said(answers.find(isRefused) ?? first)}, which says nothing about the path`);
  const all =
    answers.length === 1
      ? 'the documented path that was requested'
      : `all of ${answers.length} documented paths`;
  const seen = `${all} lead elsewhere: ${said(first)}`;
  const isSure = answers.some((answer) => !answer.isGuess && !documents(answer, 404));
  return isSure
    ? ofBasePath.wrong(seen, hint)
    : ofBasePath.warning(`${seen}, for which there may be no record`, hint);
}

function said({ operation: { method, path }, status, type }: Answer): string {
  const page = status < 300 && type === 'text/html' ? ' with a page' : '';
  return `${method} ${path} returned ${status}${page}`;
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

const ofKey = about('key');

/** Whether there is a credential, and whether operations that need one accept it. */
export function examineKey(
  { operations, securitySchemes }: Pick<Contract, 'operations' | 'securitySchemes'>,
  keys: Keys,
  answers: readonly Answer[],
): Remark {
  const needing = operations.filter(needsKey);
  if (needing.length === 0) return ofKey.good('no documented operation needs one');
  const need = `${needing.length} of ${operations.length} operations need one`;
  const names = `PADDOCK_API_KEY, or a PADDOCK_CREDENTIAL_NAME for each of ${securitySchemes.join(', ')}`;
  if (keys.apiKey === undefined && Object.keys(keys.credentials).length === 0)
    return ofKey.wrong(
      `none is given, and ${need}`,
      `set ${securitySchemes.length > 1 ? names : 'PADDOCK_API_KEY'}`,
    );
  const lacking = [...new Set(needing.flatMap((operation) => missingSchemes(operation, keys)))];
  if (lacking.length > 0)
    return ofKey.warning(`none is given for the security scheme ${lacking.join(', ')}`, `set ${names}`);
  return examineAnswers(answers.filter(({ operation }) => needsKey(operation)));
}

function examineAnswers(answers: readonly Answer[]): Remark {
  const refused = answers.filter(({ status }) => status === 401 || status === 403);
  const taken = answers.filter(({ status }) => isTaken(status));
  const [first] = taken;
  const [no] = refused;
  if (no && first)
    return ofKey.warning(
      `accepted by some operations: ${shown(first)}, ${shown(no)}`,
      'check its permissions',
    );
  if (no)
    return ofKey.wrong(
      `refused: ${shown(no)}`,
      'check that it is the key of this target, and has not expired',
    );
  if (!first)
    return ofKey.skipped(
      answers[0]
        ? `is given, but nothing shows whether it is accepted: ${shown(answers[0])}`
        : 'is given, but no response shows whether it is accepted',
    );
  if (first.bare !== undefined && isTaken(first.bare))
    return ofKey.warning(`is given, but not needed: ${shown(first)} with it, and ${first.bare} without`);
  return ofKey.good(`accepted: ${shown(first)}`);
}

/** The request has passed authentication; a server that does not know the path may answer 404 before that. */
function isTaken(status: number): boolean {
  return status < 300 || status === 400 || status === 406 || status === 422;
}

function shown({ operation: { method, path }, status }: Answer): string {
  return `${method} ${path} returned ${status}`;
}

const ofClock = about('clock');

/** Seconds; a `Date` has whole seconds, and is made some time before it is received. */
const TOLERATED = 5;

/**
 * The difference between the clocks of the target and of this machine.
 * @param date the header `Date` (RFC 9110 §6.6.1)
 * @param age the header `Age`: seconds that a cache has kept the response (RFC 9111 §5.1)
 * @param at when it was received, in milliseconds since 1970
 */
export function examineClock(date: string | undefined, age: string | undefined, at: number): Remark {
  const sent = Date.parse(date ?? '');
  if (Number.isNaN(sent)) return ofClock.skipped('unknown: the target sends no header Date');
  const seconds = Math.round((sent - at) / 1000) + (Number(age) || 0);
  const size = Math.abs(seconds);
  if (size <= TOLERATED) return ofClock.good('the clock of the target agrees with that of this machine');
  const where = seconds > 0 ? 'ahead of' : 'behind';
  return ofClock.warning(
    `the clock of the target is ${inWords(size)} ${where} that of this machine`,
    'synchronize both (NTP): when tokens expire and operations are removed depends on them',
  );
}

function inWords(seconds: number): string {
  const [count, unit] =
    seconds < 120
      ? [seconds, 'seconds']
      : seconds < 7200
        ? [Math.round(seconds / 60), 'minutes']
        : seconds < 172_800
          ? [Math.round(seconds / 3600), 'hours']
          : [Math.round(seconds / 86_400), 'days'];
  return `${count} ${unit}`;
}
