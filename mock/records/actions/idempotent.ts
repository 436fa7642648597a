import { digest } from '#platform';
import { idempotencyKeyOf, parseJson, stringifyJson } from '#spec';
import { andThen } from '../../http/exchange.ts';
import { isRefusal } from '../../http/refusal.ts';
import { ANSWERED, type Answered } from '../internal.ts';
import type { ActionContext, Run } from './action.ts';

/**
 * Lets a request that repeats the key of an earlier one have the response of that one; with another body it is refused
 * (draft-ietf-httpapi-idempotency-key-header-07 §2.6).
 */
export function compileIdempotent({ operation }: Pick<ActionContext, 'operation'>): Run | undefined {
  const header = idempotencyKeyOf(operation)?.name.toLowerCase();
  if (header === undefined || operation.method === 'GET') return undefined;
  return (task, next) => {
    const { request, store, sender, values } = task;
    const key = request.headers[header];
    if (key === undefined) return next(task);
    const id = stringifyJson([
      operation.method,
      operation.path,
      values.parameters.path,
      sender?.account.subject,
      key,
    ]);
    const sent = digest('sent ', stringifyJson(values.body ?? null));
    return andThen(store.read(ANSWERED, id, []), (text) => {
      const before = text === undefined ? undefined : (parseJson(text) as Answered);
      if (before && before.sent !== sent)
        return { refuse: 'invalid', status: 422, message: `The key ${key} was sent with another body` };
      if (before) return before.response;
      return andThen(next(task), (outcome) => {
        if (isRefusal(outcome) || typeof outcome.body !== 'string') return outcome;
        const members = { id, sent, response: outcome };
        return andThen(store.create(ANSWERED, { id, members, scope: [] }), () => outcome);
      });
    });
  };
}
