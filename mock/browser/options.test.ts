import { expect, test } from 'vitest';
import { type BrowserMockOptions, createMock } from './create-mock.ts';

const document = JSON.stringify({ openapi: '3.1.0', info: { title: 'Things', version: '1' }, paths: {} });

test.for<[options: Record<string, unknown>, message: string]>([
  [{ document: 7 }, 'option document must be the text of a document, its value or a contract, not 7'],
  [
    { document: undefined },
    'option document must be the text of a document, its value or a contract, not undefined',
  ],
  [
    { origin: 'api.example' },
    'option origin must be an origin such as https://api.example, not "api.example"',
  ],
  [{ fixtures: 'seed' }, 'option fixtures must be a list of states or of their texts, not "seed"'],
  [{ port: 4020 }, 'option port: a mock in a browser does not have it'],
  [
    { count: -1, orgin: '' },
    'option count must be a whole number from 0 to 10000000, not -1; unknown option "orgin"; did you mean origin?',
  ],
])('%o is refused', async ([options, message]) => {
  const given = { document, ...options } as BrowserMockOptions;
  await expect(createMock(given)).rejects.toThrow(expect.objectContaining({ name: 'RangeError', message }));
});

test('an option that is undefined is absent, also one of Node', async () => {
  const given = { document, port: undefined, origin: undefined } as BrowserMockOptions;
  const mock = await createMock(given);
  expect(mock.url).toBe('http://localhost');
  await mock.close();
});
