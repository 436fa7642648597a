import { parseJson } from '#spec';
import { type Awaitable, andThen, type Feed, type ResponseContent } from '../../http/exchange.ts';
import { isRefusal, type Outcome } from '../../http/refusal.ts';
import { withVary } from '../../http/representations.ts';
import type { Act, Task } from '../../records/actions/action.ts';
import { pathParameter, type RecordCollection } from '../../records/collection.ts';
import { compileItemAddress } from '../../records/item.ts';
import { breakOff } from '../../records/streams/feed-of.ts';
import type { Decided } from '../journal.ts';
import type { Delay } from './delay.ts';
import type { Answerable } from './forced-response.ts';
import { matchesRule } from './match.ts';
import { type Preference, preferenceText, readPreference } from './preference.ts';
import { compileRespondAs } from './respond-as.ts';
import { type ActiveRule, type Answer, answerOf, type PlainAnswer, type Rule, type Rules } from './rules.ts';
import { renderAnswer } from './templated-answer.ts';

/** Decides the response: the request's preference, else the newest matching rule, else the operation. */
export type Decide = (
  rules: Rules,
  task: Task,
  pause: (delay: Delay) => Promise<void>,
  decided: Decided,
  /** The operation, for requests without a preference or rule. */
  act: Act,
  /** Only answers for invalid requests count, and `act` refuses. */
  isInvalid: boolean,
) => Promise<Outcome>;

interface Decidable extends Answerable {
  /** The collection of the record that the path names. Undefined: none. */
  readonly collection: RecordCollection | undefined;
}

/**
 * Compiles how preferences and rules change an operation's responses. Runs after authentication and validation: they do not
 * affect requests that are refused, unless they set `validate: false`.
 */
export function compileAnswers(decidable: Decidable): Decide {
  const { operation, refuse, seeds } = decidable;
  const respondAs = compileRespondAs(decidable);
  const readRecord = compileReadRecord(decidable);
  return async (rules, task, pause, decided, act, isInvalid) => {
    const asked = readPreference(task.request);
    if (asked && isRefusal(asked)) return isInvalid ? act(task) : asked;
    const preference = isInvalid && asked?.validate !== false ? undefined : asked;
    const ruled = { ...task, operation };
    const rule = rules.isEmpty
      ? undefined
      : await rules.take(
          (one) => isEffect(one) && !(isInvalid && one.validate !== false) && matchesRule(one, ruled),
        );
    const answer = rule ? answerOf(rule) : NO_ANSWER;
    if (rule) decided.rule = rule;
    if (preference) decided.preference = preference;
    if (answer.delay) {
      const begun = performance.now();
      await pause(answer.delay);
      decided.ruleDelay = performance.now() - begun;
    }
    const { drop, truncate } = answer;
    if (drop === 'before') return NO_RESPONSE;
    const outcome = await respond(preference, answer, rule);
    if (drop === undefined && truncate === undefined) return outcome;
    if (drop === 'after') return NO_RESPONSE;
    if (!isRefusal(outcome) && typeof outcome.body === 'function')
      return { ...outcome, body: brokenOff(outcome.body, answer) };
    if (drop !== undefined) return NO_RESPONSE;
    return { ...(isRefusal(outcome) ? refuse(outcome, task.request) : outcome), fault: 'truncate' };

    /** The preference of a request wins over a rule. */
    async function respond(preferred: Preference | undefined, answer: Answer, by: ActiveRule | undefined) {
      if (preferred) {
        const { code: status, validate: _, ...others } = preferred;
        return withApplied(
          preferred,
          await respondAs({ status, ...others } as PlainAnswer, 'Prefer', task, act),
        );
      }
      const plain =
        answer.template && by
          ? await renderAnswer(answer, by, task, { operation, seeds, readRecord })
          : (answer as PlainAnswer);
      return isRefusal(plain) ? plain : respondAs(plain, 'a rule', task, act);
    }
  };
}

/** Reads the record that the path names, before the operation runs. */
function compileReadRecord({ operation, collection }: Decidable): (task: Task) => Awaitable<unknown> {
  const isNamed = collection && pathParameter(operation, collection.resource.id?.parameter);
  const addressOf = isNamed && compileItemAddress(collection);
  if (!addressOf) return () => undefined;
  return ({ values, store }) => {
    const { id, scope } = addressOf(values);
    return andThen(store.read(collection, id, scope), (text) => text && parseJson(text));
  };
}

/** The source of the response was decided before. */
const isEffect = ({ source }: Rule) => source === undefined;
/** A stream must have sent a message before it can break off in the middle. */
const USUAL_BREAK = 1;

function brokenOff(body: Feed, { drop, truncate }: Answer): Feed {
  const within = truncate !== undefined;
  const after = [drop, truncate].find((one) => typeof one === 'number') ?? USUAL_BREAK;
  return breakOff(body, { after, within });
}

const NO_ANSWER: Answer = {};

/** The journal shows status 0, since the client receives none. */
const NO_RESPONSE: ResponseContent = { status: 0, type: undefined, body: '', fault: 'drop' };

/** RFC 7240 §3: states the applied preferences; §2: caches must take `Prefer` into account. */
function withApplied(preference: Preference, outcome: Outcome): Outcome {
  if (isRefusal(outcome)) return outcome;
  const headers = { ...outcome.headers, 'Preference-Applied': preferenceText(preference) };
  return { ...outcome, headers: withVary(headers, 'Prefer') };
}
