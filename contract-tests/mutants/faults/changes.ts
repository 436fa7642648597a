import { defaultParts } from '#mock';
import { parseJson, stringifyJson } from '#spec';
import { around, doneUnauthorised, faultyLibrary, open, overlooking, storing } from '../on-mock.ts';
import type { Mutant } from '../suspect.ts';

const { replace, update } = defaultParts.actions;

/** PUT and PATCH: what is said to be changed is not, or more is. */
export const wrongChanges: readonly Mutant[] = [
  faultyLibrary(
    'change-not-stored',
    'a change is answered and not stored',
    ['replaced-is-replaced', 'merged-is-merged'],
    () =>
      storing((store) => ({
        async change(collection, id, where, edit) {
          const text = await store.read(collection, id, where);
          return text === undefined ? undefined : collection.complete(id, edit(text)).text;
        },
      })),
  ),
  faultyLibrary('put-merges', 'PUT keeps members that were not sent', 'replaced-is-replaced', () => ({
    actions: { ...defaultParts.actions, replace: update },
  })),
  faultyLibrary(
    'patch-replaces',
    'PATCH forgets members that were not sent',
    ['merged-is-merged', 'schema'],
    () => ({
      actions: { ...defaultParts.actions, update: replace },
    }),
  ),
  faultyLibrary('put-answers-old', 'PUT answers with the record as it was', 'replaced-is-replaced', () =>
    around('replace', (act, context) => async (task) => {
      const read = defaultParts.actions.read(context);
      const before = await read?.(task);
      const after = await act(task);
      return 'refuse' in after || !before ? after : before;
    }),
  ),
  faultyLibrary('patch-answers-old', 'PATCH answers with the record as it was', 'merged-is-merged', () =>
    around('update', (act, context) => async (task) => {
      const read = defaultParts.actions.read(context);
      const before = await read?.(task);
      const after = await act(task);
      return 'refuse' in after || !before ? after : before;
    }),
  ),
  faultyLibrary('put-201', 'PUT is answered 201', 'status', () =>
    around('replace', (act) => async (task) => {
      const answer = await act(task);
      return 'refuse' in answer ? answer : { ...answer, status: 201 };
    }),
  ),
  faultyLibrary('put-makes-unknown', 'PUT on an unknown id is answered 200', 'unknown-id', () =>
    around('replace', (act) => async (task) => {
      const answer = await act(task);
      if (!('refuse' in answer)) return answer;
      const id = Object.values(task.values.parameters.path).at(-1);
      return {
        status: 200,
        type: 'application/json',
        body: JSON.stringify({ ...(task.values.body as object), id }),
      };
    }),
  ),
  faultyLibrary('change-all', 'a change of one record changes all', 'neighbours-untouched', () => {
    const changed = new Map<string, (text: string) => string>();
    return storing((store) => ({
      async change(collection, id, where, edit) {
        const text = await store.change(collection, id, where, edit);
        if (text === undefined) return undefined;
        const { id: _, ...members } = JSON.parse(text);
        changed.set(collection.name, (other) => JSON.stringify({ ...JSON.parse(other), ...members }));
        return text;
      },
      async read(collection, id, where) {
        const text = await store.read(collection, id, where);
        const change = changed.get(collection.name);
        return text !== undefined && change ? change(text) : text;
      },
    }));
  }),
  faultyLibrary('put-invalid-accepted', 'PUT takes what is invalid', 'invalid-refused', () =>
    overlooking('PUT'),
  ),
  faultyLibrary('patch-invalid-accepted', 'PATCH takes what is invalid', 'invalid-refused', () =>
    overlooking('PATCH'),
  ),
  faultyLibrary(
    'put-invalid-stored',
    'an invalid PUT is refused and carried out',
    'refused-changes-nothing',
    () => ({
      ...overlooking('PUT'),
      ...around('replace', (act, { operation, contract }) => {
        const media = operation.body?.content.find(({ isJson }) => isJson);
        const validate = media?.schema && contract.validators.compile(media.schema, 'request');
        return async (task) => {
          const broken = validate?.(task.values.body) ?? [];
          const answer = await act(
            broken.length === 0
              ? task
              : { ...task, values: { ...task.values, body: { title: 'x', language: 'en' } } },
          );
          return broken.length === 0 || 'refuse' in answer
            ? answer
            : { refuse: 'invalid', message: 'broken' };
        };
      }),
    }),
  ),
  faultyLibrary('put-open', 'PUT needs no key', 'unauthorised-first', () => open('PUT')),
  faultyLibrary('patch-open', 'PATCH needs no key', 'unauthorised-first', () => open('PATCH')),
  faultyLibrary(
    'put-unauthorised-stored',
    'a PUT without a key is refused and carried out',
    'refused-changes-nothing',
    () => doneUnauthorised('PUT', 'replace'),
  ),
  faultyLibrary(
    'put-lists-old',
    'the list shows a record as it was before PUT',
    ['replaced-is-replaced', 'merged-is-merged', 'list-and-read-agree'],
    () =>
      storing((store) => {
        const before = new Map<unknown, string>();
        return {
          async change(collection, id, where, edit) {
            const old = await store.read(collection, id, where);
            if (old !== undefined) before.set(id, before.get(id) ?? old);
            return store.change(collection, id, where, edit);
          },
          async list(collection, query) {
            const page = await store.list(collection, query);
            const records = parseJson(page.text) as { id: string }[];
            return {
              ...page,
              text: `[${records.map((record) => before.get(record.id) ?? stringifyJson(record)).join(',')}]`,
            };
          },
        };
      }),
  ),
];
