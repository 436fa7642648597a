import { expect, test } from 'vitest';
import { flag, gives, list, number, object, ref, takes, text } from '../../testing/described.ts';
import { ask, documentOf, serveText } from '../../testing/serve.ts';

const query = (name: string, schema: object = text, more: object = {}) => ({
  name,
  in: 'query',
  schema,
  ...more,
});
const state = { type: 'string', enum: ['open', 'paid'] };
const day = { type: 'string', format: 'date' };
const bill = { state, cents: { type: 'integer' }, due: day, urgent: flag };
const selecting = [query('state', state), query('due_from', day), query('due_to', day)];
const paths = {
  '/bills': {
    get: { parameters: selecting, ...gives(list(ref('Bill'))) },
    post: { ...takes(object(bill)), ...gives(ref('Bill'), 201) },
  },
  '/bills/summary': {
    get: {
      parameters: [...selecting.slice(0, 2), query('due_to', day, { required: true })],
      ...gives(object({ count: { type: 'integer' }, totalCents: { type: 'integer' }, byState: object({}) })),
    },
  },
};

test('a summary counts and adds up the records that its query selects', async () => {
  const schemas = { Bill: object({ id: number, ...bill }) };
  const mock = await serveText(documentOf(paths, { components: { schemas } }), { count: 0 });
  for (const [index, due] of ['2030-01-01', '2030-02-01', '2030-03-01'].entries())
    await ask(mock, 'POST /bills', { state: index === 1 ? 'paid' : 'open', cents: 10 ** index, due });
  const summary = async (sent: string) => (await ask(mock, `GET /bills/summary?${sent}`)).body;
  expect(await summary('due_to=2031-01-01')).toMatchObject({ count: 3, totalCents: 111 });
  expect(await summary('due_to=2031-01-01&state=open')).toMatchObject({ count: 2, totalCents: 101 });
  expect(await summary('due_from=2030-02-01&due_to=2030-02-28')).toMatchObject({ count: 1, totalCents: 10 });
});
