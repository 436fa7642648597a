import { defaultParts } from '#mock';
import { isRecord, parseJson, stringifyJson } from '#spec';
import {
  type ActionName,
  action,
  eachOf,
  inEach,
  type MockFault,
  mockOf,
  refuseIf,
  requestBody,
  response,
  responseBody,
  type Store,
  skipValidation,
  store,
  storedMembers,
} from '../mock-faults.ts';
import { convert, type Data, set } from '../record-changes.ts';
import {
  differences,
  mutants,
  named,
  type Operators,
  only,
  product,
  type Service,
  using,
} from '../suspect.ts';

const [fleet, libraries] = [mockOf('fleet.yaml'), mockOf('libraries.yaml')];
const [warehouse, notices] = [mockOf('warehouse.yaml'), mockOf('notices/openapi.yaml')];

/** What a client sends in a read-only member is stored by one action, and shown from then on. */
const keepSent = (service: Service<MockFault>, writes: ActionName) =>
  using(only(service, '-sent$'), (member: string) => {
    const kept = new Map<string, unknown>();
    return inEach(['create', 'read', 'replace', 'update'], (name) =>
      response(name, (given, task, { collection }) => {
        const record = parseJson(String(given.body)) as Data;
        const id = String(record[collection.resource.id?.property ?? '']);
        const { body } = task.values;
        if (writes === name && isRecord(body) && member in body) kept.set(id, body[member]);
        // A create that is not the one that writes shows what is right, and reads show what was sent.
        return kept.has(id)
          ? { ...given, body: stringifyJson({ ...record, [member]: kept.get(id) }) }
          : given;
      }),
    );
  });

const BY_PUT = ['id', 'registered', 'revision', 'verified', 'grade'];
const OF_VEHICLES = ['id', 'registered', 'registeredOn', 'revision', 'verified', 'grade', 'inventoryNo'];

const readOnly = product(
  named([...OF_VEHICLES, 'noted', 'ordered', 'article_no']),
  ['read-only-ignored', 'location'],
  [
    ['fleet-read-only-created', keepSent(fleet, 'create'), OF_VEHICLES],
    ['fleet-read-only-replaced', keepSent(fleet, 'replace'), BY_PUT],
    ['fleet-read-only-patched', keepSent(fleet, 'update'), ['noted', 'id']],
    ['libraries-read-only-created', keepSent(libraries, 'create'), ['id']],
    ['libraries-read-only-replaced', keepSent(libraries, 'replace'), ['id']],
    ['libraries-read-only-patched', keepSent(libraries, 'update'), ['id']],
    ['warehouse-read-only-created', keepSent(warehouse, 'create'), ['article_no']],
    ['warehouse-read-only-replaced', keepSent(warehouse, 'replace'), ['article_no']],
    ['notices-read-only-created', keepSent(notices, 'create'), ['id', 'ordered']],
    ['notices-read-only-replaced', keepSent(notices, 'replace'), ['ordered']],
  ],
);

/** The response is right, and what was null is still stored. */
const forgetNulls: MockFault = action('update', (act, context) => {
  const read = defaultParts.actions.read(context);
  return async (task) => {
    const before = await read?.(task);
    const outcome = await act(task);
    if ('refuse' in outcome || !before || 'refuse' in before) return outcome;
    const old = parseJson(String(before.body)) as Data;
    const nulls = Object.entries(task.values.body as Data).filter(
      ([name, value]) => value === null && name in old,
    );
    const back = Object.fromEntries(nulls.map(([name]) => [name, old[name]]));
    if (nulls.length > 0) await act({ ...task, values: { ...task.values, body: back } });
    return outcome;
  };
});

const withoutNulls = (body: Data) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));

/** Where null is documented in a merge patch, it removes. */
const NULLS: Operators<MockFault> = {
  'is ignored': [requestBody('update', withoutNulls)],
  'is not stored': [forgetNulls],
};

/** A method of the store does not look at what a record belongs to. */
const anyParent = (method: 'read' | 'change' | 'remove' | 'list'): MockFault =>
  store(({ read, change, remove, list }) => {
    const all: Pick<Store, typeof method> = {
      read: (collection, id) => read(collection, id, []),
      change: (collection, id, _, edit) => change(collection, id, [], edit),
      remove: (collection, id) => remove(collection, id, []),
      list: (collection, { where, ...query }) =>
        list(collection, { ...query, where: where.filter(({ key }) => !key.startsWith('{')) }),
    };
    return { [method]: all[method] };
  });

const otherKind = convert('kind', (kind) => (kind === 'bicycle' ? 'Van' : 'bicycle'));
const otherBicycle = (record: Data) => (record.kind === 'bicycle' ? otherKind(record) : record);
const listed = (change: (record: Data) => unknown) => responseBody('list', eachOf('vehicles', change));

/** A vehicle is shown with the kind of another form. */
const discriminated = mutants('fleet-discriminator', only(fleet, 'Vehicle'), 'discriminator', [
  ['read', 'the kind of a vehicle that is read is another', responseBody('read', otherKind)],
  ['created', 'the kind of a created vehicle is another', responseBody('create', otherKind)],
  ['replaced', 'the kind of a replaced vehicle is another', responseBody('replace', otherKind)],
  ['listed', 'the kind of listed vehicles is another', listed(otherKind)],
  ['one-listed', 'the kind of listed bicycles is another', listed(otherBicycle)],
]);

/** Where no branch of a body fits, the violation is that of the choice: bodies like this are accepted. */
const accepting = using(
  only(fleet, '/(?:400|422)/'),
  (matches: (body: Data, tags: readonly unknown[]) => boolean) =>
    skipValidation(['POST', 'PUT'], ({ body }) =>
      isRecord(body) ? matches(body, Array.isArray(body.tags) ? body.tags : ['AB-123']) : false,
    ),
);
const isOff = (pattern: RegExp, value: unknown) => typeof value === 'string' && !pattern.test(value);

const TAG = /^[A-Z]{2}-[0-9]{3}$/;

const vehicleKeywords = mutants('fleet-accepted', accepting, 'invalid-refused', [
  ['tags-few', 'no tag is accepted where one is needed', (_, tags) => tags.length === 0],
  ['tags-many', 'more tags than allowed are accepted', (_, tags) => tags.length > 3],
  ['tags-twice', 'a tag is accepted twice', (_, tags) => new Set(tags).size < tags.length],
  ['tags-pattern', 'other tags are accepted', (_, tags) => tags.some((tag) => isOff(TAG, tag))],
  ['plate-pattern', 'a plate of another form is accepted', ({ plate }) => isOff(/^FL-[0-9]{4}$/, plate)],
  ['frame-short', 'a short frame number is accepted', ({ frame }) => isOff(/^.{4}/, frame)],
  ['gears-many', 'more gears than allowed are accepted', ({ gears }) => Number(gears) > 30],
  ['seats-none', 'a van without seats is accepted', ({ seats }) => seats === 0],
]);

/** Bodies that break nothing but this keyword there are accepted. */
const acceptKeyword = (place: string): MockFault => {
  const [pointer = '', keyword] = place.split(' ');
  return skipValidation(['POST', 'PUT', 'PATCH'], ({ violations }) =>
    violations.every((one) => one.keyword === keyword && one.pointer.startsWith(pointer)),
  );
};
const OF_TRIPS = [' minProperties', '/kilometres exclusiveMinimum'];
const OF_NOTICES = [
  ...['/phone pattern', '/pauseMinutes multipleOf', '/pauseMinutes maximum', '/url format'],
  ...['/secret minLength', '/address format', '/topics uniqueItems'],
];
const keywords = (service: Service<MockFault>) => using(only(service, '/(?:400|422)/'), acceptKeyword);
const nested = (service: Service<MockFault>) => using(only(service, 'apart-by-parent'), anyParent);

export const valuesMutants = [
  ...readOnly,
  ...product(
    NULLS,
    ['null-removes', 'merged-is-merged'],
    [
      ['libraries-null', only(libraries, '-null$')],
      ['fleet-null', only(fleet, '-null$')],
    ],
  ),
  ...product(
    named(['list', 'read', 'change', 'remove']),
    ['apart-by-parent', 'unknown-id'],
    [
      ['libraries-below-any', nested(libraries)],
      ['fleet-below-any', nested(fleet)],
    ],
  ),
  ...discriminated,
  ...vehicleKeywords,
  ...product(named([...OF_TRIPS, ...OF_NOTICES]), 'invalid-refused', [
    ['fleet-accepted', keywords(fleet), OF_TRIPS],
    ['notices-accepted', keywords(notices), OF_NOTICES],
  ]),
];

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
