import { setOf, wordsOf } from '../meaning/names.ts';
import { type Operation, SAFE_METHODS } from '../operation.ts';
import { accountOperation, isLoginName } from './accounts.ts';
import { secretsOf } from './credentials.ts';
import { lastSegment } from './paths.ts';

/**
 * What names say that an operation does beside reading and writing records. They are words of English, and some are missing:
 * by them a request is only ever withheld, and nothing is sent for what they say.
 */

/** Words for changes of the service as a whole, or the end of the caller's session. */
const ON_SERVICE = setOf(
  'shutdown stop quit exit kill terminate clear purge flush wipe erase truncate empty prune vacuum import rollback migrate ' +
    'upgrade destroy drop logout logoff signout revoke rotate refresh invalidate expire disable',
);

/** Words that begin the name of an action rather than that of a record. */
const DEEDS = setOf(
  'create add insert update edit save store remove delete register signup set put upsert init install run begin start launch execute invoke trigger fire send notify dispatch deliver publish submit perform apply ' +
    'approve reject accept decline cancel abort pause resume close enable activate assign move merge clone duplicate sync ' +
    'synchronize deploy subscribe confirm verify redeem pay withdraw generate mark vote join leave follow ban kick',
);

/** Words that name an action only with a prefix for repetition or reversal: `retry`, `unlock`. */
const DONE_AGAIN = setOf('try play open lock calculate compute check scan boot index build load');

/** Nouns of what is read, and what a POST does. */
const DEEDS_OF_POST = setOf(
  'transfer archive copy charge refund capture lock block backup build release process commit mint grant award issue order ' +
    'book checkout email call ping scan snapshot test',
);

/** Words for the manner of an action: `bulk-delete`. */
const MANNERS = setOf('bulk batch mass force auto');

/** Query parameters that make a safe request start something: `GET /watches?force=1`. */
const SETS_GOING = setOf('trigger run force delete');

const isAct = (word: string) => DEEDS.has(word) || isDoneAgain(word);

/** `restart`, `unpublish`, `deactivate`. */
function isDoneAgain(word: string): boolean {
  const [, verb = ''] = /^(?:re(?!mark)|un|de)(.+)$/.exec(word) ?? [];
  return DEEDS.has(verb) || DONE_AGAIN.has(verb);
}

/** `log-out` and `shut_down` are written in two words as well. */
const isOnService = (words: readonly string[]) =>
  [words.slice(0, 2).join(''), ...words].some((word) => ON_SERVICE.has(word) || isDoneAgain(word));

/** `run-now`, and in the ways of remote procedures `job.run` and `jobs:run`. */
function isActing(segment: string, isSafe: boolean): boolean {
  const firsts = segment.split(/[.:]/).map((part) => wordsOf(part).find((word) => !MANNERS.has(word)) ?? '');
  return firsts.some((word) => isAct(word) || (!isSafe && DEEDS_OF_POST.has(word)));
}

/**
 * Whether an operation acts, by its name.
 * @param isOfRecord it has a main role of a collection
 * @param isRead what is at its path is read and written as any record: `/imports/{id}`, and not `/imports/run`
 */
export function isNamedAct(
  operation: Operation,
  { isOfRecord, isRead }: { readonly isOfRecord: boolean; readonly isRead: boolean },
): boolean {
  const isSafe = SAFE_METHODS.has(operation.method);
  const last = lastSegment(operation.path) ?? '';
  const segment = wordsOf(last);
  const [verb = '', ...others] = wordsOf(operation.id);
  if (!isRead && isActing(last, isSafe)) return true;
  if (isSafe)
    return !isRead && (isAct(verb) || ON_SERVICE.has(verb) || (segment.length <= 2 && isOnService(segment)));
  return isOnService(segment) || (!isOfRecord && isOnService([verb, ...others].slice(0, 2)));
}

/** The query parameter of a safe request that does something, by its name. */
export function actingParameter(
  { method }: Operation,
  query: Readonly<Record<string, unknown>> = {},
): string | undefined {
  if (!SAFE_METHODS.has(method)) return undefined;
  const isGoing = (word: string) => SETS_GOING.has(word) || ON_SERVICE.has(word) || isDoneAgain(word);
  return Object.keys(query).find((name) => wordsOf(name).some(isGoing));
}

/** Whether an operation takes a secret in exchange for a session or a token: wrong attempts may lock an account. */
export function isNamedLogin(operation: Operation): boolean {
  if (operation.method !== 'POST' || secretsOf(operation).length === 0) return false;
  const words = [lastSegment(operation.path) ?? '', operation.id].flatMap((name) => ['', ...wordsOf(name)]);
  return (
    ['login', 'grant'].includes(accountOperation(operation)?.role ?? '') ||
    words.some((word, index) => isLoginName(word) || isLoginName(`${words[index - 1] ?? ''}${word}`))
  );
}
