import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultParts, type Parts } from '#mock';
import { isEqual, isRecord, parseJson } from '#spec';
import { type Act, aloneFor, type MockFault, mockOf, response, type Store, store } from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { lookalikes, type Operators, product } from '../suspect.ts';

const STALE = { refuse: 'stale', message: 'another version' } as const;
type ConditionalContext = Parameters<Parts['conditional']>[0];

/**
 * Changes how request conditions are evaluated.
 * @param change gets the action with its conditions, and without them
 */
const conditional = (
  change: (conditioned: Act, act: Act, context: ConditionalContext) => Act,
): MockFault => ({
  conditional: (context) => {
    const run = defaultParts.conditional(context);
    // Created once, since the next step is the same for all requests, and some changes keep state between them.
    let changed: Act | undefined;
    return (task, next) => {
      changed ??= change((each) => (run ? run(each, next) : next(each)), next, context);
      return changed(task);
    };
  },
});

/** Changes the computation of entity tags from a record's text; `If-Match` and `If-None-Match` refer to these. */
const tagging = (tagOf: (text: string) => string): MockFault =>
  conditional((conditioned, act, { operation: { method, responses } }) => async (task) => {
    const { 'if-match': match, 'if-none-match': noneMatch } = task.request.headers;
    if (method !== 'GET' && match === undefined && responses.some(({ key }) => key === '428'))
      return conditioned(task);
    let stale = false;
    const allows = (text: string) => {
      stale = match !== undefined && match !== '*' && match !== tagOf(text);
      return !stale;
    };
    const { change, remove } = task.store;
    const store: Store = {
      ...task.store,
      change: (of, id, where, edit) => change(of, id, where, edit, allows),
      remove: (of, id, where) => remove(of, id, where, allows),
    };
    const outcome = await act({ ...task, store });
    if (stale) return STALE;
    if ('refuse' in outcome || outcome.version === undefined) return outcome;
    const tag = tagOf(outcome.version);
    return noneMatch === tag
      ? { status: 304, type: undefined, headers: { ETag: tag }, body: '' }
      : { ...outcome, headers: { ...outcome.headers, ETag: tag } };
  });

// Faults in the handling of versions: entity tags, and conditions that use them.

/** Changes a header of the requests (or of some methods) before their conditions are evaluated. */
const seen = (header: string, as: (value: unknown, method: string) => string | undefined): MockFault =>
  conditional((conditioned, _, { operation: { method } }) => (task) => {
    const value = as(task.request.headers[header], method);
    const headers = { ...task.request.headers, [header]: value };
    return conditioned({ ...task, request: { ...task.request, headers } });
  });

const isStale = (outcome: object) => 'refuse' in outcome && outcome.refuse === 'stale';
const anyVersion = (of: string) =>
  seen('if-match', (value, method) => (method === of ? '*' : (value as string)));

/** Performs the write although the client gets 412. */
const writtenAll: MockFault = conditional((conditioned, act) => async (task) => {
  const outcome = await conditioned(task);
  if (isStale(outcome)) await act(task);
  return outcome;
});

/** Checks the version before the change, not in one atomic step. */
const inTwoSteps = store(({ read, change }) => ({
  async change(collection, id, where, edit, allows) {
    const text = await read(collection, id, where);
    if (text !== undefined && allows?.(text) === false) return false;
    await sleep(20);
    return change(collection, id, where, edit);
  },
}));

/** Refuses all changes that arrive while another one is running, as if the version had changed. */
const refuseBusy = conditional((conditioned, _, { operation: { method } }) => {
  if (method === 'GET' || method === 'POST') return conditioned;
  const isAlone = aloneFor(20);
  return async (task) => ((await isAlone()) ? conditioned(task) : STALE);
});

/** Changes the tag of responses that show a version. */
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

/** Faults for any document with conditions. */
const CONDITIONS: Operators<MockFault> = {
  'stale put': [anyVersion('PUT')],
  'stale delete': [anyVersion('DELETE')],
  'stale is written': ['refused-changes-nothing', writtenAll],
  'never current': [
    'current-accepted',
    seen('if-match', (value) => (value && value !== '*' ? '"none"' : undefined)),
  ],
  'two steps': ['one-writer', inTwoSteps],
  'all stale': ['one-writer', refuseBusy],
  'never 304': ['not-modified', seen('if-none-match', () => undefined)],
  'always 304': ['not-modified', seen('if-none-match', (value) => (value ? '*' : undefined))],
  unconditional: ['condition-required', seen('if-match', (value) => (value as string | undefined) ?? '*')],
  'tag of response': ['etag-stays', counted()],
  'former tag': ['etag-stays', former],
  'tag of id': ['etag-changes', tagging((text) => `"${(parseJson(text) as { id: unknown }).id}"`)],
  'tag of length': ['etag-changes', tagging((text) => `"${text.length - (text.length % 4096)}"`)],
};

const wiki = mockOf('wiki.yaml', { count: 5 });

// Services that handle versions of records correctly, each in its own way.

const hashOf = (text: string) => createHash('md5').update(text).digest('hex');

/** Weak tags promise little: two versions may have the same tag. */
const weakTags = tagging((text) => `W/"${hashOf(text).slice(0, 1)}"`);

/** A change that was already made need not be refused (RFC 9110 §13.1.1). */
const takeMade = conditional((conditioned, act, { operation }) => async (task) => {
  const outcome = await conditioned(task);
  if (!isStale(outcome) || operation.method !== 'PUT') return outcome;
  let isMade = false;
  const { body } = task.values;
  const { change } = task.store;
  const allows = (text: string) => {
    const record = parseJson(text) as Data;
    isMade = isRecord(body) && Object.entries(body).every(([name, value]) => isEqual(record[name], value));
    return isMade;
  };
  const store: Store = {
    ...task.store,
    change: (of, id, where, edit) => change(of, id, where, edit, allows),
  };
  const again = await act({ ...task, store });
  return isMade ? again : outcome;
});

/** PUT returns more than GET, and therefore a different tag. */
const fullerPut = {
  ...response('replace', (reply) => ({ ...reply, body: String(reply.body).replace(/}$/, ',"words":3}') })),
  ...conditional((conditioned, _, { operation }) => async (task) => {
    const outcome = await conditioned(task);
    if ('refuse' in outcome || operation.method !== 'PUT' || outcome.body === '') return outcome;
    return { ...outcome, headers: { ...outcome.headers, ETag: `"${hashOf(String(outcome.body))}"` } };
  }),
};

/** A service without support for `*` treats it as an unknown version. */
const noAsterisk = conditional(
  (conditioned) => async (task) => (task.request.headers['if-match'] === '*' ? STALE : conditioned(task)),
);

export const conditions = {
  'versions and conditions': [
    product(CONDITIONS, 'stale-refused', [['wiki', wiki]]),
    lookalikes('wiki', wiki, {
      weak: ['all tags are weak, and tell little of a version', weakTags],
      'made-already': ['a stale change that has been made already succeeds', takeMade],
      'fuller-put': ['PUT shows more than GET, under another tag', fullerPut],
      'no-asterisk': ['If-Match: * names no version', noAsterisk],
    }),
  ],
} as const;
