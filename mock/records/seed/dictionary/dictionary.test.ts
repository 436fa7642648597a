import { expect, test } from 'vitest';
import { randomOf, seedOf } from '#spec';
import { schemaInUse } from '../../../../spec/testing/contract-of.ts';
import { ask, documentOf, serveText } from '../../../testing/serve.ts';
import { createLibrary } from '../fake.ts';
import { apart, lookUpNumber, OF_MEMBERS, OF_NUMBERS, OF_THINGS } from './look-up.ts';
import { made } from './makers.ts';

test('every row of the table gives a value', async () => {
  const { shape } = await schemaInUse({ type: 'object', properties: { city: { type: 'string' } } });
  const owner = { shape, name: 'thing', seed: seedOf('a'), above: undefined };
  const library = createLibrary({ locale: 'en', now: 0 });
  const words = { name: 'a_name', qualifier: 'a', entity: 'order', around: 'b' };
  for (const table of [OF_MEMBERS, OF_THINGS, OF_NUMBERS])
    for (const what of table.values()) {
      const random = randomOf(what);
      const subject = { ...words, owner, holder: owner, shape, random, library };
      const value = made(what, subject);
      expect(value, what).toBeDefined();
      expect(String(value), what).not.toMatch(/[{}#|]|^[~?@]|undefined|\[object/);
    }
});

test('a file is called after a picture of it without an end', async () => {
  const { shape } = await schemaInUse({ type: 'object', properties: { file: { type: 'string' } } });
  const owner = { shape, name: 'file', seed: seedOf('a'), above: undefined };
  const library = createLibrary({ locale: 'en', now: 0 });
  const words = { name: 'image_file', qualifier: 'image', around: '', entity: 'file' };
  const subject = { ...words, owner, holder: owner, shape, random: randomOf('file'), library };
  expect(made('@fileName', subject)).toMatch(/^[a-z-]+\.(?:png|jpg)$/);
});

test('a number that is called after one thing is a reference, and counts nothing', () => {
  expect(lookUpNumber('ticket')).toBeUndefined();
  expect(lookUpNumber('tickets')?.what).toBe(lookUpNumber('total_tickets')?.what);
  expect(lookUpNumber('quality_rating_avg')?.what).toBe(lookUpNumber('rating')?.what);
  expect(lookUpNumber('cpu_percent_threshold')?.what).toBe(lookUpNumber('percent')?.what);
});

test('a name in one word is read as the two that it consists of', () => {
  const names = ['imageurl', 'menuname', 'menuid', 'username', 'photos', 'capacity', 'postscriptum'];
  expect(names.map(apart)).toEqual([
    ...['image_url', 'menu_name', 'menu_id'],
    ...['username', 'photos', 'capacity', 'postscriptum'],
  ]);
});

test('what is beside others in a count of them is a whole number of these', async () => {
  const count = { type: 'object', required: ['notes'], properties: { notes: { type: 'number' } } };
  const schema = {
    type: 'object',
    required: ['_count'],
    properties: { id: { type: 'integer' }, _count: count },
  };
  const content = { 'application/json': { schema: { type: 'array', items: schema } } };
  const paths = { '/topics': { get: { responses: { 200: { description: 'Topics', content } } } } };
  const { body } = await ask(await serveText(documentOf(paths), { count: 9 }), 'GET /topics');
  for (const { _count } of body) expect(_count.notes % 1).toBe(0);
});

type Texts = Record<string, string>;

/** Forty records of a schema with these members. */
async function recordsOf(schema: string, ...members: readonly string[]): Promise<Texts[]> {
  const texts = members.map((name) => [name, { type: 'string' }]);
  const properties = { id: { type: 'integer' }, ...Object.fromEntries(texts) };
  const named = { type: 'object', required: members, properties };
  const content = {
    'application/json': { schema: { type: 'array', items: { $ref: `#/components/schemas/${schema}` } } },
  };
  const paths = { '/records': { get: { responses: { 200: { description: 'Records', content } } } } };
  const document = documentOf(paths, { components: { schemas: { [schema]: named } } });
  return (await ask(await serveText(document, { count: 40 }), 'GET /records')).body;
}

test('of a kind that is not known, what has people’s members is one', async () => {
  const [record] = await recordsOf('Karyawan', 'name', 'email');
  expect(record?.name).toMatch(/^\S+ \S/);
  expect(record?.name).not.toMatch(/karyawan/);
});

test('goods of one name are of one category', async () => {
  const records = await recordsOf('Order', 'product', 'category');
  const categories = new Map(
    records.map(({ product = '', category }) => [product.replace(/^\w+ /, ''), category]),
  );
  expect(categories.size).toBeGreaterThan(10);
  for (const { product = '', category } of records)
    expect(category).toBe(categories.get(product.replace(/^\w+ /, '')));
});

const GOODS = /Lamp|Chair|Kettle|Bookshelf|Jacket|Mug|Clock|Candlestick/;

const CASES: [schema: string, member: string, some: RegExp, none: RegExp][] = [
  ['Product', 'name', GOODS, /Bella|Max|Cat$/],
  ['Pet', 'name', /^\p{Lu}\p{Ll}+$/u, GOODS],
  ['PetType', 'name', /^(?:Cat|Dog|Hamster)$/, GOODS],
  ['Folder', 'name', /^(?:Invoices|Photos|Receipts)$/, GOODS],
  ['MenuItem', 'itemName', /Salad|Soup|Tofu|Pie|Pasta|Curry/, GOODS],
  ['OrderItem', 'productName', GOODS, /^OrderItem/],
  ['Owner', 'petName', /^\p{Lu}\p{Ll}+$/u, GOODS],
  ['InventoryTransaction', 'transactionType', /^(?:Purchase|Refund|Transfer)$/, /Premium|Deluxe/],
  ['Invoice', 'status', /^(?:paid|overdue)$/, /active/],
  ['Country', 'code', /^[A-Z]{2}$/, /^.{3}/],
  ['Employee', 'department', /^(?:Finance|Legal|Sales)$/, /Kitchen/],
  ['Producto', 'nombre', GOODS, /^nombre|Golden/],
  ['Kunde', 'straße', /^\d+ \p{Lu}/u, GOODS],
  ['Film', 'genre', /^(?:Comedy|Drama)$/, /House|Rock/],
  ['Zorb', 'zorbedBy', /^\p{Lu}\S+ \p{Lu}/u, /^Zorbed/],
  ['Zorb', 'display_name', /^\p{Lu}\p{Ll}+ zorb$/u, / \p{Lu}/u],
  ['User', 'displayName', /^\S+ \S/, /user|[dD]isplay/],
  ['Zorb', 'name', /^\p{Lu}\p{Ll}+ zorb$/u, /\d/],
  ['Car', 'brandName', /^(?:Ford|Volvo|Fiat|Audi|BMW)$/, / - |LLC/],
  ['Patient', 'dateOfBirth', /^(?:19|20)\d\d-/, /birth/],
  ['Booking', 'bookingTime', /^20\d\d-/, /^\d+$/],
  ['Specialization', 'value', /^(?:Cardiology|Surgery)$/, /^(?:on|dark)$/],
  ['Seat', 'category', /^(?:Balcony|VIP)$/, /Clothing|Lighting/],
  ['Cafe', 'branchName', /Store|Depot/, /\/|^main$/],
  ['Build', 'gitBranch', /^(?:main|develop)$/, /Store/],
  ['Team', 'name', /Badgers|Falcons|Foxes|Otters/, GOODS],
];

test.each(CASES)('%s: %s is what such a thing is called', async (schema, member, some, none) => {
  const records = await recordsOf(schema, member);
  const values = records.map(({ [member]: value = '' }) => value);
  expect(values.filter((value) => some.test(value))).not.toEqual([]);
  expect(values.filter((value) => none.test(value))).toEqual([]);
});

type Member = readonly [name: string, schema: object, want: RegExp];

const SAID: readonly Member[] = [
  [
    'driver',
    { description: 'The driver: one of "sqlite", "mysql" or "postgres". A "fork" is none.' },
    /^(?:sqlite|mysql|postgres)$/,
  ],
  ['rated', { description: 'Who may see it:\n- `minor` - all\n- `adult` - from 18' }, /^(?:minor|adult)$/],
  ['classification', { example: 'PG-13' }, /^PG-13$/],
  ['proof_of_payment', { example: 'transfer.jpg' }, /^[a-z-]+\.jpg$/],
  ['giver_user', { example: '621f802b813dbdba9eeaf7d7' }, /^\d{3}[a-f]\d{3}/],
  ['author', { description: 'The resource name. Format: users/{user}' }, /^users\/\w+$/],
  ['zorb', { description: 'The command to run before the start.' }, /npm|make|python|deploy|pip/],
  ['zorb', {}, /^Zorb \d+$/],
  ['theme_zorb', {}, /^(?:Dawn|Forest|Graphite|Midnight|Ocean|Paper|Sand|Solar)$/],
  ['is_zorb', {}, /^(?:true|false)$/],
  ['price', { format: 'decimal', pattern: '^-?\\d{0,8}(?:\\.\\d{0,2})?$' }, /^\d{1,4}\.\d\d$/],
  ['zorb', { format: 'decimal', pattern: '^-?\\d{0,8}(?:\\.\\d{0,2})?$' }, /^\d{1,3}\.\d\d$/],
  ['hora_salida', {}, /^\d\d:\d\d$/],
  ['zorb_date', { format: 'zorb-date' }, /^20\d\d-\d\d-\d\d$/],
  ['zorb', { description: 'Day of the zorb. Format: DD/MM/YYYY.' }, /^[0-3]\d\/[01]\d\/20\d\d$/],
  ['zorb', { description: 'From and to, as YYYY-MM-DD,YYYY-MM-DD' }, /^Zorb \d+$/],
  ['edited_time', { pattern: '^\\d{4}-?\\d\\d' }, /^20\d\d-\d\d-\d\dT/],
  ['opening_time', { format: 'time' }, /^(?:0[789]|1[012]):[03]0:00/],
];

test.each(SAID)('%s, of which the schema says %o', async (name, schema, want) => {
  const properties = { id: { type: 'integer' }, [name]: { type: 'string', ...schema } };
  const shape = { type: 'object', required: [name], properties };
  const content = { 'application/json': { schema: { type: 'array', items: shape } } };
  const paths = { '/records': { get: { responses: { 200: { description: 'Records', content } } } } };
  const { body } = await ask(await serveText(documentOf(paths), { count: 12 }), 'GET /records');
  for (const { [name]: value } of body as Texts[]) expect(value).toMatch(want);
});

const DATES = ['created_at', 'upcoming_visit_at', 'due_date', 'start_time', 'end_time'];

test.each([
  ['2031-05-20', Date.UTC(2031, 4, 20)],
  ['today', Date.now()],
])('dates are around the day of the mock, %s, some after it', async (now, moment) => {
  const properties = Object.fromEntries(DATES.map((name) => [name, { type: 'string', format: 'date-time' }]));
  const schema = { type: 'object', required: DATES, properties: { id: { type: 'integer' }, ...properties } };
  const content = {
    'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Event' } } },
  };
  const paths = { '/events': { get: { responses: { 200: { description: 'Events', content } } } } };
  const document = documentOf(paths, { components: { schemas: { Event: schema } } });
  const { body } = await ask(await serveText(document, { count: 40, now }), 'GET /events');
  const all = (body as Texts[]).map((one) => DATES.map((name) => Date.parse(one[name] ?? '')));
  for (const [created = 0, upcoming = 0, due = 0, start = 0, end = 0] of all) {
    expect(created).toBeLessThan(Math.min(moment, due, start));
    expect(upcoming).toBeGreaterThan(moment - 86_400_000);
    expect(start).toBeLessThan(end);
  }
  for (const at of [2, 3]) {
    const later = all.filter((one) => Number(one[at]) > moment).length;
    expect(later).toBeGreaterThan(5);
    expect(later).toBeLessThan(35);
  }
});

test.each([
  ['email', /^[a-z._]+\d+@example\.com$/],
  ['phone', /^\+?\d{8,}$/],
])('an %s that is the id has its form', async (name, want) => {
  const schema = { type: 'object', required: [name], properties: { [name]: { type: 'string' } } };
  const answer = (shape: object) => ({
    responses: { 200: { description: 'Done', content: { 'application/json': { schema: shape } } } },
  });
  const parameters = [{ name, in: 'path', required: true, schema: { type: 'string' } }];
  const paths = {
    '/clients': { get: answer({ type: 'array', items: schema }) },
    [`/clients/{${name}}`]: { parameters, get: answer(schema) },
  };
  const { body } = await ask(await serveText(documentOf(paths), { count: 9 }), 'GET /clients');
  for (const { [name]: value } of body as Texts[]) expect(value).toMatch(want);
  expect(new Set(body.map((one: Texts) => one[name])).size).toBe(9);
});

test('what the service sets as the type, and what stands in properties, is of the record', async () => {
  const text = (readOnly: boolean) => ({ type: 'string', readOnly });
  const inside = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
  const properties = { id: text(true), type: text(true), properties: inside };
  const schema = { type: 'object', required: ['id', 'type', 'properties'], properties };
  const content = { 'application/json': { schema: { type: 'array', items: schema } } };
  const paths = { '/alertRules': { get: { responses: { 200: { description: 'Rules', content } } } } };
  const { body } = await ask(await serveText(documentOf(paths), { count: 9 }), 'GET /alertRules');
  const names = new Set(OF_THINGS.get('rule')?.split('|'));
  for (const { type, properties: shown } of body) {
    expect(type).toBe('alert_rule');
    expect(names.has(shown.name)).toBe(true);
  }
});
