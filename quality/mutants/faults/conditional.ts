import { setTimeout as sleep } from 'node:timers/promises';
import { parseJson } from '#spec';
import { aloneFor, conditional, type MockFault, mockOf, store, tagging, withHeader } from '../mock-faults.ts';
import { type Operators, product } from '../suspect.ts';

// Faults in what services do about versions of records: entity tags, and the conditions that name them.

/** Requests that have this header, or all of some methods, have another one when their conditions are looked at. */
const seen = (header: string, as: (given: unknown, method: string) => string | undefined): MockFault =>
  conditional((conditioned, _, { operation: { method } }) => (task) => {
    const value = as(task.request.headers[header], method);
    return conditioned(value === task.request.headers[header] ? task : withHeader(task, header, value));
  });

const isStale = (outcome: object) => 'refuse' in outcome && outcome.refuse === 'stale';
const anyVersion = (of: string) =>
  seen('if-match', (given, method) => (method === of ? '*' : (given as string)));

/** What a change gets in the place of a 412. */
const refusedAs = (refuse: 'invalid' | 'no condition'): MockFault =>
  conditional((conditioned) => async (task) => {
    const outcome = await conditioned(task);
    return isStale(outcome) ? { refuse, message: 'another version' } : outcome;
  });

/** The client is told 412. */
const writtenAll: MockFault = conditional((conditioned, act) => async (task) => {
  const outcome = await conditioned(task);
  if (isStale(outcome)) await act(task);
  return outcome;
});

/** The version is looked at before the change, and not in one step with it. */
const inTwoSteps = store(({ read, change }) => ({
  async change(collection, id, where, edit, allows) {
    const text = await read(collection, id, where);
    if (text !== undefined && allows?.(text) === false) return false;
    await sleep(20);
    return change(collection, id, where, edit);
  },
}));

/** Changes that come while another one is at work find another version. */
const refuseBusy = conditional((conditioned, _, { operation: { method } }) => {
  if (method === 'GET' || method === 'POST') return conditioned;
  const isAlone = aloneFor(20);
  return async (task) =>
    (await isAlone()) ? conditioned(task) : { refuse: 'stale', message: 'another change is at work' };
});

/** Responses that show a version have another tag. */
const otherTag = (tagOf: (ifMatch: unknown, method: string) => string | undefined): MockFault =>
  conditional((conditioned, _, { operation: { method } }) => async (task) => {
    const outcome = await conditioned(task);
    const tag = tagOf(task.request.headers['if-match'], method);
    if ('refuse' in outcome || outcome.version === undefined || tag === undefined) return outcome;
    return { ...outcome, headers: { ...outcome.headers, ETag: tag } };
  });

const counted = () => {
  let count = 0;
  return otherTag(() => `"${++count}"`);
};
const former = otherTag((ifMatch, method) =>
  method === 'GET' ? undefined : (ifMatch as string | undefined),
);

/** Faults of any document that has conditions. */
const CONDITIONS: Operators<MockFault> = {
  'stale put': [anyVersion('PUT')],
  'stale patch': [anyVersion('PATCH')],
  'stale delete': [anyVersion('DELETE')],
  'stale gets 400': [refusedAs('invalid')],
  'stale gets 428': [refusedAs('no condition')],
  'stale is written': ['refused-changes-nothing', writtenAll],
  'never current': [
    'current-accepted',
    seen('if-match', (given) => (given && given !== '*' ? '"none"' : undefined)),
  ],
  'two steps': ['one-writer', inTwoSteps],
  'all stale': ['one-writer', refuseBusy],
  'never 304': ['not-modified', seen('if-none-match', () => undefined)],
  'always 304': ['not-modified', seen('if-none-match', (given) => (given ? '*' : undefined))],
  unconditional: ['condition-required', seen('if-match', (given) => (given as string | undefined) ?? '*')],
  'tag of response': ['etag-stays', counted()],
  'former tag': ['etag-stays', former],
  'tag of id': ['etag-changes', tagging((text) => `"${(parseJson(text) as { id: unknown }).id}"`)],
  'tag of length': ['etag-changes', tagging((text) => `"${text.length - (text.length % 4096)}"`)],
};

const wiki = mockOf('wiki.yaml', { count: 5 });

export const conditionalMutants = product(CONDITIONS, 'stale-refused', [['wiki', wiki]]);
