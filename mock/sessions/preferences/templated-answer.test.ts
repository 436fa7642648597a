import { expect, test } from 'vitest';
import { ask, documentOf, SHIPPED, serve, serveText } from '../../testing/serve.ts';

const TOM = { name: 'Tom "the cat"\n\\', categoryId: 9007199254740993n };

test('values are filled in one by one, so that JSON stays JSON, with their types', async () => {
  const mock = await serve(SHIPPED);
  mock.addRule({
    operation: 'createPet',
    status: '{{request.query.code | default: 201}}',
    headers: { 'X-Tenant': '{{request.headers.X-Tenant}}', 'X-Count': '{{count}}/{{seed}}' },
    body: {
      id: 7,
      name: 'new: {{request.body/name}}',
      categoryId: '{{request.body.categoryId}}',
      tags: ['{{request.body.tags[0]}}', '{{request.method}}'],
      absent: '{{request.query.nothing}}',
    },
  });
  const { status, headers, body } = await ask(mock, 'POST /pets', TOM, { 'x-tenant': 'a' });
  expect(status).toBe(201);
  expect([headers.get('x-tenant'), headers.get('x-count')]).toEqual(['a', '1/1']);
  expect(body).toEqual({ ...TOM, id: 7, name: `new: ${TOM.name}`, tags: [null, 'POST'] });
  expect((await ask(mock, 'POST /pets?code=202', TOM)).status).toBe(202);
});

test('what is filled in is held to the document', async () => {
  const mock = await serve(SHIPPED);
  mock.addRule({ operation: 'getPet', body: { id: 1, name: '{{request.query.x}}', categoryId: 1 } });
  expect((await ask(mock, 'GET /pets/1?x=Tom')).headers.get('x-paddock-violation')).toBeNull();
  const { status, headers } = await ask(mock, 'GET /pets/1');
  expect(status).toBe(200);
  expect(headers.get('x-paddock-violation')).toMatch(/^body\.name is required/);
});

test('the record that a path names is read as it is before the operation', async () => {
  const mock = await serve(SHIPPED, { fixtures: [] });
  const { body: pet } = await ask(mock, 'GET /pets/2');
  mock.addRule({ operation: 'getPet', headers: { 'X-Name': '{{record.name}}' } });
  const { headers, body } = await ask(mock, 'GET /pets/2');
  expect([headers.get('x-name'), body]).toEqual([pet.name, pet]);
  mock.addRule({ body: { id: 1, name: '{{record.name | default: "nobody"}}', categoryId: 1 } });
  expect((await ask(mock, 'GET /pets/4711')).body.name).toBe('nobody');
  expect((await ask(mock, 'GET /pets')).body.name).toBe('nobody');
});

test('parameters have the types of the document, and what has none is a text', async () => {
  const responses = { 200: { description: '', content: { 'application/json': {} } } };
  const schema = { type: 'integer' };
  const parameters = [
    { name: 'n', in: 'path', required: true, schema },
    { name: 'limit', in: 'query', schema },
  ];
  const get = { operationId: 'count', parameters, responses };
  const mock = await serveText(documentOf({ '/counts/{n}': { get } }));
  mock.addRule({ body: { path: '{{request.path}}', query: '{{request.query}}', url: '{{request.url}}' } });
  const { body } = await ask(mock, 'GET /counts/7?limit=3&x=1&y=a&y=b');
  expect(body).toEqual({
    path: { n: 7 },
    query: { limit: 3, x: '1', y: ['a', 'b'] },
    url: '/counts/7?limit=3&x=1&y=a&y=b',
  });
});

test('values of faker follow from the seed and the number of the request, moments from the clock', async () => {
  const answers = async (seed: number) => {
    const mock = await serve(SHIPPED, { seed, now: new Date('2030-01-01T00:00:00Z') });
    mock.addRule({
      operation: 'listPets',
      body: ['{{"person.fullName" | faker}} {{"person.fullName" | faker}}', '{{now | date: "%Y-%m-%d"}}'],
    });
    const texts = [];
    for (let n = 0; n < 2; n++) texts.push((await ask(mock, 'GET /pets')).text);
    return texts;
  };
  const [first, second] = await answers(1);
  expect(first).not.toBe(second);
  expect(first).toContain('2030-01-01');
  expect(await answers(1)).toEqual([first, second]);
  expect(await answers(2)).not.toContain(first);
});

test.each<[name: string, rule: object, message: RegExp]>([
  [
    'an unknown name',
    { body: '{{reqest.query.x}}' },
    /^body is no template .*: there is no "reqest"; there are request,/,
  ],
  ['an unknown part', { body: '{{request.params.x}}' }, /request has no "params"; there are method,/],
  ['no parameter', { body: '{{request.path.petid}}' }, /the path has no parameter "petid"; there are petId;/],
  ['of Handlebars', { body: '{{faker "person.firstName"}}' }, /there is no "faker"/],
  [
    'not closed',
    { headers: { 'X-A': '{{now' } },
    /^headers\.X-A is no template that can be read: output "{{now"/,
  ],
  [
    'within',
    { body: { a: [{ b: '{{now | x}}' }] } },
    /^body\.a\.0\.b is no template .*: undefined filter: x/,
  ],
  ['in a sequence', { sequence: [{ body: { a: '{{' } }] }, /^sequence\.0\.body\.a is no template/],
  ['no status', { status: 'abc' }, /^status must be a status from 200 to 599, or a template/],
  ['a text as a status', { status: '{{count}}', template: false }, /^status must be a number where/],
])('%s is refused, with its place', async (_, rule, message) => {
  const mock = await serve(SHIPPED);
  expect(() => mock.addRule({ operation: 'getPet', ...rule })).toThrow(message);
  const { status, body } = await ask(mock, `POST ${mock.controlUrl}/answers`, {
    operation: 'getPet',
    ...rule,
  });
  expect(status).toBe(400);
  expect(body.message).toMatch(message);
});

test.each<[name: string, rule: object, message: RegExp]>([
  [
    'no status',
    { status: '{{request.query.x}}', body: '' },
    /status must give one from 200 to 599, not "a\\nb"/,
  ],
  [
    'a line break in a header',
    { headers: { 'X-A': '{{request.query.x}}' } },
    /headers\.X-A must give a text/,
  ],
  ['a body of a 204', { status: '{{204}}', body: '{{request.query.x}}' }, /status 204 has none/],
  ['no method of faker', { body: { a: '{{"a.b" | faker}}' } }, /body\.a: faker has no method "a\.b"/],
  [
    'arguments that faker refuses',
    { body: '{{"number.int" | faker: min: 5, max: 1}}' },
    /body: Max 1 should be/,
  ],
])('%s is an error of the rule, which is logged', async (_, rule, message) => {
  const mock = await serve(SHIPPED);
  mock.addRule({ operation: 'getPet', ...rule });
  const { status, body } = await ask(mock, 'GET /pets/1?x=a%0Ab');
  expect([status, body.code]).toEqual([500, 'template_failed']);
  expect(body.message).toMatch(/^Rule 1 cannot respond: /);
  expect(body.message).toMatch(message);
  expect(mock.requests()[0]).toMatchObject({ status: 500, code: 'template_failed', message: body.message });
});

test('braces can be texts', async () => {
  const mock = await serve(SHIPPED);
  mock.addRule({ operation: 'getPet', body: ['{{ no template }}'], template: false });
  expect((await ask(mock, 'GET /pets/1')).body).toEqual(['{{ no template }}']);
  mock.addRule({ operation: 'getPet', body: ['{% raw %}{{ none }}{% endraw %}'] });
  expect((await ask(mock, 'GET /pets/1')).body).toEqual(['{{ none }}']);
});

test('rules of a document are the ones of users alone: its examples are no templates', async () => {
  const content = { 'application/json': { example: '{{now}}' } };
  const get = { operationId: 'show', responses: { 200: { description: '', content } } };
  const mock = await serveText(documentOf({ '/show': { get } }));
  mock.addRule({ status: 200, headers: { 'X-A': '{{count}}' } });
  const { headers, body } = await ask(mock, 'GET /show');
  expect([headers.get('x-a'), body]).toEqual(['1', '{{now}}']);
});

test.each([
  [
    'a pattern with a long repetition',
    '{{ "helpers.fromRegExp" | faker: "(a{9999}){9999}[a-z]{99999999}" }}',
  ],
  ['many dates', '{{ "date.betweens" | faker: from: "2020-01-01", to: "2030-01-01", count: 99999999 }}'],
  [
    'sorts within loops',
    '{% for a in (1..9999) %}{% for b in (1..9999) %}{% assign x = request.body.list | sort | reverse | sort_natural %}{% endfor %}{% endfor %}',
  ],
])('a template that would take for ever is ended: %s', async (_, name) => {
  const mock = await serve(SHIPPED);
  mock.addRule({ operation: 'createPet', body: { id: 1, categoryId: 1, name } });
  const list = Array.from({ length: 5000 }, (_, index) => String((index * 7919) % 5000));
  const pet = { ...TOM, list };
  const begun = performance.now();
  for (let times = 0; times < 20; times++) {
    const { status, text } = await ask(mock, 'POST /pets', pet);
    expect(status).toBe(500);
    expect(text).toMatch(/Rule 1 cannot respond: body\.name: /);
  }
  // One rendering of a second, after which none of the twenty responses renders.
  expect(performance.now() - begun).toBeLessThan(15_000);
  expect((await ask(mock, 'GET /pets?limit=1')).status).toBe(200);
});
