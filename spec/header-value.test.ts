import { expect, test } from 'vitest';
import { decodeHeader, encodeHeader } from './header-value.ts';
import type { Header } from './parameter.ts';
import { contractOf, documentOf } from './testing/contract-of.ts';

async function headerOf(header: object): Promise<Header> {
  const get = { responses: { 200: { description: 'Done', headers: { 'X-A': header } } } };
  const contract = await contractOf({ 'a.json': documentOf({ '/a': { get } }) });
  return contract.operations[0]?.responses[0]?.headers[0] as Header;
}

const LIST = { type: 'array', items: { type: 'integer' } };
const RECORD = { type: 'object', properties: { limit: { type: 'integer' }, unit: { type: 'string' } } };
const VALUE = { limit: 100, unit: 'a b' };
const as = (type: string, schema: object = RECORD) => ({ content: { [type]: { schema } } });

/** The first text is the one that is written. */
test.each<[title: string, header: object, value: unknown, texts: string[][]]>([
  ['a list', { schema: LIST }, [3, 4], [['3,4'], ['3', '4'], ['3 ,\t4']]],
  ['an exploded list', { schema: LIST, explode: true }, [3, 4], [['3,4'], ['3', '4'], ['3, 4']]],
  [
    'an object',
    { schema: RECORD },
    VALUE,
    [
      ['limit,100,unit,a b'],
      ['limit, 100, unit, a b'],
      ['limit, 100', 'unit, a b'],
      ['limit,100,unit,a%20b'],
    ],
  ],
  [
    'an exploded object',
    { schema: RECORD, explode: true },
    VALUE,
    [['limit=100,unit=a b'], ['limit=100, unit=a b'], ['limit=100', 'unit=a b'], ['limit=100,unit=a%20b']],
  ],
  [
    'JSON',
    as('application/json'),
    VALUE,
    [['{"limit":100,"unit":"a b"}'], ['{ "unit": "a b", "limit": 100 }']],
  ],
  ['JSON of a suffix', as('application/vnd.a+json', LIST), [3, 4], [['[3,4]'], ['[3', '4]']]],
  ['a form', as('application/x-www-form-urlencoded'), VALUE, [['limit=100&unit=a+b']]],
  ['plain text', as('text/plain', { type: 'integer' }), 7, [['7']]],
])('%s is one value in each of its forms', async (_, described, value, texts) => {
  const header = await headerOf(described);
  expect(encodeHeader(header, value)).toBe(texts[0]?.join());
  for (const lines of texts) expect(decodeHeader(header, lines)).toContainEqual(value);
});

test('what no specification writes is not read', async () => {
  const header = await headerOf({ schema: { type: 'array', items: RECORD } });
  expect(decodeHeader(header, ['{"limit":100}'])).toBeUndefined();
});
