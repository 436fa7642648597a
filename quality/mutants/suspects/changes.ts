import { defaultParts } from '#mock';
import {
  type ActionName,
  acknowledge,
  acknowledgeCreate,
  action,
  actUnauthorized,
  afterWrites,
  always,
  answerAs,
  type Id,
  keepRemoved,
  loseCreated,
  type MockFault,
  mockOf,
  replaceMerges,
  response,
  responseBody,
  skipAuthentication,
  skipValidation,
  store,
  storedMember,
  type Write,
} from '../mock-faults.ts';
import { convert, type Data } from '../record-changes.ts';
import { lookalikes, mutants, type Operators, product, using } from '../suspect.ts';

const { actions } = defaultParts;

/** The response shows the record before the change. */
const respondWithOld = (name: ActionName): MockFault =>
  action(name, (act, context) => async (task) => {
    const before = await actions.read(context)?.(task);
    const after = await act(task);
    return 'refuse' in after || !before ? after : before;
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
          (one) => where === 'listed' && one.collection === collection,
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
const changeInVain = store((all) => ({ change: acknowledge(all) }));

const EITHER = ['replaced-is-replaced', 'merged-is-merged'] as const;
const LISTED = ['removed-is-gone', 'list-and-read-agree', 'page-size'] as const;
const NEIGHBOURS = ['neighbours-untouched', 'created-can-be-read', 'earlier-records-stay', 'status'] as const;
const REFUSED = 'refused-changes-nothing';
const OPEN = 'unauthorised-first';

/** PUT, PATCH and DELETE do something else than they say. */
const CHANGES: Operators<MockFault> = {
  'change not stored': [EITHER, changeInVain],
  'put merges': ['replaced-is-replaced', replaceMerges],
  'patch replaces': [['merged-is-merged', 'schema'], { actions: { ...actions, update: actions.replace } }],
  'put answers old': ['replaced-is-replaced', respondWithOld('replace')],
  'patch answers old': ['merged-is-merged', respondWithOld('update')],
  'change all': ['neighbours-untouched', changeAll],
  'put 201': ['status', answerAs('replace', 201)],
  'put invalid accepted': ['invalid-refused', skipValidation(['PUT'])],
  'patch invalid accepted': ['invalid-refused', skipValidation(['PATCH'])],
  'put open': [OPEN, skipAuthentication('PUT')],
  'delete open': [OPEN, skipAuthentication('DELETE')],
  'put unauthorised stored': [REFUSED, actUnauthorized('PUT', 'replace')],
  'delete unauthorised done': [REFUSED, actUnauthorized('DELETE', 'remove')],
  'delete not done': ['removed-is-gone', store(() => ({ remove: () => true }))],
  'delete still read': ['removed-is-gone', removedStay('read')],
  'delete still listed': [LISTED, removedStay('listed')],
  'delete all': [NEIGHBOURS, removeAll],
  'delete 200': ['status', answerAs('remove', 200)],
  'delete unknown 204': [['unknown-id', 'removed-is-gone'], removeUnknown],
};

/** Ids that clients choose, records that a PUT makes, and where a new one is. */
const depots = mockOf('depots.yaml', { count: 5 });

/** What a PUT of a shelf that it makes, or replaces, is answered with. */
const put = (made: boolean, status: number): MockFault =>
  response('replace', (given, _, { operation }) =>
    (given.status === 201) === made && operation.path.startsWith('/shelves') ? { ...given, status } : given,
  );
const NOT_FOUND = { refuse: 'not found', message: 'there is none' } as const;
const makesNoShelf = action('replace', (act, { collection, operation }) => async (task) => {
  if (!operation.path.startsWith('/shelves')) return act(task);
  const id = Object.values(task.values.parameters.path).at(-1) as string;
  return (await task.store.read(collection, id, [])) === undefined ? NOT_FOUND : act(task);
});

/** The response to a create names another place. */
const located = (to: (location: string) => string): MockFault =>
  response('create', (given) => {
    const { Location, ...headers } = { Location: '', ...given.headers };
    return Location === '' ? given : { ...given, headers: { ...headers, Location: to(String(Location)) } };
  });

/** A PUT finds a record whatever the code is that its path names, up to ten characters. */
const cutCodes = store(({ create }) => ({
  create: (collection, given) =>
    create(collection, { ...given, ...(typeof given.id === 'string' && { id: given.id.slice(0, 10) }) }),
}));

const OTHER_LABEL = [
  ...(['path-id', 'created-can-be-read', 'created-equals-sent', 'unique-refused', 'location'] as const),
];
const depotsMutants = [
  ...mutants('depots', depots, 'status', [
    ['shelf-not-made', 'a PUT makes no shelf', makesNoShelf],
    ['shelf-made-as-200', 'a PUT that makes a shelf answers as if it were there', put(true, 200)],
    ['shelf-replaced-as-201', 'a PUT that replaces a shelf answers as if it made one', put(false, 201)],
    ['codes-cut', 'codes are cut after ten characters', ['created-can-be-read', 'path-id'], cutCodes],
    ['levels-of-made', 'a made shelf has one level', 'created-equals-sent', storedMember('levels', () => 1)],
  ]),
  ...mutants('depots', using(depots, located), 'location', [
    ['crate-nowhere', 'the Location of a crate leads nowhere', (at) => at.replace(/\d+$/, '987654321')],
    [
      'label-of-another',
      'the Location of a label is that of another one',
      OTHER_LABEL,
      (at) => at.replace(/labels\/.*/, 'labels/none-at-all'),
    ],
  ]),
];

/** Verbs in paths, and requests described alone. What only a verb suggests, the user permits. */
const repairs = {
  ...mockOf('repairs.yaml', { count: 5 }),
  options: {
    allow: ['createTicket', 'editTicket', 'deleteTicket', 'changeTool'],
    values: { id: '1' },
    maxCreates: 500,
  },
};
const cutSubject = storedMember<string>('subject', (text) => text.slice(0, 8));
const otherTicket = responseBody(
  'read',
  convert<number>('ticketId', (id) => id + 1),
);

const repairsMutants = mutants('repairs', repairs, 'status', [
  ['ticket-lost', 'a ticket that is created is not stored', 'created-can-be-read', loseCreated],
  ['subject-cut', 'subjects are cut', 'created-equals-sent', cutSubject],
  ['edit-merges', 'what is edited keeps what was left out', 'replaced-is-replaced', replaceMerges],
  ['other-ticket', 'a ticket that is read has another id', 'path-id', otherTicket],
  ['any-subject', 'tickets are not validated', ['invalid-refused', 'schema'], skipValidation(['POST'])],
  ['any-change', 'changes of tools are not validated', 'invalid-refused', skipValidation(['PATCH'])],
  ['tools-for-all', 'tools are changed without a credential', OPEN, skipAuthentication('PATCH')],
  ['no-tools', 'no tool is ever added', always('POST', 500, '/tools')],
]);

const toolsForgotten = store(({ create }) => ({
  create: (collection, given) =>
    (collection.name === '/tools' ? acknowledgeCreate : create)(collection, given),
}));

export const changes = {
  // Only the cases of books are run: these have every method.
  'changes and removals': [
    product(CHANGES, EITHER, [['libraries', { ...mockOf('libraries.yaml'), options: { only: 'Book' } }]]),
    [],
  ],
  'which record is which': [
    depotsMutants,
    lookalikes('depots', using(depots, located), [
      ['absolute', 'a Location is absolute', (at) => `http://depots.example${at}`],
      ['elsewhere', 'a Location leads to a path that is not documented', (at) => `/files${at}`],
    ]),
  ],
  'verbs in paths, and requests described alone': [
    repairsMutants,
    lookalikes('repairs', repairs, [
      ['tickets-stay', 'what a verb alone says is removed is still there', keepRemoved],
      ['tools-forgotten', 'tools are not stored', toolsForgotten],
    ]),
  ],
} as const;
