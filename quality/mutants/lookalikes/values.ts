import {
  eachOf,
  type MockFault,
  mockOf,
  refuseIf,
  responseBody,
  store,
  storedMembers,
} from '../mock-faults.ts';
import { type Data, set } from '../record-changes.ts';
import { differences } from '../suspect.ts';

const hasNull = (body: Data) => Object.values(body).includes(null);
const READ_ONLY = 'id registered registeredOn revision verified grade inventoryNo noted'.split(' ');
const hasReadOnly = (body: Data) => READ_ONLY.some((name) => name in body);

/** Read-only members are what the service makes of them, each time anew. */
const counted = (member: string): MockFault => {
  let revision = 1;
  return responseBody('replace', (record) => ({ ...record, [member]: ++revision }));
};

/** The ids that a service gives are of another form. */
const otherIds = (idOf: (given: unknown, ordinal: number) => unknown): MockFault =>
  store(({ create }) => {
    let ordinal = 0;
    return {
      create: (collection, given) => {
        const id = idOf(collection.idOf(900_000 + ++ordinal), ordinal) as string;
        return create(collection, { ...given, id });
      },
    };
  });
const upperCase = (id: unknown) => (typeof id === 'string' ? id.toUpperCase() : id);
const huge = (id: unknown, ordinal: number) =>
  typeof id === 'string' ? id : 2n ** 53n + BigInt(ordinal) * 1000n;

const REFUSED = [
  'null refused',
  'read only refused',
  'read only refused in put',
  'read only refused in patch',
];

/** What services do with null, with read-only members and with ids. */
export const valuesLookalikes = differences(
  {
    'null refused': refuseIf('update', hasNull),
    'read only refused': refuseIf('create', hasReadOnly),
    'read only refused in put': refuseIf('replace', hasReadOnly),
    'read only refused in patch': refuseIf('update', hasReadOnly),
    'null echoed': responseBody('update', (record) => ({ remark: null, ...record })),
    'ids in upper case': otherIds(upperCase),
    'ids beyond 2^53': otherIds(huge),
    'revision counted': counted('revision'),
    'always verified': storedMembers((members) =>
      'depot' in members ? { ...members, verified: true } : members,
    ),
    'more members': responseBody('list', eachOf('vehicles', set('_links', { self: '/x' }))),
  },
  [
    ['libraries-values', mockOf('libraries.yaml'), [...REFUSED, 'ids in upper case']],
    [
      'fleet-values',
      mockOf('fleet.yaml'),
      [...REFUSED, 'null echoed', 'ids beyond 2^53', 'revision counted', 'always verified', 'more members'],
    ],
  ],
);
