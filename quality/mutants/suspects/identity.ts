import { defaultParts } from '#mock';
import {
  acknowledgeCreate,
  action,
  type MockFault,
  mockOf,
  response,
  responseBody,
  store,
  storedMember,
} from '../mock-faults.ts';
import { convert } from '../record-changes.ts';
import { lookalikes, mutants, using } from '../suspect.ts';

// Faults in which records are which: ids that clients choose, records that a PUT makes, and where a new one is.

const depots = mockOf('depots.yaml', { count: 5 });

/** What a PUT of a shelf that it makes, or replaces, is answered with. */
const put = (made: boolean, status: number): MockFault =>
  response('replace', (given, _, { operation }) =>
    (given.status === 201) === made && operation.path.startsWith('/shelves') ? { ...given, status } : given,
  );

const NOT_FOUND = { refuse: 'not found', message: 'there is none' } as const;

/** A PUT makes nothing below this path. */
const makesNothing = (part: string): MockFault =>
  action('replace', (act, { collection, operation }) => async (task) => {
    if (!operation.path.startsWith(part)) return act(task);
    const { path } = task.values.parameters;
    const id = Object.values(path).at(-1) as string;
    return (await task.store.read(collection, id, [])) === undefined ? NOT_FOUND : act(task);
  });

/** The response to a create names another place. */
const located = (to: (location: string) => string): MockFault =>
  response('create', (given) => {
    const { Location, ...headers } = { Location: '', ...given.headers };
    return Location === '' ? given : { ...given, headers: { ...headers, Location: to(String(Location)) } };
  });

/** A PUT finds a record whatever the code is that its path names, up to this length. */
const shortCodes = (length: number): MockFault =>
  store(({ create }) => ({
    create: (collection, given) =>
      create(collection, {
        ...given,
        ...(typeof given.id === 'string' && { id: given.id.slice(0, length) }),
      }),
  }));

export const identityMutants = [
  ...mutants('depots', depots, 'status', [
    ['shelf-not-made', 'a PUT makes no shelf', makesNothing('/shelves')],
    ['label-not-made', 'a PUT makes no label', makesNothing('/labels')],
    ['shelf-made-as-200', 'a PUT that makes a shelf answers as if it were there', put(true, 200)],
    ['shelf-replaced-as-201', 'a PUT that replaces a shelf answers as if it made one', put(false, 201)],
    [
      'shelf-forgotten',
      'a shelf that a PUT makes is not stored',
      'created-can-be-read',
      store(() => ({ create: acknowledgeCreate })),
    ],
    ['codes-cut', 'codes are cut after ten characters', ['created-can-be-read', 'path-id'], shortCodes(10)],
    [
      'code-of-another',
      'a shelf that is read has another code',
      'path-id',
      responseBody(
        'read',
        convert<string>('code', (code) => `${code}x`),
      ),
    ],
    [
      'put-merges',
      'a PUT of a shelf merges',
      'replaced-is-replaced',
      { actions: { ...defaultParts.actions, replace: putMerging } },
    ],
    [
      'levels-of-made',
      'a shelf that a PUT makes has one level',
      'created-equals-sent',
      storedMember('levels', () => 1),
    ],
  ]),
  ...mutants('depots', using(depots, located), 'location', [
    ['crate-nowhere', 'the Location of a crate leads nowhere', (at) => at.replace(/\d+$/, '987654321')],
    ['crate-of-another', 'the Location of each crate is that of the first', (at) => at.replace(/\d+$/, '1')],
    [
      'label-of-another',
      'the Location of a label is that of another one',
      ['path-id', 'created-can-be-read', 'created-equals-sent', 'unique-refused', 'location'],
      (at) => at.replace(/labels\/.*/, 'labels/none-at-all'),
    ],
  ]),
];

/** PUT is the same as PATCH: members that are left out stay. */
function putMerging(context: Parameters<typeof defaultParts.actions.replace>[0]) {
  const [replace, update] = [defaultParts.actions.replace(context), defaultParts.actions.update(context)];
  if (!replace || !update) return replace;
  return async (task: Parameters<typeof replace>[0]) => {
    const outcome = await update(task);
    return 'refuse' in outcome ? replace(task) : outcome;
  };
}

export const identityLookalikes = lookalikes('depots', depots, [
  ['absolute', 'a Location is absolute', located((at) => `http://depots.example${at}`)],
  ['elsewhere', 'a Location leads to a path that is not documented', located((at) => `/files${at}`)],
  ['with-query', 'a Location has a query', located((at) => `${at}?fresh=1`)],
]);
