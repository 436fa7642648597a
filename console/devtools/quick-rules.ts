import { parseJson } from '../shell/exact-json.ts';
import type { ActiveRule, RuleForm } from '../shell/rule.ts';
import type { LoggedRequest, OperationView } from '../wire.ts';

/** No request gets a response. */
export const OFFLINE: RuleForm = { drop: true };

/** Whether a rule is as {@link OFFLINE}. */
export function isOffline({ drop, enabled, ...rule }: ActiveRule): boolean {
  const { operation, tag, match, times, sequence } = rule;
  const isForAll = [operation, tag, match, times, sequence].every((one) => one === undefined);
  return drop === 'before' && enabled !== false && isForAll;
}

/** What a person makes of requests by one click. */
export type Effect = number | 'empty' | 'slow' | 'drop';

/** Milliseconds of `slow`. */
export const SLOW = 3000;

/**
 * The rules for an effect, the best first: a status that the document does not give an operation needs a body of the rule.
 * @param seen the log, where an empty list takes its form from; the oldest first
 * @returns undefined: no response has shown yet what an empty one looks like
 */
export function rulesFor(
  effect: Effect,
  operation: string,
  isOnce: boolean,
  seen: readonly LoggedRequest[],
): readonly RuleForm[] | undefined {
  const wanted = {
    ...(operation !== '' && { operation }),
    ...(isOnce && { times: 1 }),
  };
  switch (effect) {
    case 'slow':
      return [{ ...wanted, delay: SLOW }];
    case 'drop':
      return [{ ...wanted, drop: true }];
    case 'empty': {
      const body = emptyBody(operation, seen);
      return body === undefined ? undefined : [{ ...wanted, status: 200, body }];
    }
    default:
      return [
        { ...wanted, status: effect },
        { ...wanted, status: effect, body: { status: effect, message: 'This status is forced by a rule.' } },
      ];
  }
}

/** The last list that the operation has sent, without its items; undefined: it has sent none. */
export function emptyBody(operation: string, seen: readonly LoggedRequest[]): unknown {
  for (const { operation: id, status, response } of seen.toReversed()) {
    if (id !== operation || status !== 200 || response.body === undefined) continue;
    const body = withoutItems(response.body, response.cutFrom !== undefined);
    if (body !== undefined) return body;
  }
  return undefined;
}

function withoutItems(text: string, isCut: boolean): unknown {
  try {
    const whole = isCut ? upToList(text) : text;
    return whole === undefined ? undefined : emptied(parseJson(whole));
  } catch {
    // It is no JSON, and no list.
    return undefined;
  }
}

/** The beginning of a list, or of an object that has one, closed behind it. */
function upToList(text: string): string | undefined {
  if (text.trimStart().startsWith('[')) return '[]';
  const [begin] = /^\s*\{(?:[^[\]{}"]|"(?:[^"\\]|\\.)*")*\[/.exec(text) ?? [];
  return begin && `${begin}]}`;
}

const COUNT = /total|count/i;
const FURTHER = /more|next/i;

/** A list is an array, or an object with one; what counts items or leads to further ones is emptied, too. */
function emptied(list: unknown): unknown {
  if (Array.isArray(list)) return [];
  if (typeof list !== 'object' || list === null) return undefined;
  const entries = Object.entries(list);
  if (!entries.some(([, value]) => Array.isArray(value))) return undefined;
  return Object.fromEntries(
    entries.flatMap(([name, value]): [string, unknown][] => {
      if (Array.isArray(value)) return [[name, []]];
      if (COUNT.test(name) && (typeof value === 'number' || typeof value === 'bigint')) return [[name, 0]];
      if (!FURTHER.test(name)) return [[name, value]];
      return value === true ? [[name, false]] : [];
    }),
  );
}

/** The operation for which an effect is most likely wanted: that of the last request, else the first one that reads. */
export function usualOperation(
  seen: readonly LoggedRequest[],
  operations: readonly OperationView[],
): string | undefined {
  const last = seen.findLast(({ operation }) => operation !== undefined)?.operation;
  return last ?? (operations.find(({ method }) => method === 'GET') ?? operations[0])?.id;
}
