import { defaultParts } from '#mock';
import {
  acknowledge,
  acknowledgeCreate,
  action,
  always,
  answerAs,
  keepRemoved,
  type MockFault,
  mockOf,
  responseBody,
  skipAuthentication,
  skipValidation,
  store,
  storedMember,
} from '../mock-faults.ts';
import { convert } from '../record-changes.ts';
import { lookalikes, mutants } from '../suspect.ts';

// Faults behind paths with verbs in them, and where a document describes requests alone.

const repairs = mockOf('repairs.yaml', { count: 5 });
/** What only a verb suggests, the user permits. */
const allowed = {
  ...repairs,
  options: {
    allow: ['createTicket', 'editTicket', 'deleteTicket', 'changeTool'],
    values: { id: '1' },
    maxCreates: 500,
  },
};

type Compile = (typeof defaultParts.actions)['read'];

/** A fault in what is done with tickets. */
const inTickets = ({ actions }: MockFault): MockFault => {
  const compileOf = (name: string, compile: Compile): Compile => {
    const usual = defaultParts.actions[name as keyof typeof defaultParts.actions];
    return (context) => (context.collection.name === '/tickets' ? compile : usual)(context);
  };
  const changed = Object.entries(actions ?? {}).map(([name, compile]) => [name, compileOf(name, compile)]);
  return { actions: { ...defaultParts.actions, ...Object.fromEntries(changed) } };
};

const found = action('read', (act, { collection }) => async (task) => {
  const outcome = await act(task);
  if (!('refuse' in outcome)) return outcome;
  const { text } = await task.store.list(collection, { where: [], offset: 0, limit: 1 });
  return { status: 200, type: 'application/json', body: text.slice(1, -1), version: '' };
});

export const verbsMutants = mutants('repairs', allowed, 'created-can-be-read', [
  ['ticket-lost', 'a ticket that is created is not stored', store(() => ({ create: acknowledgeCreate }))],
  [
    'subject-cut',
    'subjects are cut',
    'created-equals-sent',
    storedMember<string>('subject', (text) => text.slice(0, 8)),
  ],
  [
    'ticket-as-200',
    'a ticket that is created is answered with 200',
    'status',
    inTickets(answerAs('create', 200)),
  ],
  [
    'edit-in-vain',
    'what is edited stays as it was',
    'replaced-is-replaced',
    store((all) => ({ change: acknowledge(all) })),
  ],
  [
    'edit-merges',
    'what is edited keeps what was left out',
    'replaced-is-replaced',
    { actions: { ...defaultParts.actions, replace: defaultParts.actions.update } },
  ],
  [
    'other-ticket',
    'a ticket that is read has another id',
    'path-id',
    inTickets(
      responseBody(
        'read',
        convert<number>('ticketId', (id) => id + 1),
      ),
    ),
  ],
  ['any-ticket', 'whatever the id is, a ticket is found', 'unknown-id', inTickets(found)],
  [
    'tickets-twice',
    'the first ticket is listed twice',
    'distinct-ids',
    inTickets(responseBody('list', (all) => [...[all].flat().slice(0, 1), ...[all].flat()])),
  ],
  [
    'any-subject',
    'tickets are created without looking at what they are',
    ['invalid-refused', 'schema'],
    skipValidation(['POST']),
  ],
  [
    'any-change',
    'tools are changed without looking at what to',
    'invalid-refused',
    skipValidation(['PATCH']),
  ],
  [
    'tools-for-all',
    'tools are changed without a credential',
    'unauthorised-first',
    skipAuthentication('PATCH'),
  ],
  ['no-tools', 'no tool is ever added', 'status', always('POST', 500, '/tools')],
]);

/** Of tools nothing is documented but what is sent. */
const toldAsText: MockFault = {
  reply(operation, contract) {
    const finish = defaultParts.reply(operation, contract);
    const isMeant = operation?.path.startsWith('/tools');
    return (content) =>
      finish(isMeant && content.status < 300 ? { ...content, type: 'text/plain', body: 'done' } : content);
  },
};

const toolsForgotten = store(({ create }) => ({
  create: (collection, given) =>
    collection.name === '/tools' ? acknowledgeCreate(collection, given) : create(collection, given),
}));

export const verbsLookalikes = lookalikes('repairs', allowed, [
  ['tickets-stay', 'what a verb alone says is removed is still there', keepRemoved],
  ['tools-as-text', 'of tools nothing is told but a text', toldAsText],
  ['tools-forgotten', 'tools are not stored', toolsForgotten],
]);
