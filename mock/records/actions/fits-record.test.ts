import { expect, test } from 'vitest';
import { ask, documentOf, fixture, misfits, serve, serveText } from '../../testing/serve.ts';

test('null takes away an optional member that cannot be null', async () => {
  const mock = await serve(fixture('kennels.yaml'), { count: 3 });
  const [owner] = (await ask(mock, 'GET /owners')).body;
  await ask(mock, `PATCH /owners/${owner.id}`, { city: 'Vejle' });
  const changed = await ask(mock, `PATCH /owners/${owner.id}`, { city: null });
  const { city: _, ...others } = owner;
  expect(changed).toMatchObject({ status: 200, body: others });
  expect(misfits(mock, 'changeOwner', changed)).toEqual([]);
});

const RECORD = {
  type: 'object',
  required: ['id', 'kind'],
  properties: {
    id: { type: 'integer', readOnly: true },
    kind: { type: 'string' },
    size: { type: 'integer' },
  },
};

function documentWith(record: object, patch: object): object {
  const content = { 'application/json': { schema: record } };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
  const body = { requestBody: { content: { 'application/json': { schema: patch } } } };
  const responses = {
    200: { description: 'It', content },
    404: { description: 'None' },
    422: { description: 'No' },
  };
  return documentOf({
    '/things/{id}': {
      parameters,
      get: { operationId: 'read', responses },
      put: { operationId: 'replace', ...body, responses },
      patch: { operationId: 'update', ...body, responses },
    },
  });
}

const ANY = { type: 'object', properties: { kind: { type: 'string' }, size: { type: 'integer' }, note: {} } };

test.each<[string, { record: object; line: string; body: object; want: number }]>([
  [
    'members that exclude each other',
    {
      record: {
        ...RECORD,
        not: { properties: { kind: { const: 'flat' }, size: { minimum: 1 } }, required: ['size'] },
      },
      line: 'PATCH',
      body: { kind: 'flat', size: 4 },
      want: 422,
    },
  ],
  [
    'a value that only the request allows',
    {
      record: { ...RECORD, properties: { ...RECORD.properties, size: { type: 'integer', maximum: 9 } } },
      line: 'PUT',
      body: { kind: 'a', size: 10 },
      want: 422,
    },
  ],
  ['what fits', { record: RECORD, line: 'PUT', body: { kind: 'a', size: 10 }, want: 200 }],
  [
    'a member whose schema requires what nothing describes',
    {
      record: {
        ...RECORD,
        properties: {
          ...RECORD.properties,
          note: {
            type: 'object',
            required: ['written', 'seen'],
            properties: { written: { type: 'string' } },
          },
        },
      },
      line: 'PUT',
      body: { kind: 'a', note: {} },
      want: 200,
    },
  ],
])('%s: the changed record fits its schema or is refused', async (_, { record, line, body, want }) => {
  const mock = await serveText(documentWith(record, ANY), { count: 3 });
  const before = (await ask(mock, 'GET /things/2')).text;
  const changed = await ask(mock, `${line} /things/2`, body);
  expect(changed.status).toBe(want);
  if (want === 200) expect(misfits(mock, 'replace', changed)).toEqual([]);
  else expect((await ask(mock, 'GET /things/2')).text).toBe(before);
});

test('a record whose discriminator changes gets what its new form requires', async () => {
  const form = (name: string, own: string) => ({
    type: 'object',
    required: ['id', 'kind', own],
    properties: {
      id: { type: 'integer', readOnly: true },
      kind: { const: name },
      [own]: { type: 'string', minLength: 3 },
    },
  });
  const record = { oneOf: [form('cat', 'fur'), form('bird', 'wings')] };
  const mock = await serveText(documentWith(record, ANY), { count: 6 });
  for (const kind of ['cat', 'bird']) {
    const changed = await ask(mock, 'PATCH /things/4', { kind });
    expect(changed).toMatchObject({ status: 200, body: { kind } });
    expect(misfits(mock, 'update', changed)).toEqual([]);
  }
});
