import { parseJson, stringifyJson } from '#spec';
import {
  action,
  eachOf,
  keepRemoved,
  listQuery,
  type MockFault,
  mockOf,
  response,
  responseBody,
  skipValidation,
  store,
} from '../mock-faults.ts';
import { set, without } from '../record-changes.ts';
import { mutants } from '../suspect.ts';

/** Changes what the list operation with this id responds. */
const ofList = (id: string, change: (body: unknown) => unknown): MockFault =>
  action('list', (act, { operation }) => async (task) => {
    const outcome = await act(task);
    if (operation.id !== id || 'refuse' in outcome) return outcome;
    return { ...outcome, body: stringifyJson(change(parseJson(String(outcome.body)))) };
  });

const eachIn = (change: (record: Readonly<Record<string, unknown>>) => unknown) => (body: unknown) =>
  (body as Readonly<Record<string, unknown>>[]).map(change);

/** Whatever is asked for is there: the first record stands in for it. */
const findAny = store(({ list, read }) => ({
  read: async (collection, id, where) =>
    (await read(collection, id, where)) ??
    (await list(collection, { where: [], offset: 0, limit: 1 })).text.slice(1, -1),
}));

/** Views, ids in bodies, POST on an item, many at once, actions, singletons, pages by cursor. */
export const shelterMutants = mutants('shelter', mockOf('shelter.yaml'), 'schema', [
  ['view-without-names', 'animals of a view have no name', ofList('findAnimals', eachIn(without('name')))],
  ['view-text-ids', 'ids in a view are texts', ofList('findAnimals', eachIn(set('id', 'one')))],
  ['view-object', 'a view is an object', ofList('findAnimals', (body) => ({ animals: body }))],
  ['declared-view', 'a declared view has no ids', ofList('findAdopted', eachIn(without('id')))],
  [
    'updated-status',
    'POST answers another status of an animal',
    responseBody('update', set('status', 'lost')),
  ],
  ['replaced-nameless', 'PUT answers an animal without a name', responseBody('replace', without('name'))],
  [
    'admitted-as-200',
    'an admitted animal is answered 200',
    'status',
    response('create', (given) => ({ ...given, status: 200 })),
  ],
  ['released-stays', 'a released animal can still be read', 'status', keepRemoved],
  ['any-animal', 'an unknown id finds the first record', ['unknown-id', 'path-id'], findAny],
  ['limit-ignored', 'the page size is ignored', 'page-size', listQuery(() => ({ limit: 1e9 }))],
  [
    'has-more-text',
    'has_more is a text',
    ofList('listKeepers', (body) => set('has_more', 'yes')(body as never)),
  ],
  ['keeper-ids', 'ids of listed keepers are texts', responseBody('list', eachOf('data', set('id', 'k')))],
  ['nameless-accepted', 'an animal without a name is accepted', 'invalid-refused', skipValidation(['POST'])],
  ['settings-accepted', 'settings of any kind are accepted', 'invalid-refused', skipValidation(['PATCH'])],
]);
