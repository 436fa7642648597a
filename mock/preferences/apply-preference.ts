import type { Operation } from '#spec';
import type { Refuse } from '../errors/error-response.ts';
import { isRefusal, type Outcome } from '../errors/refusal.ts';
import { acceptOf } from '../exchange/accept.ts';
import type { ResponseContent } from '../exchange/exchange.ts';
import { withVary } from '../exchange/vary.ts';
import type { Act, Task } from '../records/actions/action.ts';
import type { Delay } from './delay.ts';
import type { Force, PreferenceSource } from './forced-response.ts';
import { type Preference, preferenceText, readPreference } from './preference.ts';
import { preferenceOf, type Rules } from './rules.ts';

/** What preferences and rules need of an operation. */
export interface Forceable {
  readonly operation: Operation;
  readonly act: Act;
  readonly refuse: Refuse;
  readonly force: Force;
  readonly successStatus: number;
}

/**
 * Applies the request's preference and the first matching rule. Runs after authentication and validation: a preference
 * or a rule changes nothing for a client that would have been refused.
 */
export async function applyPreference(
  rules: Rules,
  endpoint: Forceable,
  task: Task,
  pause: (delay: Delay) => Promise<void>,
): Promise<Outcome> {
  const preference = readPreference(task.request);
  if (preference && isRefusal(preference)) return preference;
  const rule = rules.isEmpty ? undefined : await rules.take(endpoint.operation.id);
  if (rule?.delay) await pause(rule.delay);
  if (rule?.drop === 'before') return NO_RESPONSE;
  // The preference of a request wins over a rule.
  const outcome = preference
    ? withApplied(preference, await respond(preference, 'Prefer', endpoint, task))
    : await respond(rule && preferenceOf(rule), 'a rule', endpoint, task);
  if (rule?.drop === 'after') return NO_RESPONSE;
  if (!rule?.truncate) return outcome;
  return {
    ...(isRefusal(outcome) ? endpoint.refuse(outcome, acceptOf(task.request)) : outcome),
    fault: 'truncate',
  };
}

/** The journal shows status 0, since the client saw none. */
const NO_RESPONSE: ResponseContent = { status: 0, type: undefined, body: '', fault: 'drop' };

async function respond(
  preference: Preference | undefined,
  source: PreferenceSource,
  { act, force, successStatus }: Forceable,
  task: Task,
): Promise<Outcome> {
  if (!preference) return act(task);
  // The status of an ordinary success is given with real data, if there is any.
  if (preference.code === successStatus && preference.example === undefined && !preference.dynamic) {
    const outcome = await act(task);
    if (!isRefusal(outcome)) return outcome;
  }
  return force(preference, source, task.request);
}

/** RFC 7240 §3: which preferences were honoured; §2: caches must take `Prefer` into account. */
function withApplied(preference: Preference, outcome: Outcome): Outcome {
  if (isRefusal(outcome)) return outcome;
  const headers = { ...outcome.headers, 'Preference-Applied': preferenceText(preference) };
  return { ...outcome, headers: withVary(headers, 'Prefer') };
}
