import { setTimeout as sleep } from 'node:timers/promises';
import { parseJson } from '#spec';
import { conditional, type MockFault, mockOf, store, tagging, withHeader } from '../mock-faults.ts';
import { mutantsBy, type Operator } from '../suspect.ts';

// Faults in what services do about versions of records: entity tags, and the conditions that name them.

const CHANGES = ['PUT', 'PATCH', 'DELETE'];

/** Requests of these methods have another header, or none, when their conditions are looked at. */
const seen = (header: string, value: string | undefined, ...methods: string[]): MockFault =>
  conditional((conditioned, _, { operation }) =>
    methods.includes(operation.method) ? (task) => conditioned(withHeader(task, header, value)) : conditioned,
  );

const isStale = (outcome: object) => 'refuse' in outcome && outcome.refuse === 'stale';

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

const noTag = '"of-no-version"';

/** A change that names a version at all. */
const neverCurrent = conditional((conditioned) => (task) => {
  const named = task.request.headers['if-match'];
  return conditioned(named === undefined || named === '*' ? task : withHeader(task, 'if-match', noTag));
});

const always304 = conditional(
  (conditioned) => (task) =>
    conditioned(task.request.headers['if-none-match'] ? withHeader(task, 'if-none-match', '*') : task),
);

/** Without a condition any version will do. */
const anyVersion = conditional(
  (conditioned) => (task) =>
    conditioned(task.request.headers['if-match'] === undefined ? withHeader(task, 'if-match', '*') : task),
);

/** Responses to changes have the tag that the record had before. */
const formerTag = conditional((conditioned, _, { operation }) => async (task) => {
  const outcome = await conditioned(task);
  const named = task.request.headers['if-match'];
  const isChange = operation.method === 'PUT' || operation.method === 'PATCH';
  if ('refuse' in outcome || !isChange || typeof named !== 'string') return outcome;
  return { ...outcome, headers: { ...outcome.headers, ETag: named } };
});

/** Each response has a tag of its own. */
const tagOfResponse = conditional((conditioned) => {
  let count = 0;
  return async (task) => {
    const outcome = await conditioned(task);
    if ('refuse' in outcome || outcome.version === undefined) return outcome;
    return { ...outcome, headers: { ...outcome.headers, ETag: `"${++count}"` } };
  };
});

const tagOfId = tagging((text) => `"${(parseJson(text) as { id: unknown }).id}"`);
const tagOfLength = tagging((text) => `"${text.length - (text.length % 4096)}"`);

/** Faults of any document that has conditions. */
const CONDITIONS = {
  'stale-put': ['stale-refused', 'PUT of a $ takes any If-Match', seen('if-match', '*', 'PUT')],
  'stale-patch': ['stale-refused', 'PATCH of a $ takes any If-Match', seen('if-match', '*', 'PATCH')],
  'stale-delete': ['stale-refused', 'DELETE of a $ takes any If-Match', seen('if-match', '*', 'DELETE')],
  'stale-400': ['stale-refused', 'a stale If-Match of a $ gets 400', refusedAs('invalid')],
  'stale-428': ['stale-refused', 'a stale If-Match of a $ gets 428', refusedAs('no condition')],
  'stale-written': ['refused-changes-nothing', 'a stale change of a $ gets 412 and is written', writtenAll],
  'never-current': ['current-accepted', 'no If-Match names the version of a $', neverCurrent],
  'two-steps': ['one-writer', 'a $ changes between the look at its version and the write', inTwoSteps],
  'all-stale': ['one-writer', 'of changes of a $ at once none is carried out', refuseBusy()],
  'never-304': ['not-modified', 'If-None-Match of a $ is ignored', seen('if-none-match', undefined, 'GET')],
  'always-304': ['not-modified', 'any If-None-Match of a $ gets 304', always304],
  unconditional: ['condition-required', 'a $ is changed without a condition', anyVersion],
  'tag-of-response': ['etag-stays', 'each response that shows a $ has an ETag of its own', tagOfResponse],
  'former-tag': ['etag-stays', 'a change of a $ responds with the ETag that it had before', formerTag],
  'tag-of-id': ['etag-changes', 'the ETag of a $ is its id', tagOfId],
  'tag-of-length': ['etag-changes', 'the ETag of a $ tells in which 4 KB its length is', tagOfLength],
} as const satisfies Record<string, Operator<MockFault>>;

/** Changes that come while another one is at work find another version. */
function refuseBusy(): MockFault {
  return conditional((conditioned, _, { operation }) => {
    if (!CHANGES.includes(operation.method)) return conditioned;
    let atWork = 0;
    return async (task) => {
      atWork += 1;
      await sleep(10);
      const isAlone = atWork === 1;
      await sleep(10);
      atWork -= 1;
      return isAlone ? conditioned(task) : { refuse: 'stale', message: 'another change is at work' };
    };
  });
}

const wiki = mockOf('wiki.yaml', { count: 5 });

export const conditionalMutants = mutantsBy(CONDITIONS, 'wiki', wiki, 'page', [
  ...(['stale-put', 'stale-patch', 'stale-delete', 'stale-400', 'stale-written', 'never-current'] as const),
  ...(['two-steps', 'all-stale', 'never-304', 'always-304', 'tag-of-response', 'former-tag'] as const),
  ...(['tag-of-id', 'tag-of-length'] as const),
]).concat(mutantsBy(CONDITIONS, 'wiki', wiki, 'snippet', ['unconditional', 'stale-428']));
