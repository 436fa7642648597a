import { defaultParts } from '#mock';
import { bodyMedia, parseJson, stringifyJson } from '#spec';
import {
  acknowledge,
  action,
  actUnauthorized,
  answerAs,
  type MockFault,
  mockOf,
  response,
  skipAuthentication,
  skipValidation,
  store,
} from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { mutants } from '../suspect.ts';

/** Only the cases of books are run: these have every method. */
const books = { ...mockOf('libraries.yaml'), options: { only: 'Book' } };
const { actions } = defaultParts;

const changeNothing = store((given) => ({ change: acknowledge(given) }));

/** The response shows the record before the change. */
const respondWithOld = (name: 'replace' | 'update'): MockFault =>
  action(name, (act, context) => async (task) => {
    const before = await actions.read(context)?.(task);
    const after = await act(task);
    return 'refuse' in after || !before ? after : before;
  });

const createUnknown = action('replace', (act) => async (task) => {
  const outcome = await act(task);
  const id = Object.values(task.values.parameters.path).at(-1);
  const body = JSON.stringify({ ...(task.values.body as object), id });
  return 'refuse' in outcome ? { status: 200, type: 'application/json', body } : outcome;
});

const changeAll = store((given) => {
  const changes = new Map<string, Data>();
  return {
    async change(collection, ...record) {
      const text = await given.change(collection, ...record);
      const { id: _, ...members } = JSON.parse(text || '{}');
      if (text) changes.set(collection.name, members);
      return text;
    },
    async read(collection, ...record) {
      const text = await given.read(collection, ...record);
      return text && JSON.stringify({ ...JSON.parse(text), ...changes.get(collection.name) });
    },
  };
});

/** An invalid PUT is carried out with other values, and then refused. */
const storeInvalid: MockFault = {
  ...skipValidation(['PUT']),
  ...action('replace', (act, { operation, contract }) => {
    const media = bodyMedia(operation.body);
    const validate = media?.schema && contract.validators.compile(media.schema, 'request');
    return async (task) => {
      if (!validate?.(task.values.body).length) return act(task);
      const values = { ...task.values, body: { title: 'x', language: 'en' } };
      const outcome = await act({ ...task, values });
      return 'refuse' in outcome ? outcome : { refuse: 'invalid', message: 'broken' };
    };
  }),
};

const listOld = store((given) => {
  const before = new Map<unknown, string>();
  return {
    async change(collection, id, where, edit) {
      const old = await given.read(collection, id, where);
      if (old !== undefined) before.set(id, before.get(id) ?? old);
      return given.change(collection, id, where, edit);
    },
    async list(collection, query) {
      const page = await given.list(collection, query);
      const records = parseJson(page.text) as { id: string }[];
      const texts = records.map((record) => before.get(record.id) ?? stringifyJson(record));
      return { ...page, text: `[${texts.join(',')}]` };
    },
  };
});

const swap = (name: 'replace' | 'update', other: 'replace' | 'update'): MockFault => ({
  actions: { ...actions, [name]: actions[other] },
});

const removeUnauthorized = actUnauthorized('DELETE', 'remove');
const MERGED = ['merged-is-merged', 'schema'] as const;
const EITHER = ['replaced-is-replaced', 'merged-is-merged'] as const;

/** PUT and PATCH change something else than they say. */
const wrongChanges = mutants('libraries', books, EITHER, [
  ['change-not-stored', 'a change is not stored', changeNothing],
  ['put-merges', 'PUT keeps members that were not sent', 'replaced-is-replaced', swap('replace', 'update')],
  ['patch-replaces', 'PATCH drops members that were not sent', MERGED, swap('update', 'replace')],
  ['put-answers-old', 'PUT responds with the old record', 'replaced-is-replaced', respondWithOld('replace')],
  ['patch-answers-old', 'PATCH responds with the old record', 'merged-is-merged', respondWithOld('update')],
  ['put-lists-old', 'the list shows a record before the change', [...EITHER, 'list-and-read-agree'], listOld],
  ['put-201', 'PUT gets 201', 'status', answerAs('replace', 201)],
  ['put-makes-unknown', 'PUT on an unknown id gets 200', 'unknown-id', createUnknown],
  ['change-all', 'a change of one record changes all', 'neighbours-untouched', changeAll],
]);

const wrongChangeRefusals = mutants('libraries', books, 'refused-changes-nothing', [
  ['put-invalid-accepted', 'an invalid PUT is accepted', 'invalid-refused', skipValidation(['PUT'])],
  ['patch-invalid-accepted', 'an invalid PATCH is accepted', 'invalid-refused', skipValidation(['PATCH'])],
  ['put-invalid-stored', 'an invalid PUT is refused and done', storeInvalid],
  ['put-open', 'PUT needs no key', 'unauthorised-first', skipAuthentication('PUT')],
  ['patch-open', 'PATCH needs no key', 'unauthorised-first', skipAuthentication('PATCH')],
  ['delete-unauthorised-done', 'DELETE without a key gets 401 and is done', removeUnauthorized],
  ['put-unauthorised-stored', 'PUT without a key gets 401 and is done', actUnauthorized('PUT', 'replace')],
]);

/** Removed records are kept, and still read or listed. */
const keepRemoved = (shown: 'read' | 'listed') =>
  store(({ read, remove, list }) => {
    const removed = new Map<unknown, readonly [collection: string, text: string]>();
    return {
      async remove(collection, id, where) {
        const text = await read(collection, id, where);
        if (text !== undefined) removed.set(id, [collection.name, text]);
        return remove(collection, id, where);
      },
      async read(collection, id, where) {
        const text = await read(collection, id, where);
        return text ?? (shown === 'read' ? removed.get(id)?.[1] : undefined);
      },
      async list(collection, query) {
        const page = await list(collection, query);
        const own = [...removed.values()].filter(([name]) => shown === 'listed' && name === collection.name);
        const texts = [page.text.slice(1, -1), ...own.slice(-2).map(([, text]) => text)].filter(Boolean);
        return { ...page, text: `[${texts.join(',')}]` };
      },
    };
  });

const removeAll = store(({ list, remove }) => ({
  async remove(collection, id, where) {
    const { text } = await list(collection, { where: [], offset: 0, limit: Number.POSITIVE_INFINITY });
    const found = await remove(collection, id, where);
    for (const other of found ? (JSON.parse(text) as { id: string }[]) : [])
      await remove(collection, other.id, []);
    return found;
  },
}));

const removeUnknown = store(({ remove }) => ({
  async remove(collection, id, where) {
    await remove(collection, id, where);
    return true;
  },
}));

const OK = { status: 200, type: 'application/json', body: '{}' };
const STILL_LISTED = ['removed-is-gone', 'list-and-read-agree', 'page-size'] as const;
const NEIGHBOURS = ['neighbours-untouched', 'created-can-be-read', 'earlier-records-stay', 'status'] as const;
const UNKNOWN = ['unknown-id', 'removed-is-gone'] as const;

/** DELETE removes something else than it says. */
const wrongRemovals = mutants('libraries', books, 'removed-is-gone', [
  ['delete-not-done', 'DELETE removes nothing', store(() => ({ remove: () => true }))],
  ['delete-still-read', 'a removed record can still be read', keepRemoved('read')],
  ['delete-still-listed', 'a removed record is still listed', STILL_LISTED, keepRemoved('listed')],
  ['delete-all', 'DELETE removes the whole collection', NEIGHBOURS, removeAll],
  ['delete-200', 'DELETE gets 200', 'status', response('remove', () => OK)],
  ['delete-unknown-204', 'DELETE of an unknown id gets 204', UNKNOWN, removeUnknown],
  ['delete-open', 'DELETE needs no key', 'unauthorised-first', skipAuthentication('DELETE')],
]);

export const changesMutants = [...wrongChanges, ...wrongChangeRefusals, ...wrongRemovals];
