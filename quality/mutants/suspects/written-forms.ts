import { defaultParts } from '#mock';
import { isRecord, parseJson, stringifyJson } from '#spec';
import {
  type ActionName,
  eachOf,
  inEach,
  type MockFault,
  mockOf,
  requestBody,
  response,
  responseBody,
} from '../mock-faults.ts';
import { convert, type Data, type RecordChange, set, without } from '../record-changes.ts';
import { lookalikes, mutants, product, using } from '../suspect.ts';

// Faults between the form in which a record is written and the one in which it is read.

const memberships = mockOf('memberships.yaml', { count: 5 });

/** A change of the record in the envelope that bodies are. */
const inside = (change: RecordChange) => convert<Data>('member', change);

/** The record is shown in another way. */
const shown = (name: ActionName, change: RecordChange): MockFault => ({
  ...responseBody(name, name === 'list' ? eachOf('members', change) : inside(change)),
  visible: (_, act) => act,
});
const shownBy = (name: ActionName) => using(memberships, (change: RecordChange) => shown(name, change));

/** What clients write is read in another way. */
const written = (name: ActionName, change: (record: Data) => Data) =>
  requestBody(name, inside(change) as (body: Data) => Data);

const SECRETS = {
  password: [set('password', 'open sesame')],
  'passphrase of kin': [set('kin', { name: 'Ada', passphrase: 'open sesame' })],
} as const;

const FORMS = {
  'plan as its id': [set('plan', 7)],
  'locker as text': [set('locker', '17')],
  'nickname null': [set('nickname', null)],
  'no envelope': [without('name')],
} as const;

/** Shows from then on what a create has sent in a member that only the service sets. */
const takesJoined = (): MockFault => {
  const joined = new Map<unknown, unknown>();
  return inEach(['create', 'read', 'replace', 'update'], (name) =>
    response(name, (given, task) => {
      const body = parseJson(String(given.body)) as { member?: Data };
      const sent = isRecord(task.values.body) ? (task.values.body.member as Data | undefined) : undefined;
      if (!body.member) return given;
      const id = body.member.memberId;
      if (name === 'create' && sent?.joined !== undefined) joined.set(id, sent.joined);
      if (!joined.has(id)) return given;
      return { ...given, body: stringifyJson({ member: { ...body.member, joined: joined.get(id) } }) };
    }),
  );
};

/** A replacement is merged into what is there. */
const merging: MockFault = { actions: { ...defaultParts.actions, replace: defaultParts.actions.update } };

export const writtenFormsMutants = [
  ...product(SECRETS, 'write-only-hidden', [
    ['memberships-admitted', shownBy('create')],
    ['memberships-read', shownBy('read')],
    ['memberships-renewed', shownBy('replace')],
    ['memberships-amended', shownBy('update')],
    ['memberships-listed', shownBy('list')],
  ]),
  ...product(FORMS, 'schema', [
    ['memberships-read', shownBy('read')],
    ['memberships-listed', shownBy('list')],
  ]),
  ...mutants('memberships', memberships, 'created-equals-sent', [
    ['no-kin', 'what a member is written with leaves out kin', written('create', without('kin'))],
    ['no-nickname', 'nicknames are not stored', written('create', without('nickname'))],
    [
      'amended-in-vain',
      'what a change has in its envelope is left out',
      'merged-is-merged',
      written('update', () => ({})),
    ],
    [
      'renewed-by-name',
      'of what replaces a member the name is stored alone',
      'replaced-is-replaced',
      written('replace', ({ name, password }) => ({ name, password })),
    ],
    [
      'renewed-in-part',
      'what replaces a member leaves what it does not name',
      'replaced-is-replaced',
      merging,
    ],
  ]),
  ...mutants(
    'memberships',
    using(memberships, (make: () => MockFault) => make()),
    'read-only-ignored',
    [['joined-taken', 'a client says when a member has joined', takesJoined]],
  ),
];

const ALL = ['create', 'read', 'replace', 'update', 'list'] as const;
const everywhere = (change: RecordChange): MockFault => ({
  ...inEach(ALL, (name) => shown(name, change)),
  visible: (_, act) => act,
});

export const writtenFormsLookalikes = lookalikes('memberships', using(memberships, everywhere), [
  ['masked', 'a password is shown as a mask', set('password', '********')],
  ['no-secret', 'a password is shown as nothing', set('password', null)],
  ['bare-kin', 'passphrases are shown as empty texts', convert<Data>('kin', set('passphrase', ''))],
  ['no-lockers', 'lockers, which are written as texts, are not shown', without('locker')],
  ['plan-of-year', 'a plan shows more than is documented', convert<Data>('plan', set('year', 2026))],
]);
