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
 * Responds as an answer says, whoever has given it: with a body of its own, else with the documented response of its status
 * or example; what it leaves open the operation does.
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

  /** Says in a header, and once in the log, what the document says against the response. */
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
    // What nobody can prefer is refused, and what a rule or code says is sent.
    if (body !== undefined || (by !== 'Prefer' && example === undefined && !isDocumented))
      return respondPlain({ ...answer, body: body === undefined ? smallBody(status) : body }, by);
    // The status of an ordinary success is given with real data, if there is any.
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

/** Of one operation: what else it broke is not news any more. */
const MOST_TOLD = 1000;

/** Of a status for which the document says nothing. */
function smallBody(status = 0): unknown {
  return status < 400 ? '' : { status, message: REASON_PHRASES[status] ?? `Status ${status}` };
}
