import { type Contract, type Operation, parseJson } from '#spec';
import type { Refuse } from '../../http/error-response.ts';
import { type Awaitable, andThen, type Feed, type ResponseContent } from '../../http/exchange.ts';
import { onFirstCall } from '../../http/memoize.ts';
import { REASON_PHRASES } from '../../http/reason-phrases.ts';
import { isRefusal, type Outcome } from '../../http/refusal.ts';
import { successForm, withVary } from '../../http/representations.ts';
import { withOwnHeaders, withViolation } from '../../http/response-headers.ts';
import type { Act, Task } from '../../records/actions/action.ts';
import { pathParameter, type RecordCollection } from '../../records/collection.ts';
import { compileItemAddress } from '../../records/item.ts';
import type { SeedValues } from '../../records/seed/values.ts';
import { breakOff } from '../../records/streams/feed-of.ts';
import type { Decided } from './decided.ts';
import type { Delay } from './delay.ts';
import {
  compileForce,
  compileRespondOwn,
  type Force,
  type PreferenceSource,
  type RespondOwn,
  refusePreference,
} from './forced-response.ts';
import { matchesRule } from './match.ts';
import { type Preference, preferenceText, readPreference } from './preference.ts';
import {
  type ActiveRule,
  type Answer,
  answerOf,
  type PlainAnswer,
  preferenceOf,
  type Rule,
  type Rules,
} from './rules.ts';
import { renderAnswer } from './templated-answer.ts';

export interface Forceable {
  readonly operation: Operation;
  readonly contract: Pick<Contract, 'validators'>;
  readonly seeds: SeedValues;
  readonly refuse: Refuse;
  /** Whose record the path names; undefined: of none. */
  readonly collection: RecordCollection | undefined;
}

/** Applies the request's preference and the newest rule that matches. */
export type ApplyPreference = (
  rules: Rules,
  task: Task,
  pause: (delay: Delay) => Promise<void>,
  decided: Decided,
  /** What is done where nothing else is preferred. */
  act: Act,
) => Promise<Outcome>;

/**
 * Compiles what preferences and rules do with the responses of one operation. Runs after authentication and validation:
 * a preference or a rule changes nothing for a client that would have been refused.
 */
export function compilePreferences(forceable: Forceable): ApplyPreference {
  const { operation, contract } = forceable;
  const endpoint = {
    ...forceable,
    force: compileForce(forceable),
    respondOwn: onFirstCall(() => compileRespondOwn(operation, contract)),
    successStatus: successForm(operation).status,
    readRecord: compileReadRecord(forceable),
  };
  return (rules, task, pause, decided, act) =>
    applyPreference({ ...endpoint, act }, rules, task, pause, decided);
}

interface Compiled extends Forceable {
  readonly act: Act;
  readonly force: Force;
  readonly respondOwn: RespondOwn;
  readonly successStatus: number;
  readonly readRecord: (task: Task) => Awaitable<unknown>;
}

/** The record that the path names, as it is before the operation. */
function compileReadRecord({ operation, collection }: Forceable): Compiled['readRecord'] {
  const isNamed = collection && pathParameter(operation, collection.resource.id?.parameter);
  const addressOf = isNamed && compileItemAddress(collection);
  if (!addressOf) return () => undefined;
  return ({ values, store }) => {
    const { id, scope } = addressOf(values);
    return andThen(store.read(collection, id, scope), (text) => text && parseJson(text));
  };
}

async function applyPreference(
  endpoint: Compiled,
  rules: Rules,
  task: Task,
  pause: (delay: Delay) => Promise<void>,
  decided: Decided,
): Promise<Outcome> {
  const preference = readPreference(task.request);
  if (preference && isRefusal(preference)) return preference;
  const ruled = { ...task, operation: endpoint.operation };
  const rule = rules.isEmpty
    ? undefined
    : await rules.take((one) => isEffect(one) && matchesRule(one, ruled));
  const answer = rule ? answerOf(rule) : NO_ANSWER;
  if (rule) decided.rule = rule;
  if (answer.delay) {
    const begun = performance.now();
    await pause(answer.delay);
    decided.ruleDelay = performance.now() - begun;
  }
  if (answer.drop === 'before') return NO_RESPONSE;
  // The preference of a request wins over a rule.
  const outcome = preference
    ? withApplied(preference, await respond(preference, 'Prefer', endpoint, task))
    : await respondAs(answer, rule, rules, endpoint, task);
  const { drop, truncate } = answer;
  if (drop === undefined && truncate === undefined) return outcome;
  if (drop === 'after') return NO_RESPONSE;
  if (!isRefusal(outcome) && typeof outcome.body === 'function')
    return { ...outcome, body: brokenOff(outcome.body, answer) };
  if (drop !== undefined) return NO_RESPONSE;
  return {
    ...(isRefusal(outcome) ? endpoint.refuse(outcome, task.request) : outcome),
    fault: 'truncate',
  };
}

/** Who responds was decided before. */
const isEffect = ({ source }: Rule) => source === undefined;
/** In the middle of a stream there has been something before. */
const USUAL_BREAK = 1;

function brokenOff(body: Feed, { drop, truncate }: Answer): Feed {
  const within = truncate !== undefined;
  const after = [drop, truncate].find((one) => typeof one === 'number') ?? USUAL_BREAK;
  return breakOff(body, { after, within });
}

const NO_ANSWER: Answer = {};

/** The journal shows status 0, since the client saw none. */
const NO_RESPONSE: ResponseContent = { status: 0, type: undefined, body: '', fault: 'drop' };

async function respondAs(
  given: Answer,
  rule: ActiveRule | undefined,
  rules: Rules,
  endpoint: Compiled,
  task: Task,
): Promise<Outcome> {
  const answer =
    given.template && rule ? await renderAnswer(given, rule, task, endpoint) : (given as PlainAnswer);
  if (isRefusal(answer)) return answer;
  const { status, body, headers, example } = answer;
  const isOwn = body !== undefined || (example === undefined && !isDocumented(endpoint.operation, status));
  const outcome = isOwn
    ? respondOwn({ body: smallBody(status), ...answer }, rules, endpoint)
    : await respond(preferenceOf(answer), 'a rule', endpoint, task);
  return headers ? withOwnHeaders(outcome, headers) : outcome;
}

const isDocumented = (operation: Operation, code: number | undefined) =>
  code === undefined || !refusePreference(operation, { code });

/** Of a status for which the document says nothing. */
function smallBody(status = 0): unknown {
  return status < 400 ? '' : { status, message: REASON_PHRASES[status] ?? `Status ${status}` };
}

/** Says in a header, and once in the log, what the document says against the response. */
function respondOwn(answer: PlainAnswer, rules: Rules, { respondOwn: own, operation }: Compiled): Outcome {
  const { content, violation } = own(answer);
  if (violation === undefined) return content;
  const isNews = rules.isNews(`${operation.id} ${violation}`);
  return withViolation(content, violation, isNews ? 'as a rule says' : undefined);
}

async function respond(
  preference: Preference | undefined,
  source: PreferenceSource,
  { act, force, successStatus }: Compiled,
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
