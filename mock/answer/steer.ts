import type { Delay } from '../session/delay.ts';
import type { Rule, Rules } from '../session/rules.ts';
import type { Task } from './actions/action.ts';
import type { Endpoint } from './endpoint.ts';
import type { Answer } from './exchange.ts';
import { describeWish, readWish, type Wish } from './prefer.ts';
import { isRefusal, type Refusal } from './refusal.ts';

/**
 * Does what a request asks for, or what it wishes for instead, under the first rule that meets it. Credential and
 * request have been found good: a wish or a rule changes nothing for a client that could not have come so far.
 */
export async function actUnder(
  rules: Rules,
  endpoint: Endpoint,
  task: Task,
  pause: (delay: Delay) => Promise<void>,
): Promise<Answer | Refusal> {
  const wish = readWish(task.request);
  if (wish && isRefusal(wish)) return wish;
  const rule = rules.isEmpty ? undefined : await rules.take(endpoint.operation.id);
  if (rule?.delay) await pause(rule.delay);
  if (rule?.drop === 'before') return NO_ANSWER;
  // A request knows better what it wants than a rule that was made before it.
  const outcome = wish
    ? applied(wish, await actOn(wish, endpoint, task))
    : await actOn(wishOf(rule), endpoint, task);
  if (rule?.drop === 'after') return NO_ANSWER;
  if (!rule?.truncate) return outcome;
  return { ...(isRefusal(outcome) ? endpoint.refuse(outcome) : outcome), fault: 'truncate' };
}

/** The journal shows 0 where the client saw no status. */
const NO_ANSWER: Answer = { status: 0, type: undefined, body: '', fault: 'drop' };

function wishOf({ status, example }: Partial<Rule> = {}): Wish | undefined {
  if (status === undefined && example === undefined) return undefined;
  return { ...(status !== undefined && { code: status }), ...(example !== undefined && { example }) };
}

async function actOn(wish: Wish | undefined, endpoint: Endpoint, task: Task): Promise<Answer | Refusal> {
  const { act, force, successStatus } = endpoint;
  if (!wish) return act(task);
  // Who asks for the status that the operation has anyway gets it with what is true, if there is anything.
  if (wish.code === successStatus && wish.example === undefined && !wish.dynamic) {
    const outcome = await act(task);
    if (!isRefusal(outcome)) return outcome;
  }
  return force(wish, task.request);
}

/** RFC 7240 §3: which preferences were honoured; §2: a cache must know that they count. */
function applied(wish: Wish, outcome: Answer | Refusal): Answer | Refusal {
  if (isRefusal(outcome)) return outcome;
  const headers = { ...outcome.headers, 'Preference-Applied': describeWish(wish), Vary: 'Prefer' };
  return { ...outcome, headers };
}
