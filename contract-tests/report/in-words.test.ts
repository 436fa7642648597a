import { expect, test } from 'vitest';
import type { Cause } from './cause.ts';
import { brokenInWords } from './in-words.ts';

function cause(title: string, more: Partial<Cause> = {}): Cause {
  const operations = [title.split(' ').slice(0, 2).join(' ')];
  return { key: 'schema/type#/a', title, law: 'schema', gates: true, operations, ...more } as Cause;
}

const lost = cause('POST /pets does not keep tags', {
  key: 'created/lost/createPet',
  law: 'created-equals-sent',
});
const body = (path: string) => cause(`GET ${path} answers 200 without the required name`);

test.each<[name: string, causes: readonly Cause[], want: string | undefined]>([
  ['nothing', [], undefined],
  ['what does not gate', [{ ...lost, gates: false }], undefined],
  ['one cause by its title', [lost], 'POST /pets does not keep tags'],
  [
    'one cause without its extent',
    [cause('errors are {message}: 141 requests, 3 operations')],
    'errors are {message}',
  ],
  [
    'several of one kind by their operations, and another one by its title',
    [body('/a'), body('/b'), body('/c'), lost],
    '3 operations answer with bodies that are not as documented; POST /pets does not keep tags',
  ],
  [
    'several of one operation',
    [body('/a'), cause('GET /a answers 200 with null in /b, which the schema does not allow')],
    'GET /a answers with bodies that are not as documented',
  ],
  [
    'a server error by its key, whichever law has seen it',
    [
      cause('GET /a answers 500 to a valid request', { key: 'server-error/500/a', law: 'invalid-refused' }),
      cause('GET /b answers 500 to a valid request', { key: 'server-error/500/b', law: 'status' }),
    ],
    '2 operations fail with a 5xx',
  ],
  [
    'many kinds',
    [
      body('/a'),
      body('/b'),
      lost,
      cause('GET /c ignores ?limit', { law: 'page-size', key: 'page-size#/a' }),
      cause('GET /d ignores ?sort', { law: 'header', key: 'header#/a' }),
      cause('GET /e answers 200 without a valid credential', {
        law: 'unauthorised-first',
        key: 'unauthorised-first/accepted',
      }),
    ],
    '2 operations answer with bodies that are not as documented; POST /pets does not keep tags; GET /c ignores ?limit; 2 more problems',
  ],
  [
    'a rule of the user',
    [
      cause('GET /a does not keep "prices are even"', { law: 'even-prices' as never, key: 'even-prices#/a' }),
      cause('GET /b does not keep "prices are even"', { law: 'even-prices' as never, key: 'even-prices#/b' }),
    ],
    '2 operations violate even-prices',
  ],
])('says what is broken: %s', (_, causes, want) => {
  expect(brokenInWords({ causes })).toBe(want);
});
