import { expect, test } from 'vitest';
import { ask, documentOf, misfits, serveText } from '../testing/serve.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const NAMES = ['Circle', 'Square', 'Path'] as const;
type Name = (typeof NAMES)[number];

/** Members with the same name have other types and bounds in each form. */
const OWN: Readonly<Record<Name, Record<string, object>>> = {
  Circle: { radius: { type: 'number' }, size: { type: 'integer' }, label: { type: 'string', maxLength: 5 } },
  Square: { side: { type: 'number' }, size: { type: 'string' }, label: { type: 'string', maxLength: 20 } },
  Path: { points: { type: 'array', items: { type: 'integer' } }, size: { type: 'array', items: {} } },
};

const valuesOf = (nameOf: (name: Name) => string): Record<string, unknown>[] => [
  { kind: nameOf('Circle'), radius: 2, size: 3, label: 'small' },
  { kind: nameOf('Square'), side: 4, size: 'large', label: 'a longer label' },
  { kind: nameOf('Path'), points: [1, 2], size: ['a', 1] },
];

const ID = { required: ['id'], properties: { id: { type: 'integer', readOnly: true } } };
const required = (name: Name) => [Object.keys(OWN[name])[0] as string];

/** The components of a union, with a suffix in the names of its branches. */
function union(keyword: string, isMapped: boolean, kindOf: (value: string) => object, end = '', more = {}) {
  const taggedAs = (name: string) => (isMapped ? name.toLowerCase() : name);
  const branches = NAMES.map((name) => [
    name + end,
    {
      type: 'object',
      required: ['kind', ...required(name), ...Object.keys(more)],
      properties: { ...more, kind: kindOf(taggedAs(name)), ...structuredClone(OWN[name]) },
    },
  ]);
  const mapping = Object.fromEntries(NAMES.map((name) => [taggedAs(name), ref(name + end).$ref]));
  const discriminator = { propertyName: 'kind', ...((isMapped || end !== '') && { mapping }) };
  const whole = { [keyword]: NAMES.map((name) => ref(name + end)), discriminator };
  return { ...Object.fromEntries(branches), [`Shape${end}`]: whole };
}

/** A base with a discriminator, which its heirs include by `allOf`. */
function heirs(isMapped: boolean, end = '', more: object = { properties: {} }) {
  const taggedAs = (name: string) => (isMapped ? name.toLowerCase() : name);
  const mapping = Object.fromEntries(NAMES.map((name) => [taggedAs(name), ref(name + end).$ref]));
  const base = {
    allOf: [{ type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } }, more],
    discriminator: { propertyName: 'kind', ...((isMapped || end !== '') && { mapping }) },
  };
  const branches = NAMES.map((name) => [
    name + end,
    { allOf: [ref(`Shape${end}`), { required: required(name), properties: OWN[name] }] },
  ]);
  return { ...Object.fromEntries(branches), [`Shape${end}`]: base };
}

function drawing(schemas: object, sent: object, shown: object) {
  const content = (schema: object) => ({ content: { 'application/json': { schema } } });
  const success = { 200: { description: 'It', ...content(shown) }, 404: { description: 'None' } };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
  const list = { description: 'All', ...content({ type: 'array', items: shown }) };
  return documentOf(
    {
      '/things': {
        get: { operationId: 'list', responses: { 200: list } },
        post: {
          operationId: 'create',
          requestBody: content(sent),
          responses: { 201: { description: 'Made', ...content(shown) } },
        },
      },
      '/things/{id}': {
        parameters,
        get: { operationId: 'read', responses: success },
        put: { operationId: 'replace', requestBody: content(sent), responses: success },
        patch: { operationId: 'update', requestBody: content(sent), responses: success },
      },
    },
    { components: { schemas } },
  );
}

interface Row {
  readonly schemas: object;
  readonly sent: object;
  readonly shown: object;
  readonly isMapped?: boolean;
  /** Wraps a value. */
  readonly inside?: (value: unknown, all: readonly unknown[]) => Record<string, unknown>;
}

const oneOf = (isMapped: boolean, end = '', more = {}) =>
  union('oneOf', isMapped, (value) => ({ type: 'string', enum: [value] }), end, more);
const anyOf = (isMapped: boolean, end = '', more = {}) =>
  union('anyOf', isMapped, () => ({ type: 'string' }), end, more);
const withId = { allOf: [ref('Shape'), ID] };
const holder = (end: string, more: object) => ({
  allOf: [
    {
      type: 'object',
      required: ['shape'],
      properties: { shape: ref(`Shape${end}`), others: { type: 'array', items: ref(`Shape${end}`) } },
    },
    more,
  ],
});
const held = (shape: unknown, others: readonly unknown[]) => ({ shape, others });

test.each<[string, Row]>([
  ['oneOf', { schemas: oneOf(false), sent: ref('Shape'), shown: withId }],
  ['oneOf with a mapping', { schemas: oneOf(true), sent: ref('Shape'), shown: withId, isMapped: true }],
  ['anyOf', { schemas: anyOf(false), sent: ref('Shape'), shown: withId }],
  ['anyOf with a mapping', { schemas: anyOf(true), sent: ref('Shape'), shown: withId, isMapped: true }],
  [
    'another union in the response',
    {
      schemas: { ...oneOf(false), ...oneOf(false, 'Shown', { ...ID.properties, made: { type: 'string' } }) },
      sent: ref('Shape'),
      shown: ref('ShapeShown'),
    },
  ],
  ['heirs', { schemas: heirs(false, '', ID), sent: ref('Shape'), shown: ref('Shape') }],
  [
    'heirs with a mapping',
    { schemas: heirs(true, '', ID), sent: ref('Shape'), shown: ref('Shape'), isMapped: true },
  ],
  [
    'other heirs in the response',
    {
      schemas: { ...heirs(false), ...heirs(false, 'Shown', ID) },
      sent: ref('Shape'),
      shown: ref('ShapeShown'),
    },
  ],
  [
    'a union in a union',
    {
      schemas: { ...oneOf(false), Angular: { oneOf: [ref('Square'), ref('Path')] } },
      sent: { oneOf: [ref('Circle'), ref('Angular')] },
      shown: { allOf: [{ oneOf: [ref('Circle'), ref('Angular')] }, ID] },
    },
  ],
  [
    'members that are unions',
    { schemas: oneOf(false), sent: holder('', {}), shown: holder('', ID), inside: held },
  ],
  [
    'members that are other unions in the response',
    {
      schemas: { ...oneOf(false), ...oneOf(false, 'Shown', { made: { type: 'string', readOnly: true } }) },
      sent: holder('', {}),
      shown: holder('Shown', ID),
      inside: held,
    },
  ],
])('every form is taken and shown as it was sent: %s', async (_, row) => {
  const { schemas, sent, shown, isMapped = false, inside } = row;
  const mock = await serveText(drawing(schemas, sent, shown), { count: 3 });
  const plain = valuesOf((name) => (isMapped ? name.toLowerCase() : name));
  const values = inside ? plain.map((value) => inside(value, plain)) : plain;
  for (const value of values) {
    const created = await ask(mock, 'POST /things', value);
    expect(created).toMatchObject({ status: 201, body: value });
    expect(misfits(mock, 'create', created)).toEqual([]);
    const path = `/things/${created.body.id}`;
    for (const other of values) {
      for (const method of ['PUT', 'PATCH']) {
        const changed = await ask(mock, `${method} ${path}`, other);
        expect(changed).toMatchObject({ status: 200, body: { ...other, id: created.body.id } });
        const read = await ask(mock, `GET ${path}`);
        expect(read.body).toEqual(changed.body);
        expect(misfits(mock, 'read', read)).toEqual([]);
      }
    }
  }
  expect(misfits(mock, 'list', await ask(mock, 'GET /things'))).toEqual([]);
});

test('what only one form lets the service set is the client’s in the others', async () => {
  const serial = (readOnly: boolean) => ({ serial: { type: 'string', readOnly } });
  const form = (kind: string, own: object) => ({
    type: 'object',
    required: ['kind'],
    properties: { ...ID.properties, kind: { const: kind }, ...own },
  });
  const either = { oneOf: [form('made', serial(true)), form('bought', serial(false))] };
  const mock = await serveText(drawing({}, either, either), { count: 3 });
  const bought = await ask(mock, 'POST /things', { kind: 'bought', serial: 'a' });
  expect(bought.body).toMatchObject({ kind: 'bought', serial: 'a' });
  const path = `/things/${bought.body.id}`;
  expect((await ask(mock, `PATCH ${path}`, { kind: 'bought', serial: 'b' })).body).toMatchObject({
    serial: 'b',
  });
  expect((await ask(mock, 'POST /things', { kind: 'made', serial: 'a' })).body).not.toHaveProperty('serial');
});

test('null for a member that no form can have as null leaves the form to the others', async () => {
  const form = (kind: number, own: object) => ({
    type: 'object',
    required: ['kind'],
    properties: { ...ID.properties, kind: { const: kind }, age: { type: 'integer' }, ...own },
  });
  const target = { type: 'integer', enum: [1, 2] };
  const shown = { oneOf: [form(1, {}), form(2, { temporary: { type: 'boolean' }, target })] };
  const orNull = (type: string) => ({ type: [type, 'null'] });
  const properties = { age: orNull('integer'), target: orNull('integer'), temporary: orNull('boolean') };
  const mock = await serveText(drawing({}, { type: 'object', properties }, shown), { count: 3 });
  const { body } = await ask(mock, 'POST /things', { temporary: false, age: null, target: null });
  expect(body).toEqual({ id: expect.anything(), kind: 2, temporary: false });
});

test('a form that no record can have is refused, with what the nearest one demands', async () => {
  const shown = { allOf: [{ oneOf: [ref('Circle'), ref('Square')] }, ID] };
  const mock = await serveText(drawing(oneOf(false), ref('Shape'), shown), { count: 3 });
  const [circle, , path] = valuesOf((name) => name);
  expect((await ask(mock, 'POST /things', circle)).status).toBe(201);
  expect((await ask(mock, 'POST /things', path)).status).toBe(400);
});

test('where nothing is stored, the response has the form of the request', async () => {
  const content = { content: { 'application/json': { schema: ref('Shape') } } };
  const post = {
    operationId: 'preview',
    requestBody: content,
    responses: { 200: { description: '', ...content } },
  };
  const document = documentOf({ '/previews/latest': { post } }, { components: { schemas: oneOf(false) } });
  const mock = await serveText(document);
  for (const value of valuesOf((name) => name)) {
    const shown = await ask(mock, 'POST /previews/latest', value);
    expect(shown.body).toEqual(value);
  }
});

test('the console offers the values of all forms', async () => {
  const mock = await serveText(drawing(oneOf(false), ref('Shape'), withId));
  const { collections } = (await ask(mock, 'GET /__admin/contract')).body;
  expect(collections[0].members).toContainEqual(
    expect.objectContaining({ name: 'kind', values: ['Circle', 'Square', 'Path'] }),
  );
});

test.each<[string, sent: object, want: object, ignored: string[]]>([
  ['an empty text that only requests list', { email: 'a', level: '' }, { email: 'a' }, []],
  ['alone', { level: '' }, {}, []],
  ['in place of an object', { email: 'a', address: '' }, { email: 'a', address: null }, []],
  ['what no record has', { email: 'a', expand: 'x' }, { email: 'a' }, ['body.expand']],
])('%s does not make the record one of another form', async (_, sent, want, ignored) => {
  const text = { type: 'string' };
  const orEmpty = (other: object) => ({ anyOf: [other, { type: 'string', enum: [''] }] });
  const address = { type: 'object', properties: { city: text } };
  const properties = { email: text, level: { enum: ['', 'low'] }, expand: text, address: orEmpty(address) };
  const Live = {
    ...{ type: 'object', required: ['id'] },
    properties: {
      ...{ id: ID.properties.id, email: text, level: { enum: ['low'] } },
      address: { ...address, type: ['object', 'null'] },
    },
  };
  const gone = { id: ID.properties.id, gone: { const: true } };
  const Gone = { type: 'object', required: ['id', 'gone'], properties: gone };
  const shown = { anyOf: [ref('Live'), ref('Gone')] };
  const mock = await serveText(drawing({ Live, Gone }, { type: 'object', properties }, shown), { count: 3 });
  const made = await ask(mock, 'POST /things', sent);
  expect(made).toMatchObject({ status: 201, body: { id: expect.any(Number), ...want } });
  expect(Object.keys(made.body).sort()).toEqual(['id', ...Object.keys(want)].sort());
  expect(
    mock
      .requests()
      .at(-1)
      ?.trace?.ignored.map(({ where }) => where),
  ).toEqual(ignored);
  const path = `/things/${made.body.id}`;
  const full = { email: 'b', level: 'low', address: { city: 'x' } };
  expect((await ask(mock, `PATCH ${path}`, full)).body).toMatchObject(full);
  // The old members are removed.
  const { body } = await ask(mock, `PATCH ${path}`, { level: '', address: '' });
  expect(body).toEqual({ id: made.body.id, email: 'b', address: null });
});

test('records have the members that a condition brings', async () => {
  const Card = {
    type: 'object',
    required: ['id', 'credit'],
    properties: { id: { type: 'integer', readOnly: true }, credit: { type: 'integer' } },
    dependentSchemas: {
      credit: { required: ['billing'], properties: { billing: { type: 'string', minLength: 12 } } },
    },
    ...Object.fromEntries([
      ['if', { properties: { credit: { minimum: 0 } } }],
      ['then', { properties: { limit: { type: 'integer' } } }],
    ]),
  };
  const card = { 'application/json': { schema: ref('Card') } };
  const list = { 'application/json': { schema: { type: 'array', items: ref('Card') } } };
  const cards = {
    get: { responses: { 200: { description: 'All', content: list } } },
    post: { requestBody: { content: card }, responses: { 201: { description: 'It', content: card } } },
  };
  const mock = await serveText({ ...documentOf({ '/cards': cards }), components: { schemas: { Card } } });
  const { body } = await ask(mock, 'GET /cards');
  expect(body[0]).toMatchObject({ billing: expect.stringMatching(/.{12}/) });
  const sent = { credit: 1, billing: 'a long address', limit: 5 };
  expect((await ask(mock, 'POST /cards', sent)).body).toMatchObject(sent);
});
