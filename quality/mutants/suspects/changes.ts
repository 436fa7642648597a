import { defaultParts } from '#mock';
import { bodyMedia, parseJson, stringifyJson } from '#spec';
import {
  type ActionName,
  acknowledge,
  action,
  actUnauthorized,
  afterWrites,
  answerAs,
  type Id,
  type MockFault,
  mockOf,
  skipAuthentication,
  skipValidation,
  store,
  type Write,
} from '../mock-faults.ts';
import type { Data } from '../record-changes.ts';
import { type Operators, product } from '../suspect.ts';

const { actions } = defaultParts;
const instead = (name: ActionName, other: ActionName): MockFault => ({
  actions: { ...actions, [name]: actions[other] },
});

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

/** Every record of a collection has what was changed last in one of them. */
const changeAll = store((all) => {
  const changes = new Map<string, Data>();
  return {
    ...afterWrites(all, ({ kind, collection, after }) => {
      const { id: _, ...members } = JSON.parse(after || '{}');
      if (kind === 'change') changes.set(collection.name, members);
    }),
    async read(collection, ...record) {
      const text = await all.read(collection, ...record);
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
      await act({ ...task, values: { ...task.values, body: { title: 'x', language: 'en' } } });
      return { refuse: 'invalid', message: 'broken' };
    };
  }),
};

const listOld = store((all) => {
  const old = new Map<unknown, string>();
  const keep = ({ kind, id, before }: Write) => kind === 'change' && !old.has(id) && old.set(id, before);
  return {
    ...afterWrites(all, keep),
    async list(collection, query) {
      const page = await all.list(collection, query);
      const texts = (parseJson(page.text) as Data[]).map(
        ({ id, ...record }) => old.get(id) ?? stringifyJson({ id, ...record }),
      );
      return { ...page, text: `[${texts.join(',')}]` };
    },
  };
});

const removedStay = (where: 'read' | 'listed') =>
  store((all) => {
    const removed = new Map<Id, Write>();
    return {
      ...afterWrites(all, (write) => write.kind === 'remove' && removed.set(write.id, write)),
      async read(collection, id, conditions) {
        const text = await all.read(collection, id, conditions);
        return text ?? (where === 'read' ? removed.get(id)?.before : undefined);
      },
      async list(collection, query) {
        const page = await all.list(collection, query);
        const own = [...removed.values()].filter(
          (write) => where === 'listed' && write.collection === collection,
        );
        const texts = [page.text.slice(1, -1), ...own.slice(-2).map(({ before }) => before)].filter(Boolean);
        return { ...page, text: `[${texts.join(',')}]` };
      },
    };
  });

const removeAll = store((all) =>
  afterWrites(all, async ({ kind, collection }) => {
    const { entries } = await all.contents(collection);
    for (const { id } of kind === 'remove' ? entries : []) await all.remove(collection, id, []);
  }),
);

const removeUnknown = store(({ remove }) => ({
  remove: async (...record) => (await remove(...record)) || true,
}));

const EITHER = ['replaced-is-replaced', 'merged-is-merged'] as const;
const LISTED = ['removed-is-gone', 'list-and-read-agree', 'page-size'] as const;
const NEIGHBOURS = ['neighbours-untouched', 'created-can-be-read', 'earlier-records-stay', 'status'] as const;
const UNKNOWN = ['unknown-id', 'removed-is-gone'] as const;
const INVALID = 'invalid-refused';
const REFUSED = 'refused-changes-nothing';
const OPEN = 'unauthorised-first';

/** PUT, PATCH and DELETE do something else than they say. */
const CHANGES: Operators<MockFault> = {
  'change not stored': [EITHER, store((all) => ({ change: acknowledge(all) }))],
  'put merges': ['replaced-is-replaced', instead('replace', 'update')],
  'patch replaces': [['merged-is-merged', 'schema'], instead('update', 'replace')],
  'put answers old': ['replaced-is-replaced', respondWithOld('replace')],
  'patch answers old': ['merged-is-merged', respondWithOld('update')],
  'put lists old': [[...EITHER, 'list-and-read-agree'], listOld],
  'put makes unknown': ['unknown-id', createUnknown],
  'change all': ['neighbours-untouched', changeAll],
  'put 201': ['status', answerAs('replace', 201)],
  'put invalid accepted': [INVALID, skipValidation(['PUT'])],
  'patch invalid accepted': [INVALID, skipValidation(['PATCH'])],
  'put invalid stored': [REFUSED, storeInvalid],
  'put open': [OPEN, skipAuthentication('PUT')],
  'patch open': [OPEN, skipAuthentication('PATCH')],
  'delete open': [OPEN, skipAuthentication('DELETE')],
  'put unauthorised stored': [REFUSED, actUnauthorized('PUT', 'replace')],
  'delete unauthorised done': [REFUSED, actUnauthorized('DELETE', 'remove')],
  'delete not done': ['removed-is-gone', store(() => ({ remove: () => true }))],
  'delete still read': ['removed-is-gone', removedStay('read')],
  'delete still listed': [LISTED, removedStay('listed')],
  'delete all': [NEIGHBOURS, removeAll],
  'delete 200': ['status', answerAs('remove', 200)],
  'delete unknown 204': [UNKNOWN, removeUnknown],
};

/** Only the cases of books are run: these have every method. */
export const changesMutants = product(CHANGES, EITHER, [
  ['libraries', { ...mockOf('libraries.yaml'), options: { only: 'Book' } }],
]);
