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
} from '../mock-faults.ts';
import { convert, type Data, type RecordChange, set, without, withoutNulls } from '../record-changes.ts';
import { differences, lookalikes, mutants, named, only, product, type Service, using } from '../suspect.ts';

const [fleet, libraries] = [mockOf('fleet.yaml'), mockOf('libraries.yaml')];
const [warehouse, notices] = [mockOf('warehouse.yaml'), mockOf('notices/openapi.yaml')];

/** An action stores the read-only members that a client sends. */
const keepSent = (service: Service<MockFault>, writes: ActionName) =>
  using(only(service, '-sent$'), (member: string) => {
    const kept = new Map<string, unknown>();
    return inEach(['create', 'read', 'replace', 'update'], (name) =>
      response(name, (reply, task, { collection }) => {
        const record = parseJson(String(reply.body)) as Data;
        const id = String(record[collection.resource.id?.property ?? '']);
        const { body } = task.values;
        if (writes === name && isRecord(body) && member in body) kept.set(id, body[member]);
        // If the create is not the faulty action, its response is right, but reads show what was sent.
        return kept.has(id)
          ? { ...reply, body: stringifyJson({ ...record, [member]: kept.get(id) }) }
          : reply;
      }),
    );
  });
const OF_VEHICLES = ['id', 'registered', 'registeredOn', 'revision', 'verified', 'grade', 'inventoryNo'];

/** The response is right, but null members keep their old values. */
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

/** A method of the store ignores the parents of a record. */
const anyParent = (method: 'read' | 'list'): MockFault =>
  store(({ read, list }) => {
    const all: Pick<Store, typeof method> = {
      read: (collection, id) => read(collection, id, []),
      list: (collection, { where, ...query }) =>
        list(collection, { ...query, where: where.filter(({ key }) => !key.startsWith('{')) }),
    };
    return { [method]: all[method] };
  });
const nested = (service: Service<MockFault>) => using(only(service, 'apart-by-parent'), anyParent);

/** A vehicle has the kind of another form. */
const otherKind = convert('kind', (kind) => (kind === 'bicycle' ? 'Van' : 'bicycle'));
const otherBicycle = (record: Data) => (record.kind === 'bicycle' ? otherKind(record) : record);

/** Accepts bodies that violate only this keyword at this place. */
const acceptKeyword = (place: string): MockFault => {
  const [pointer = '', keyword] = place.split(' ');
  return skipValidation(['POST', 'PUT', 'PATCH'], ({ violations }) =>
    violations.every((violation) => violation.keyword === keyword && violation.pointer.startsWith(pointer)),
  );
};
const OF_TRIPS = [' minProperties', '/kilometres exclusiveMinimum'];
const OF_NOTICES = ['/phone pattern', '/pauseMinutes multipleOf', '/url format', '/topics uniqueItems'];
const keywords = (service: Service<MockFault>) => using(only(service, '/(?:400|422)/'), acceptKeyword);
const SENT = ['read-only-ignored', 'location'] as const;
const NULLS = ['null-removes', 'merged-is-merged'] as const;
const BELOW = ['apart-by-parent', 'unknown-id'] as const;
const valuesMutants = [
  ...product(named([...OF_VEHICLES, 'noted', 'ordered', 'article_no']), SENT, [
    ['fleet-read-only-created', keepSent(fleet, 'create'), OF_VEHICLES],
    ['fleet-read-only-replaced', keepSent(fleet, 'replace'), ['id', 'revision']],
    ['fleet-read-only-patched', keepSent(fleet, 'update'), ['noted', 'id']],
    ['warehouse-read-only-created', keepSent(warehouse, 'create'), ['article_no']],
    ['notices-read-only-replaced', keepSent(notices, 'replace'), ['ordered']],
  ]),
  // In a documented merge patch, null removes.
  ...mutants('libraries-null', only(libraries, '-null$'), NULLS, {
    'is-ignored': ['null is ignored', requestBody('update', withoutNulls)],
  }),
  ...mutants('fleet-null', only(fleet, '-null$'), NULLS, {
    'is-not-stored': ['what null has removed comes back', forgetNulls],
  }),
  ...product(named(['list', 'read']), BELOW, [
    ['libraries-below-any', nested(libraries), ['list']],
    ['fleet-below-any', nested(fleet), ['read']],
  ]),
  ...mutants('fleet-discriminator', only(fleet, 'Vehicle'), 'discriminator', {
    created: ['the kind of a created vehicle is another', responseBody('create', otherKind)],
    'one-listed': ['that of listed bicycles is', responseBody('list', eachOf('vehicles', otherBicycle))],
  }),
  ...product(named([...OF_TRIPS, ...OF_NOTICES]), 'invalid-refused', [
    ['fleet-accepted', keywords(fleet), OF_TRIPS],
    ['notices-accepted', keywords(notices), OF_NOTICES],
  ]),
];

const hasNull = (body: Data) => Object.values(body).includes(null);
const READ_ONLY = 'id registered registeredOn revision verified grade inventoryNo noted'.split(' ');
const hasReadOnly = (body: Data) => READ_ONLY.some((name) => name in body);

/** The service computes read-only members at each read. */
const counted = (member: string): MockFault => {
  let revision = 1;
  return responseBody('replace', (record) => ({ ...record, [member]: ++revision }));
};

/** Differences between services in null, read-only members and ids. */
const DIFFERENCES = {
  'null refused': refuseIf('update', hasNull),
  'read only refused': refuseIf('create', hasReadOnly),
  'revision counted': counted('revision'),
  'more members': responseBody('list', eachOf('vehicles', set('_links', { self: '/x' }))),
};
const valuesLookalikes = differences(DIFFERENCES, [
  ['libraries-values', libraries, ['read only refused']],
  ['fleet-values', fleet, Object.keys(DIFFERENCES).filter((phrase) => phrase !== 'read only refused')],
]);

/** Records are read in an envelope, but written without one. */
const memberships = mockOf('memberships.yaml', { count: 5 });
const inside = (change: RecordChange) => convert<Data>('member', change);

/** Changes how an action shows the record. */
const showAs = (name: ActionName, change: RecordChange): MockFault => ({
  ...responseBody(name, name === 'list' ? eachOf('members', change) : inside(change)),
  visible: () => undefined,
});
const shownBy = (name: ActionName) => using(memberships, (change: RecordChange) => showAs(name, change));
/** Changes how the body of a write is read. */
const written = (name: ActionName, change: RecordChange) =>
  requestBody(name, inside(change) as (body: Data) => Data);
const FORMS = {
  password: ['write-only-hidden', set('password', 'open sesame')],
  'passphrase of kin': ['write-only-hidden', set('kin', { name: 'Ada', passphrase: 'open sesame' })],
  'plan as its id': [set('plan', 7)],
  'no envelope': [without('name')],
} as const;

const membershipsMutants = [
  ...product<RecordChange>(FORMS, 'schema', [
    ['memberships-admitted', shownBy('create'), ['password']],
    ['memberships-read', shownBy('read'), ['passphrase of kin', 'plan as its id', 'no envelope']],
    ['memberships-amended', shownBy('update'), ['password']],
    ['memberships-listed', shownBy('list'), ['passphrase of kin']],
  ]),
  ...mutants('memberships', memberships, 'created-equals-sent', {
    'no-kin': ['what a member is written with leaves out kin', written('create', without('kin'))],
    'amended-in-vain': ['a change is left out', 'merged-is-merged', written('update', () => ({}))],
  }),
];

const ALL = ['create', 'read', 'replace', 'update', 'list'] as const;
const everywhere = (change: RecordChange): MockFault => ({
  ...inEach(ALL, (name) => showAs(name, change)),
  visible: () => undefined,
});

export const values = {
  'read-only members, null, keywords': [valuesMutants, valuesLookalikes],
  'forms to write and forms to read': [
    membershipsMutants,
    lookalikes('memberships', using(memberships, everywhere), {
      masked: ['a password is shown as a mask', set('password', '********')],
      'bare-kin': ['passphrases are shown as empty texts', convert<Data>('kin', set('passphrase', ''))],
    }),
  ],
} as const;
