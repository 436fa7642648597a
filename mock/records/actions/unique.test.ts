import { expect, test } from 'vitest';
import { meaningOf } from '#spec';
import { ask, documentOf, fixture, misfits, serve, serveText } from '../../testing/serve.ts';

interface Owner {
  readonly id: number;
  readonly email: string;
}

test('a unique member is refused with the documented conflict, on create and update', async () => {
  const mock = await serve(fixture('kennels.yaml'), { count: 20 });
  const owners: Owner[] = (await ask(mock, 'GET /owners?limit=100')).body;
  expect(new Set(owners.map(({ email }) => email)).size).toBe(owners.length);
  const [one, other] = owners as [Owner, Owner];
  const refused = await ask(mock, 'POST /owners', { email: one.email, name: 'Eve' });
  expect(refused).toMatchObject({ status: 409, body: { detail: /same email/ } });
  expect(misfits(mock, 'addOwner', refused)).toEqual([]);
  const changed = await ask(mock, `PATCH /owners/${other.id}`, { email: one.email });
  expect(changed.status).toBe(409);
  expect((await ask(mock, `GET /owners/${other.id}`)).body).toEqual(other);
  expect((await ask(mock, `PATCH /owners/${one.id}`, { email: one.email, name: 'A' })).status).toBe(200);
});

test('seeds without enough values are fewer', async () => {
  const level = { type: 'string', enum: ['low', 'high'] };
  const mock = await serveText(documentOf(alarms(level, undefined, { unique: ['level'] })));
  const alarmList = (await ask(mock, 'GET /alarms')).body as { level: string }[];
  expect(alarmList.map((alarm) => alarm.level).sort()).toEqual(['high', 'low']);
});

function alarms(level: object, conflict?: object, said: object = {}): object {
  const alarm = {
    'x-paddock': said,
    type: 'object',
    required: ['level', 'text', 'id'],
    properties: { id: { type: 'integer', readOnly: true }, level, text: { type: 'string' } },
  };
  const content = { 'application/json': { schema: alarm } };
  return {
    '/alarms': {
      get: {
        operationId: 'listAlarms',
        responses: {
          200: {
            description: 'All',
            content: { 'application/json': { schema: { type: 'array', items: alarm } } },
          },
        },
      },
      post: {
        operationId: 'raise',
        requestBody: { content },
        responses: { 201: { description: 'One', content }, ...(conflict && { 409: conflict }) },
      },
    },
  };
}

test.each<[string, object | undefined, string | undefined]>([
  [
    'a description that names one required text',
    { description: 'An alarm of this level already exists' },
    'level',
  ],
  ['a description that names two', { description: 'Level and text must be unique' }, undefined],
  ['a description of another conflict', { description: 'The level is being changed' }, undefined],
  ['a description that names none', { description: 'It already exists' }, undefined],
  ['no conflict', undefined, undefined],
])('%s', async (_, conflict, want) => {
  const mock = await serveText(documentOf(alarms({ type: 'string' }, conflict)));
  const keys = meaningOf(mock.contract).meaning.collections['/alarms']?.unique;
  expect(keys).toEqual(want === undefined ? undefined : [{ members: [want] }]);
  await ask(mock, 'POST /alarms', { level: 'odd', text: 'a' });
  const again = await ask(mock, 'POST /alarms', { level: 'odd', text: 'b' });
  expect(again.status).toBe(want === undefined ? 201 : 409);
});
