import { defaultParts } from '#mock';
import { isRecord, parseJson, stringifyJson } from '#spec';
import type { Answer, Ask } from '../by-hand/behaviour.ts';
import {
  type ActionName,
  action,
  eachOf,
  inEach,
  type MockFault,
  mockOf,
  requestBody,
  response,
  responseBody,
  type Store,
  skipValidation,
  store,
} from '../mock-faults.ts';
import { convert, type Data } from '../record-changes.ts';
import { error, petStore, respond } from '../shop-faults.ts';
import { mutants, only, type Service, using } from '../suspect.ts';

type Kept = readonly [member: string, ...writes: ActionName[]];

/** What a client sends in a read-only member is stored by these actions, and shown from then on. */
const keepSent = ([member, ...writes]: Kept): MockFault => {
  const kept = new Map<string, unknown>();
  return inEach(['create', 'read', 'replace', 'update'], (name) =>
    response(name, (given, task, { collection }) => {
      const record = parseJson(String(given.body)) as Data;
      const id = String(record[collection.resource.id?.property ?? '']);
      const { body } = task.values;
      if (writes.includes(name) && isRecord(body) && member in body) kept.set(id, body[member]);
      // A create that is not among the writes shows what is right, and reads show what was sent.
      return kept.has(id) ? { ...given, body: stringifyJson({ ...record, [member]: kept.get(id) }) } : given;
    }),
  );
};

const SENT = '-sent$';
const fleet = mockOf('fleet.yaml');
const libraries = mockOf('libraries.yaml');

const storedByFleet = mutants('fleet-read-only', using(only(fleet, SENT), keepSent), 'read-only-ignored', [
  ['uuid', 'the id of a vehicle is taken from the client', ['id', 'create']],
  ['date-time', 'the instant of registration is taken from the client', ['registered', 'create']],
  ['date', 'the day of registration is taken from the client', ['registeredOn', 'create']],
  ['integer', 'the revision is taken from the client', ['revision', 'create']],
  ['boolean', 'a flag is taken from the client', ['verified', 'create']],
  ['enum', 'the grade is taken from the client', ['grade', 'create']],
  ['text', 'the inventory number is taken from the client', ['inventoryNo', 'create']],
  ['replaced-uuid', 'PUT takes the id from the body', ['id', 'replace']],
  ['replaced-date-time', 'PUT takes the instant of registration', ['registered', 'replace']],
  ['replaced-integer', 'PUT takes the revision', ['revision', 'replace']],
  ['replaced-boolean', 'PUT takes a flag', ['verified', 'replace']],
  ['replaced-enum', 'PUT takes the grade', ['grade', 'replace']],
  ['patched-date-time', 'PATCH takes the instant when a trip was noted', ['noted', 'update']],
  ['patched-integer', 'PATCH takes the id of a trip', ['id', 'update']],
]);

const warehouse = mockOf('warehouse.yaml');
const notices = mockOf('notices/openapi.yaml');
const storing = (service: Service<MockFault>) => using(only(service, SENT), keepSent);
const LOCATED = ['read-only-ignored', 'location'] as const;

const storedByOthers = [
  ...mutants('libraries-read-only', storing(libraries), 'read-only-ignored', [
    ['created', 'the id of a book is taken from the client', ['id', 'create']],
    ['replaced', 'PUT takes the id from the body', ['id', 'replace']],
    ['patched', 'PATCH takes the id from the body', ['id', 'update']],
  ]),
  ...mutants('warehouse-read-only', storing(warehouse), LOCATED, [
    ['created', 'the number of an article is taken from the client', ['article_no', 'create']],
    ['replaced', 'PUT takes the number from the body', ['article_no', 'replace']],
  ]),
  ...mutants('notices-read-only', storing(notices), 'read-only-ignored', [
    ['uuid', 'the id of an order is taken from the client', ['id', 'create']],
    ['date-time', 'the instant of an order is taken from the client', ['ordered', 'create']],
    ['replaced', 'PUT takes the instant of an order', ['ordered', 'replace']],
  ]),
];

const NULL = ['null-removes', 'merged-is-merged'] as const;
const withoutNulls = (body: Data): Data =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));

/** The response is right, and what was null is still stored. */
const forgetNulls: MockFault = action('update', (act, context) => {
  const read = defaultParts.actions.read(context);
  return async (task) => {
    const body = task.values.body as Data;
    const before = await read?.(task);
    const outcome = await act(task);
    const nulls = Object.keys(body).filter((name) => body[name] === null);
    if ('refuse' in outcome || !before || 'refuse' in before || nulls.length === 0) return outcome;
    const old = parseJson(String(before.body)) as Data;
    const back = Object.fromEntries(nulls.flatMap((name) => (name in old ? [[name, old[name]]] : [])));
    await act({ ...task, values: { ...task.values, body: back } });
    return outcome;
  };
});

/** Where null is documented it removes; these do something else. */
const nullMutants = (prefix: string, service: Service<MockFault>) =>
  mutants(prefix, service, NULL, [
    ['null-ignored', 'null in a merge patch is ignored', requestBody('update', withoutNulls)],
    ['null-not-stored', 'null in a merge patch changes the response only', forgetNulls],
  ]);

/** A method of the store does not look at what a record belongs to. */
const anyParent = (method: 'read' | 'change' | 'remove' | 'list'): MockFault =>
  store(({ read, change, remove, list }) => {
    const all = {
      read: (collection, id) => read(collection, id, []),
      change: (collection, id, _, edit) => change(collection, id, [], (old) => ({ ...edit(old), scope: [] })),
      remove: (collection, id) => remove(collection, id, []),
      list(collection, query) {
        const where = query.where.filter(({ key }) => !key.startsWith('{'));
        return list(collection, { ...query, where });
      },
    } satisfies Partial<Store>;
    return { [method]: all[method] };
  });

const APART = 'apart-by-parent';

const apartMutants = (prefix: string, service: Service<MockFault>) =>
  mutants(prefix, using(service, anyParent), APART, [
    ['listed-anywhere', 'a nested record is listed below every parent', 'list'],
    ['read-anywhere', 'a nested record is read below every parent', 'read'],
    ['changed-anywhere', 'a nested record is changed below every parent', ['unknown-id', APART], 'change'],
    ['removed-anywhere', 'a nested record is removed below every parent', ['unknown-id', APART], 'remove'],
  ]);

const otherKind = convert('kind', (kind) => (kind === 'bicycle' ? 'Van' : 'bicycle'));

const listedAs = (change: (record: Data) => unknown) => responseBody('list', eachOf('vehicles', change));
const otherBicycle = (record: Data) => (record.kind === 'bicycle' ? otherKind(record) : record);

const discriminated = mutants('fleet-discriminator', only(fleet, 'Vehicle'), 'discriminator', [
  ['read', 'a vehicle that is read has the kind of another form', responseBody('read', otherKind)],
  ['created', 'a vehicle that is created has the kind of another form', responseBody('create', otherKind)],
  ['replaced', 'a vehicle that is replaced has the kind of another form', responseBody('replace', otherKind)],
  ['listed', 'listed vehicles have the kind of another form', listedAs(otherKind)],
  ['one-listed', 'only listed bicycles have the kind of another form', listedAs(otherBicycle)],
]);

type Keyword = readonly [pointer: string, keyword: string];

/** Bodies that break nothing but this keyword there are accepted. */
const acceptKeyword = ([pointer, keyword]: Keyword): MockFault =>
  skipValidation(['POST', 'PUT', 'PATCH'], ({ violations }) =>
    violations.every((one) => one.keyword === keyword && one.pointer.startsWith(pointer)),
  );

const BODIES = '/(?:400|422)/';

/** Where no branch of a body fits, the violation is that of the choice: bodies like this are accepted. */
const acceptVehicle = (matches: (body: Data, tags: readonly unknown[]) => boolean): MockFault =>
  skipValidation(['POST', 'PUT'], ({ body }) => {
    if (!isRecord(body)) return false;
    return matches(body, Array.isArray(body.tags) ? body.tags : ['AB-123']);
  });

const isOff = (pattern: RegExp, value: unknown) => typeof value === 'string' && !pattern.test(value);
const TAG = /^[A-Z]{2}-[0-9]{3}$/;
const INVALID = 'invalid-refused';

const vehicleKeywords = mutants('fleet-accepted', using(only(fleet, BODIES), acceptVehicle), INVALID, [
  ['tags-few', 'no tag is accepted where one is needed', (_, tags) => tags.length === 0],
  ['tags-many', 'more tags than allowed are accepted', (_, tags) => tags.length > 3],
  ['tags-twice', 'a tag is accepted twice', (_, tags) => new Set(tags).size < tags.length],
  ['tags-pattern', 'a tag of another form is accepted', (_, tags) => tags.some((tag) => isOff(TAG, tag))],
  ['plate-pattern', 'a plate of another form is accepted', ({ plate }) => isOff(/^FL-[0-9]{4}$/, plate)],
  ['frame-short', 'a short frame number is accepted', ({ frame }) => isOff(/^.{4}/, frame)],
  ['gears-many', 'more gears than allowed are accepted', ({ gears }) => Number(gears) > 30],
  ['seats-none', 'a van without seats is accepted', ({ seats }) => seats === 0],
]);

const tripKeywords = mutants('fleet-accepted', using(only(fleet, BODIES), acceptKeyword), INVALID, [
  ['patch-empty', 'an empty patch is accepted', ['', 'minProperties']],
  ['kilometres-none', 'a trip of no length is accepted', ['/kilometres', 'exclusiveMinimum']],
]);

const noticeKeywords = mutants('notices-accepted', using(only(notices, BODIES), acceptKeyword), INVALID, [
  ['phone-pattern', 'a phone number of another form is accepted', ['/phone', 'pattern']],
  ['pause-step', 'any pause is accepted', ['/pauseMinutes', 'multipleOf']],
  ['pause-long', 'any long pause is accepted', ['/pauseMinutes', 'maximum']],
  ['url-format', 'any text is accepted as a URL', ['/url', 'format']],
  ['secret-short', 'a short secret is accepted', ['/secret', 'minLength']],
  ['address-format', 'any text is accepted as an address', ['/address', 'format']],
  ['topics-twice', 'a topic is accepted twice', ['/topics', 'uniqueItems']],
]);

const idOf = ({ path }: Ask) => {
  const text = decodeURIComponent(path.slice('/pets/'.length));
  return /^-?\d+$/.test(text) ? BigInt(text) : 0n;
};
const somebody = { status: 200, body: { id: 201n, name: 'Juniper 1', categoryId: 1n } };
const between = ([low, high, instead]: readonly [low: bigint, high: bigint, instead: Answer]) =>
  respond('read', (ask) => idOf(ask) > low && idOf(ask) < high, instead);
const INT64 = 2n ** 63n;
const UNKNOWN = ['unknown-id', 'path-id', 'status'] as const;
const random = using({ ...petStore, options: { only: '^getPet/404/random' } }, between);

/** Far ids that are neither bounds nor near a record. */
const randomIds = mutants('random-id', random, UNKNOWN, [
  ['huge-500', 'most ids beyond 2^24 get 500', [2n ** 24n, INT64 - 1n, error(500)]],
  ['negative-500', 'most negative ids get 500', [1n - INT64, -(2n ** 20n), error(500)]],
  ['huge-found', 'most ids beyond 2^24 find the first', [2n ** 24n, INT64, somebody]],
  ['negative-400', 'most negative ids get 400', [1n - INT64, -2n, error(400)]],
]);

export const valuesMutants = [
  ...storedByFleet,
  ...storedByOthers,
  ...nullMutants('libraries', only(libraries, '-null$')),
  ...nullMutants('fleet', only(fleet, '-null$')),
  ...apartMutants('libraries-nested', only(libraries, 'apart-by-parent')),
  ...apartMutants('fleet-nested', only(fleet, 'apart-by-parent')),
  ...discriminated,
  ...vehicleKeywords,
  ...tripKeywords,
  ...noticeKeywords,
  ...randomIds,
];
