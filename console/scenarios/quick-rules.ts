import type { DocumentedAnswer, LoggedRequest, OperationView, RuleForm, RuleView } from '../wire.ts';

/** No request gets a response. */
export const OFFLINE: RuleForm = { drop: true };

export function isOffline({ drop, enabled, ...rule }: RuleView): boolean {
  const { operation, tag, match, times, sequence } = rule;
  const isForAll = [operation, tag, match, times, sequence].every((one) => one === undefined);
  return drop === 'before' && enabled !== false && isForAll;
}

/** The effects of the buttons. */
export type Effect = number | 'empty' | 'slow' | 'drop';

export const SLOW = 3000;

/**
 * The rule for an effect.
 * @param empty the operation's empty list; undefined: it has none
 */
export function ruleFor(
  effect: Effect,
  operation: string,
  isOnce: boolean,
  empty: Pick<DocumentedAnswer, 'status' | 'body'> | undefined,
): RuleForm {
  return {
    ...(operation !== '' && { operation }),
    ...(isOnce && { times: 1 }),
    ...(effect === 'slow' && { delay: SLOW }),
    ...(effect === 'drop' && { drop: true }),
    ...(effect === 'empty' && empty && { status: empty.status, body: empty.body }),
    ...(typeof effect === 'number' && { status: effect }),
  };
}

/** Whether a rule is for all requests of an operation, like those of the buttons. */
export function isEffectOn({ operation = '', tag, match }: RuleView, wanted: string): boolean {
  return operation === wanted && tag === undefined && match === undefined;
}

/** The most likely operation: of the last request, else the first that reads. */
export function usualOperation(
  seen: readonly LoggedRequest[],
  operations: readonly OperationView[],
): string | undefined {
  const last = seen.findLast(({ operation }) => operation !== undefined)?.operation;
  return last ?? (operations.find(({ method }) => method === 'GET') ?? operations[0])?.id;
}
