import { type Operation, rawChild, type Spot } from '#spec';
import { loggedMessage, REFUSALS } from '../http/refusal.ts';
import type { AppliedRule, TraceAnswer } from '../http/trace.ts';
import type { JournalEntry } from '../sessions/journal.ts';
import { delayJson } from '../sessions/preferences/delay.ts';
import { conditionsOf, type RuledRequest } from '../sessions/preferences/match.ts';
import { preferenceText } from '../sessions/preferences/preference.ts';
import { type ActiveRule, type Answer, answerOf } from '../sessions/preferences/rules.ts';
import { isOfUpstream, lineOf, type Seen } from './trace-request.ts';

/** What has made the response, and why. */
export function answerOfMock(seen: Seen): TraceAnswer {
  const { entry, decided, ruled, endpoint } = seen;
  const { refusal } = entry;
  const answer = decided.rule && answerOf(decided.rule);
  const rule = decided.rule && appliedRule(decided.rule, answer, ruled);
  const by = decidedBy(seen, answer);
  const applied = rule && { rule };
  if (by === 'rule' && rule && endpoint) {
    const conditions = rule.matched.length === 0 ? 'it is for every request' : rule.matched.join(', ');
    return { by, ...applied, because: `rule ${rule.id} matches: ${conditions}`, ...shownExample(entry) };
  }
  if (refusal && refusal.refuse !== 'forced') {
    const { code } = REFUSALS[refusal.refuse];
    return { by: 'refusal', because: `${code}: ${loggedMessage(refusal)}`, ...applied };
  }
  const { preference } = decided;
  if (by === 'Prefer' && preference && endpoint) {
    const because = `the request prefers ${preferenceText(preference)}`;
    return { by, because, ...shownExample(entry), ...applied };
  }
  return { ...ordinaryAnswer(seen), ...applied };
}

/** What decided the response; a rule may only delay it, or add headers. */
function decidedBy({ entry, decided }: Seen, answer: Answer | undefined): 'rule' | 'Prefer' | undefined {
  const { refusal, status } = entry;
  if (refusal?.refuse === 'template' || (status === 0 && answer?.drop !== undefined)) return 'rule';
  if (refusal && refusal.refuse !== 'forced') return undefined;
  if (decided.preference && (!isOfUpstream(entry) || refusal?.refuse === 'forced')) return 'Prefer';
  const { status: forced, example, body } = answer ?? {};
  return forced !== undefined || example !== undefined || body !== undefined ? 'rule' : undefined;
}

function appliedRule(rule: ActiveRule, answer: Answer = {}, ruled: RuledRequest | undefined): AppliedRule {
  const { id, met, sequence } = rule;
  const { status, example, body, headers, delay, drop, truncate } = answer;
  const step = sequence && Math.min(met, sequence.length - 1) + 1;
  return {
    id,
    matched: ruled ? conditionsOf(rule, ruled).map(({ text }) => text) : [],
    did: [
      ...(sequence ? [`answer ${step} of ${sequence.length}`] : []),
      ...(status === undefined ? [] : [`status ${status}`]),
      ...(example === undefined ? [] : [`example ${example}`]),
      ...(body === undefined ? [] : ['a body of its own']),
      ...(headers ? [`headers ${Object.keys(headers).join(', ')}`] : []),
      ...(delay ? [`delay ${delayJson(delay)} ms`] : []),
      ...(drop === undefined
        ? []
        : [`connection dropped${typeof drop === 'string' ? ` ${drop} it was carried out` : ''}`]),
      ...(truncate === undefined ? [] : ['truncated']),
    ],
    used: met + 1,
  };
}

/** The documented example of a response. */
function shownExample({ response: { shows } }: JournalEntry): Pick<TraceAnswer, 'example' | 'at'> {
  if (shows?.example === undefined) return {};
  return { example: shows.example, at: lineOf(exampleSpot(shows.media.spot)) };
}

const exampleSpot = (spot: Spot) => rawChild(spot, 'examples') ?? rawChild(spot, 'example') ?? spot;

function ordinaryAnswer({ entry, endpoint, decided }: Seen): TraceAnswer {
  const { response, record } = entry;
  const { sourceRule, mocked } = decided;
  const chosenBy = sourceRule ? `rule ${sourceRule.id} says so` : 'the options say so';
  if (isOfUpstream(entry)) {
    const added = response.source === 'upstream' ? '' : ', and the mock has added records of its own';
    return { by: 'upstream', because: `the real service has it: ${chosenBy}${added}` };
  }
  if (!endpoint) return { by: 'sample', because: 'the document has changed since' };
  const { action, role, reason, operation } = endpoint;
  const instead = response.source === 'mock' ? `; mocked, since ${mocked ?? chosenBy}` : '';
  if (action === 'code')
    return { by: 'code', because: `code of yours responds to ${operation.id}${instead}` };
  if (action === 'sample')
    return sampled(operation, `${reason ?? 'nothing says what it does'}${instead}`, entry);
  if (!role) return { by: 'records', because: `values that records have${instead}` };
  const { collection } = role;
  const { name } = collection;
  const at = lineOf(operation.spot);
  const isList = LISTS.has(action);
  return {
    by: isList ? 'records' : 'record',
    because: `${DONE[action] ?? 'something is done to a record'} of ${name}${instead}`,
    collection: name,
    ...(record !== undefined && !isList && { record }),
    ...(response.selected !== undefined && { selected: response.selected }),
    at,
  };
}

const LISTS: ReadonlySet<string> = new Set(['list', 'view', 'createMany', 'updateMany', 'removeMany']);

const DONE: Readonly<Record<string, string>> = {
  list: 'the records',
  view: 'records',
  create: 'the body became a record',
  createMany: 'the body became records',
  read: 'the record',
  replace: 'the body took the place of a record',
  update: 'the body was merged into a record',
  updateMany: 'records were changed',
  remove: 'a record was removed',
  removeMany: 'records were removed',
  action: 'something was done to a record',
};

function sampled({ spot }: Operation, why: string, entry: JournalEntry): TraceAnswer {
  const { shows, body } = entry.response;
  const example = shownExample(entry);
  if (example.example !== undefined)
    return { by: 'example', because: `the documented example: ${why}`, ...example };
  const because = body === '' ? `no body is documented; ${why}` : `made from the schema: ${why}`;
  return { by: 'sample', because, at: lineOf(shows?.media.schema ?? shows?.media.spot ?? spot) };
}
