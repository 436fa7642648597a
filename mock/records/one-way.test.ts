import { describe, expect, test } from 'vitest';
import { ask, documentOf, serveText } from '../testing/serve.ts';

const object = (properties: object, required: string[] = []) => ({ type: 'object', required, properties });
const text = { type: 'string' };
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const Skill = object(
  { id: { type: 'integer', readOnly: true }, name: text, pin: { ...text, writeOnly: true } },
  ['id', 'name'],
);
const audit = object({ by: { ...text, readOnly: true }, note: text }, ['by']);
const SCHEMAS = {
  Skill,
  Lead: object({ name: text, audit }),
  Mail: object(
    {
      kind: { const: 'mail' },
      token: { ...text, writeOnly: true },
      seen: { type: 'boolean', readOnly: true },
    },
    ['kind'],
  ),
  Phone: object({ kind: { const: 'phone' }, token: text }, ['kind']),
  Boat: object({ id: { type: 'integer', readOnly: true }, name: text }, ['id', 'name']),
  Crew: object(
    {
      id: { type: 'integer', readOnly: true },
      name: text,
      skills: { type: 'array', items: ref('Skill') },
      lead: { allOf: [ref('Lead'), object({ rank: { type: 'integer' } })] },
      contact: { oneOf: [ref('Mail'), ref('Phone')] },
      badges: { type: 'object', additionalProperties: ref('Skill') },
      boat: ref('Boat'),
    },
    ['id', 'name'],
  ),
};

const crew = json(ref('Crew'));
const ok = { responses: { 200: { description: 'Done', ...crew } } };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const patch = {
  content: { 'application/merge-patch+json': { schema: object({ ...SCHEMAS.Crew.properties }) } },
};
const DOCUMENT = {
  ...documentOf({
    '/boats': {
      get: { responses: { 200: { description: '', ...json({ type: 'array', items: ref('Boat') }) } } },
    },
    '/crews': {
      get: { responses: { 200: { description: '', ...json({ type: 'array', items: ref('Crew') }) } } },
      post: { requestBody: crew, responses: { 201: { description: 'Made', ...crew } } },
    },
    '/crews/{id}': {
      parameters: [id],
      get: ok,
      put: { requestBody: crew, ...ok },
      patch: { requestBody: patch, ...ok },
    },
    // Belongs to no collection.
    '/trial': { post: { requestBody: json(ref('Crew')), ...ok } },
  }),
  components: { schemas: SCHEMAS },
};

const serve = () => serveText(DOCUMENT, { count: 2 });

describe('a client cannot set nested members that are readOnly', () => {
  test.each<[string, sent: object, want: object]>([
    [
      'in a list',
      { skills: [{ id: 'zzz', name: 'a' }] },
      { skills: [{ id: expect.any(Number), name: 'a' }] },
    ],
    [
      'below allOf',
      { lead: { rank: 1, audit: { by: 7, note: 'n' } } },
      { lead: { rank: 1, audit: { by: expect.any(String), note: 'n' } } },
    ],
    ['below oneOf', { contact: { kind: 'mail', seen: true } }, { contact: { kind: 'mail' } }],
    [
      'in a map',
      { badges: { k: { id: [], name: 'b' } } },
      { badges: { k: { id: expect.any(Number), name: 'b' } } },
    ],
    ['but the id of a record', { boat: { id: 2, name: 'x' } }, { boat: { id: 2, name: 'x' } }],
    [
      'nor the id of a record in another type',
      { boat: { id: 'x', name: 'x' } },
      { boat: { id: expect.any(Number), name: 'x' } },
    ],
  ])('%s', async (_, sent, want) => {
    const mock = await serve();
    const made = await ask(mock, 'POST /crews', { name: 'one', ...sent });
    expect(made).toMatchObject({ status: 201 });
    expect(made.body).toEqual({ id: 3, name: 'one', ...want });
    expect((await ask(mock, 'GET /crews/3')).body).toEqual(made.body);
  });

  test('which stay as they are with the item that has them', async () => {
    const mock = await serve();
    const sent = { name: 'one', skills: [{ name: 'a' }, { name: 'b' }], lead: { audit: { note: 'n' } } };
    const { body } = await ask(mock, 'POST /crews', sent);
    const [first, second] = body.skills;
    expect((await ask(mock, 'PUT /crews/3', body)).body).toEqual(body);
    const moved = { ...body, skills: [second, { name: 'c' }], lead: { audit: { by: 'me', note: 'o' } } };
    const put = (await ask(mock, 'PUT /crews/3', moved)).body;
    expect(put).toMatchObject({
      skills: [second, { name: 'c' }],
      lead: { audit: { by: body.lead.audit.by, note: 'o' } },
    });
    expect([first.id, second.id].indexOf(put.skills[1].id)).not.toBe(1);
    const merge = { 'content-type': 'application/merge-patch+json' };
    const patched = await ask(mock, 'PATCH /crews/3', { lead: { audit: { by: null, note: 'p' } } }, merge);
    expect(patched.body).toEqual({ ...put, lead: { audit: { by: body.lead.audit.by, note: 'p' } } });
  });
});

test('no response shows a member that is writeOnly at any depth', async () => {
  const mock = await serve();
  const sent = {
    name: 'one',
    skills: [{ name: 'a', pin: '1' }],
    contact: { kind: 'mail', token: 't' },
    badges: { k: { name: 'b', pin: '2' } },
  };
  const shown = [
    await ask(mock, 'POST /crews', sent),
    await ask(mock, 'GET /crews/3'),
    await ask(mock, 'GET /crews'),
    await ask(mock, 'PUT /crews/3', sent),
    await ask(mock, 'POST /trial', sent),
  ];
  expect(shown.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200]);
  expect(JSON.stringify(shown.map(({ body }) => body))).not.toMatch(/"pin"|"token"/);
  expect(shown[4]?.body).toMatchObject({ name: 'one', contact: { kind: 'mail' } });
  // Another form has a member with the same name in responses, too.
  const phone = { name: 'two', contact: { kind: 'phone', token: 't' } };
  expect((await ask(mock, 'POST /crews', phone)).body).toMatchObject(phone);
});
