import { digest } from '#platform';
import { fromLatin1, idempotencyKeyOf, latin1, stringifyJson } from '#spec';
import { type Awaitable, andThen, type ResponseContent } from '../../http/exchange.ts';
import { isRefusal, type Outcome } from '../../http/refusal.ts';
import { ANSWERED, type Answered, readInternal } from '../internal.ts';
import type { ActionContext, Run } from './action.ts';

/**
 * Repeats the response to a request with the same idempotency key; refuses the key with another body
 * (draft-ietf-httpapi-idempotency-key-header-07 §2.6).
 */
export function compileIdempotent({ operation }: Pick<ActionContext, 'operation'>): Run | undefined {
  const header = idempotencyKeyOf(operation)?.name.toLowerCase();
  if (header === undefined || operation.method === 'GET') return undefined;
  const inTurn = createQueues();
  return (task, next) => {
    const { request, store, sender, session, values } = task;
    const key = request.headers[header];
    if (key === undefined) return next(task);
    const id = stringifyJson([
      operation.method,
      operation.path,
      values.parameters.path,
      sender?.account.subject,
      key,
    ]);
    const { body = null } = values;
    const sent = digest('sent ', body instanceof Uint8Array ? body : stringifyJson(body));
    return inTurn(`${session} ${id}`, () =>
      andThen(readInternal(store, ANSWERED, id), (before): Awaitable<Outcome> => {
        if (before && before.sent !== sent)
          return { refuse: 'invalid', status: 422, message: `The key ${key} was sent with another body` };
        if (before) return responseOf(before);
        return andThen(next(task), (outcome) => {
          // Failed requests may be retried.
          if (isRefusal(outcome) || outcome.status >= 400 || typeof outcome.body === 'function')
            return outcome;
          const members = { id, sent, ...asKept(outcome) };
          return andThen(store.create(ANSWERED, { id, members, scope: [] }), () => outcome);
        });
      }),
    );
  };
}

/** A response in the form in which it is stored, without references to the document. */
export function asKept({ shows: _, ...response }: ResponseContent): Pick<Answered, 'response' | 'isBytes'> {
  const { body } = response;
  return body instanceof Uint8Array
    ? { response: { ...response, body: latin1(body) }, isBytes: true }
    : { response };
}

/** A stored response in the form in which it is sent. */
export function responseOf({ response, isBytes }: Answered): ResponseContent {
  const { body } = response;
  if (!isBytes || typeof body !== 'string') return response;
  return { ...response, body: fromLatin1(body) };
}

/** Runs tasks with the same name one after the other: the second of two concurrent requests gets the first one's response. */
function createQueues() {
  const latest = new Map<string, Promise<Outcome>>();
  return (name: string, run: () => Awaitable<Outcome>): Awaitable<Outcome> => {
    const before = latest.get(name);
    const made = before ? before.then(run, run) : run();
    if (!(made instanceof Promise)) return made;
    latest.set(name, made);
    const forget = () => {
      if (latest.get(name) === made) latest.delete(name);
    };
    made.then(forget, forget);
    return made;
  };
}
