import { onFirstCall } from '../../http/memoize.ts';
import { REASON_PHRASES } from '../../http/reason-phrases.ts';
import { isRefusal, type Outcome } from '../../http/refusal.ts';
import { successForm } from '../../http/representations.ts';
import { withOwnHeaders, withViolation } from '../../http/response-headers.ts';
import type { Act, Task } from '../../records/actions/action.ts';
import {
  type Answerable,
  compileForce,
  compileRespondOwn,
  type PreferenceSource,
  refusePreference,
} from './forced-response.ts';
import type { Preference } from './preference.ts';
import type { PlainAnswer } from './rules.ts';

/**
 * Responds with an answer, whoever gives it: with its own body, else with the documented response of its status or example;
 * the operation decides the rest.
 */
export type RespondAs = (
  answer: PlainAnswer & Pick<Preference, 'dynamic'>,
  by: PreferenceSource,
  task: Task,
  act: Act,
) => Promise<Outcome>;

export function compileRespondAs(answerable: Answerable): RespondAs {
  const { operation } = answerable;
  const force = compileForce(answerable);
  const respondOwn = onFirstCall(() => compileRespondOwn(operation));
  const { status: usual } = successForm(operation);
  const told = new Set<string>();

  /** Notes in a header, and once in the log, how the response violates the document. */
  function respondPlain(answer: PlainAnswer, by: PreferenceSource): Outcome {
    const { content, violation } = respondOwn(answer);
    if (violation === undefined) return content;
    const isNews = !told.has(violation) && told.size < MOST_TOLD;
    if (isNews) told.add(violation);
    return withViolation(content, violation, isNews ? `as ${by} says` : undefined);
  }

  async function respond(...[answer, by, task, act]: Parameters<RespondAs>): Promise<Outcome> {
    const { status, body, example, dynamic } = answer;
    const isDocumented = status === undefined || !refusePreference(operation, { code: status });
    // A client's impossible preference is refused; rules and code may send anything.
    if (body !== undefined || (by !== 'Prefer' && example === undefined && !isDocumented))
      return respondPlain({ ...answer, body: body === undefined ? smallBody(status) : body }, by);
    // The usual success status responds with the operation's real data, if it has any.
    if (example === undefined && !dynamic && (status === undefined || status === usual)) {
      const outcome = await act(task);
      if (status === undefined || !isRefusal(outcome)) return outcome;
    }
    return force({ code: status, example, dynamic }, by, task.request);
  }

  return async (...args) => {
    const [{ headers }] = args;
    const outcome = await respond(...args);
    return headers ? withOwnHeaders(outcome, headers) : outcome;
  };
}

/** Per operation: beyond that, further violations are not logged. */
const MOST_TOLD = 1000;

/** The body for an undocumented status. */
function smallBody(status = 0): unknown {
  return status < 400 ? '' : { status, message: REASON_PHRASES[status] ?? `Status ${status}` };
}
