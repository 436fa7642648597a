import type { ActiveRule, RuleForm } from '../shell/rule.ts';
import type { DocumentedAnswer, LoggedRequest, OperationView } from '../wire.ts';

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
 * @param empty the operation's list without records; undefined: it has none
 */
export function rulesFor(
  effect: Effect,
  operation: string,
  isOnce: boolean,
  empty: Pick<DocumentedAnswer, 'status' | 'body'> | undefined,
): readonly RuleForm[] {
  const wanted = {
    ...(operation !== '' && { operation }),
    ...(isOnce && { times: 1 }),
  };
  switch (effect) {
    case 'slow':
      return [{ ...wanted, delay: SLOW }];
    case 'drop':
      return [{ ...wanted, drop: true }];
    case 'empty':
      return empty ? [{ ...wanted, status: empty.status, body: empty.body }] : [];
    default:
      return [
        { ...wanted, status: effect },
        { ...wanted, status: effect, body: { status: effect, message: 'This status is forced by a rule.' } },
      ];
  }
}

/** The operation for which an effect is most likely wanted: that of the last request, else the first one that reads. */
export function usualOperation(
  seen: readonly LoggedRequest[],
  operations: readonly OperationView[],
): string | undefined {
  const last = seen.findLast(({ operation }) => operation !== undefined)?.operation;
  return last ?? (operations.find(({ method }) => method === 'GET') ?? operations[0])?.id;
}
