import { faker } from '@faker-js/faker';
import { expect, test } from 'vitest';
import { readContract } from '#spec';
import { documentOf, serve } from '../../testing/serve.ts';
import { methodOf, RENAMED } from './faker-method.ts';

const OLD = [...RENAMED.keys()].filter((old) => !old.endsWith('*'));

test.each([...OLD, 'name.firstName', 'name.jobTitle', 'address.city', 'address.zipCode', 'image.cats'])(
  '%s is a method of today',
  (method) => expect(methodOf(faker, method)).toBeTypeOf('function'),
);

test.each<[string, unknown[], unknown]>([
  ['datatype.number', [{ min: 7, max: 7 }], 7],
  ['random.alphaNumeric', [5], expect.stringMatching(/^\w{5}$/)],
  ['internet.userName', ['Ada', 'Li'], expect.stringMatching(/Ada|Li/)],
  ['finance.amount', [3, 3, 1, '€'], '€3.0'],
  ['address.latitude', [10, 10], 10],
  ['fake', ['{{random.number(0)}} {{name.lastName}}'], expect.stringMatching(/^0 [^{}]+$/)],
])('%s(%j) takes the arguments that it took', (method, args, want) => {
  expect(methodOf(faker, method)?.(...args)).toEqual(want);
});

test('a name that faker does not have is a warning at the start, with its place and those near to it', async () => {
  const properties = { a: 'person.fristName', b: 'person.city', c: 'nosuch.method', d: 'name.findName' };
  const schema = {
    type: 'object',
    example: { 'x-faker': 'a.b' },
    properties: {
      ...Object.fromEntries(Object.entries(properties).map(([name, hint]) => [name, { 'x-faker': hint }])),
      'x-faker': { type: 'string' },
    },
  };
  const content = { 'application/json': { schema } };
  const get = { responses: { 200: { description: 'One', content } } };
  const document = documentOf({ '/a': { get } });
  const text = JSON.stringify(document, null, 1);
  const line = (part: string) => text.slice(0, text.indexOf(part)).split('\n').length;
  const notices: string[] = [];
  await serve(await readContract(text, 'a.json'), { notice: (one) => notices.push(one) });
  expect(notices).toEqual([
    expect.stringMatching(`^warning: .*a.json:${line('person.fristName')}:\\d+: .*is person.firstName meant`),
    expect.stringMatching(`:${line('person.city')}:\\d+: .*is location.city meant`),
    expect.stringMatching(`:${line('nosuch')}:\\d+: .*"nosuch.method"`),
  ]);
});
