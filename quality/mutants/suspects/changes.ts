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
  keepRemoved,
  loseCreated,
  type MockFault,
  mockOf,
  replaceMerges,
  response,
  skipAuthentication,
  skipValidation,
  store,
} from '../mock-faults.ts';
import { lookalikes, mutants, type Operators, product, using } from '../suspect.ts';

const { actions } = defaultParts;

/** The response shows the record before the change. */
const respondWithOld = (name: ActionName): MockFault =>
  action(name, (act, context) => async (task) => {
    const before = await actions.read(context)?.(task);
    const after = await act(task);
    return 'refuse' in after || !before ? after : before;
  });

/** A change applies to every record of the collection. */
const changeAll = store((all) => {
  const changes = new Map<string, object>();
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

const removeAll = store((all) =>
  afterWrites(all, async ({ kind, collection }) => {
    const { entries } = await all.contents(collection);
    for (const { id } of kind === 'remove' ? entries : []) await all.remove(collection, id, []);
  }),
);
const changeInVain = store((all) => ({ change: acknowledge(all) }));
const EITHER = ['replaced-is-replaced', 'merged-is-merged'] as const;
const NEIGHBOURS = ['neighbours-untouched', 'created-can-be-read', 'earlier-records-stay', 'status'] as const;
const REFUSED = 'refused-changes-nothing';
const OPEN = 'unauthorised-first';

/** PUT, PATCH and DELETE do something other than documented. */
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
  'delete all': [NEIGHBOURS, removeAll],
};

/** Ids chosen by clients, records created by PUT, and the location of new ones. */
const depots = mockOf('depots.yaml', { count: 5 });

/** A PUT that creates a shelf responds as if it replaced one, or the reverse. */
const put = (status: number, instead: number): MockFault =>
  response('replace', (reply, _, { operation: { path } }) =>
    reply.status === status && path.startsWith('/shelves') ? { ...reply, status: instead } : reply,
  );
/** The response to a create has a wrong location. */
const located = (to: (location: string) => string): MockFault =>
  response('create', (reply) => {
    const { Location, ...headers } = { Location: '', ...reply.headers };
    return Location === '' ? reply : { ...reply, headers: { ...headers, Location: to(String(Location)) } };
  });

const OTHER_LABEL = [
  ...(['path-id', 'created-can-be-read', 'created-equals-sent', 'unique-refused', 'location'] as const),
];
const OTHER = 'labels/none-at-all';
const depotsMutants = [
  ...mutants('depots', depots, 'status', {
    'shelf-made-as-200': ['a PUT that makes a shelf answers as if it were there', put(201, 200)],
    'shelf-replaced-as-201': ['a PUT that replaces a shelf answers as if it made one', put(200, 201)],
  }),
  ...mutants('depots', using(depots, located), 'location', {
    'crate-nowhere': ['the Location of a crate leads nowhere', (at) => at.replace(/\d+$/, '987654321')],
    'label-of-another': ['that of a label is', OTHER_LABEL, (at) => at.replace(/labels\/.*/, OTHER)],
  }),
];

/** Verbs in paths, and operations that only describe requests. The user permits what only a verb suggests. */
const repairs = {
  ...mockOf('repairs.yaml', { count: 5 }),
  options: {
    allow: ['createTicket', 'editTicket', 'deleteTicket', 'changeTool'],
    values: { id: '1' },
    maxCreates: 500,
  },
};
const repairsMutants = mutants('repairs', repairs, 'status', {
  'ticket-lost': ['a ticket that is created is not stored', 'created-can-be-read', loseCreated],
  'any-subject': ['tickets are not validated', ['invalid-refused', 'schema'], skipValidation(['POST'])],
  'no-tools': ['no tool is ever added', always('POST', 500, '/tools')],
});

const toolsForgotten = store(({ create }) => ({
  create: (collection, input) =>
    (collection.name === '/tools' ? acknowledgeCreate : create)(collection, input),
}));

export const changes = {
  // Only the cases of books run, since books have every method.
  'changes and removals': [
    product(CHANGES, EITHER, [['libraries', { ...mockOf('libraries.yaml'), options: { only: 'Book' } }]]),
    [],
  ],
  'which record is which': [
    depotsMutants,
    lookalikes('depots', using(depots, located), {
      elsewhere: ['a Location leads to a path that is not documented', (at) => `/files${at}`],
    }),
  ],
  'verbs in paths, and requests described alone': [
    repairsMutants,
    lookalikes('repairs', repairs, {
      'tickets-stay': ['what a verb alone says is removed is still there', keepRemoved],
      'tools-forgotten': ['tools are not stored', toolsForgotten],
    }),
  ],
} as const;
