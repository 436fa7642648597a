import { createHash } from 'node:crypto';
import { isRecord, parseJson } from '#spec';
import { equalJson } from '../../../contract-tests/laws/same-value.ts';
import { conditional, mockOf, response, store, tagging } from '../mock-faults.ts';
import { lookalikes } from '../suspect.ts';

// Services that keep versions of records, each in a way of its own.

const hashOf = (text: string) => createHash('md5').update(text).digest('hex');

/** Of a weak tag little is promised: two versions may have one. */
const weakTags = tagging((text) => `W/"${hashOf(text).slice(0, 1)}"`);

/** The nth text that a record has had has the tag n, whatever record it is. */
function countedTags() {
  const texts = new Map<unknown, string[]>();
  return tagging((text) => {
    const { id } = parseJson(text) as { id: unknown };
    const seen = texts.get(id) ?? [];
    texts.set(id, seen);
    if (!seen.includes(text)) seen.push(text);
    return `"${seen.indexOf(text) + 1}"`;
  });
}

/** A change that has been made already need not be refused (RFC 9110 §13.1.1). */
const takeMade = conditional((conditioned, act, { operation }) => async (task) => {
  const outcome = await conditioned(task);
  if (!('refuse' in outcome) || outcome.refuse !== 'stale' || operation.method !== 'PUT') return outcome;
  let isMade = false;
  const { change } = task.store;
  const edited: (typeof task)['store'] = {
    ...task.store,
    change: (of, id, where, edit) =>
      change(of, id, where, edit, (text) => {
        const record = parseJson(text);
        const { body } = task.values;
        isMade =
          isRecord(record) &&
          isRecord(body) &&
          Object.entries(body).every(([name, value]) => equalJson(record[name], value));
        return isMade;
      }),
  };
  const again = await act({ ...task, store: edited });
  return isMade ? again : outcome;
});

/** PUT shows more than GET does, and so has another tag. */
const fullerPut = {
  ...response('replace', (given) => ({ ...given, body: String(given.body).replace(/}$/, ',"words":3}') })),
  ...conditional((conditioned, _, { operation }) => async (task) => {
    const outcome = await conditioned(task);
    if ('refuse' in outcome || operation.method !== 'PUT' || outcome.body === '') return outcome;
    return { ...outcome, headers: { ...outcome.headers, ETag: `"${hashOf(String(outcome.body))}"` } };
  }),
};

/** The service adds to a record a little after it was created. */
const addLater = store(({ create, change }) => ({
  async create(collection, given) {
    const entry = await create(collection, given);
    if (entry === 'taken') return entry;
    const index = async () =>
      change(collection, entry.id, [], (text) => ({
        ...given,
        members: { ...(parseJson(text) as object), indexed: true },
      }));
    setTimeout(index, 15).unref();
    return entry;
  },
}));

/** Conditions are looked at before the record is. */
const conditionFirst = conditional((conditioned, _, { operation }) => async (task) => {
  const outcome = await conditioned(task);
  if (!('refuse' in outcome) || outcome.refuse !== 'not found' || operation.method === 'GET') return outcome;
  const named = task.request.headers['if-match'];
  if (named !== undefined) return { refuse: 'stale', message: 'there is no such version' };
  const isNeeded = operation.responses.some(({ key }) => key === '428');
  return isNeeded ? { refuse: 'no condition', message: 'no If-Match' } : outcome;
});

/** A service that knows no `*` names it an unknown version. */
const noAsterisk = conditional(
  (conditioned) => async (task) =>
    task.request.headers['if-match'] === '*'
      ? { refuse: 'stale', message: 'there is no version *' }
      : conditioned(task),
);

export const conditionalLookalikes = lookalikes('wiki', mockOf('wiki.yaml', { count: 5 }), [
  ['weak', 'all tags are weak, and tell little of a version', weakTags],
  ['counted', 'tags count the versions of a record', countedTags()],
  ['made-already', 'a stale change that has been made already succeeds', takeMade],
  ['fuller-put', 'PUT shows more than GET, under another tag', fullerPut],
  ['adds-later', 'the service adds to a new record a little later', addLater],
  ['condition-first', 'a condition on what is not there does not hold', conditionFirst],
  ['no-asterisk', 'If-Match: * names no version', noAsterisk],
]);
