import { parseFragment } from 'parse5';
import { expect, test } from 'vitest';
import { textOf } from '../../testing/build-of.ts';
import { reportOn } from '../../testing/report-on.ts';
import type { ReportedFinding } from '../reported-finding.ts';
import { exchangeView } from './exchange-view.ts';

/** What is marked in the request of a finding. */
function markedOf(finding: Pick<ReportedFinding, 'request' | 'sent'>): string[] {
  const html = exchangeView({
    law: 'schema',
    pointer: '',
    response: 'HTTP 200',
    ...finding,
  } as ReportedFinding).source;
  const request = html.slice(0, html.indexOf('<h4>Response'));
  return [...request.matchAll(/<mark>(.*?)<\/mark>/gs)].map(([, inner = '']) =>
    textOf(parseFragment(inner).childNodes),
  );
}

const json = (body: string) => `POST http://x/pets\ncontent-type: application/json\n\n${body}`;
const form = (body: string) =>
  `POST http://x/pets\ncontent-type: application/x-www-form-urlencoded\n\n${body}`;

test.each<[name: string, sent: ReportedFinding['sent'], request: string, want: string[]]>([
  ['nothing of a valid request', undefined, json('{"a":1}'), []],
  ['a member', { in: 'body', name: '', pointer: '/a/0' }, json('{"a":[1,2]}'), ['1']],
  ['a member that lacks', { in: 'body', name: '', pointer: '/b' }, json('{"a":1}'), ['"b" is not here']],
  ['a body that is no JSON', { in: 'body', name: '', pointer: '' }, json('{"a'), ['{"a']],
  ['a body that is text', { in: 'body', name: '', pointer: '' }, json('<a>'), ['<a>']],
  ['a body that lacks', { in: 'body', name: '', pointer: '' }, 'POST http://x/pets', ['No body']],
  ['a field of a form', { in: 'body', name: '', pointer: '/b' }, form('a=1&b=2'), ['b=2']],
  ['a parameter', { in: 'query', name: 'a b', pointer: '' }, 'GET http://x/?c=1&a+b=%20', ['a+b=%20']],
  [
    'a member of a parameter',
    { in: 'query', name: 'f', pointer: '/x' },
    'GET http://x/?f[x]=1&g=2',
    ['f[x]=1'],
  ],
  ['a parameter that lacks', { in: 'query', name: 'n', pointer: '' }, 'GET http://x/', ['n is not here']],
  [
    'a query that cannot be decoded',
    { in: 'query', name: 'a', pointer: '' },
    'GET http://x/?%E0=1&a=<b>',
    ['a=<b>'],
  ],
  ['an id', { in: 'path', name: 'id', pointer: '', text: 'a%20b' }, 'GET http://x/a%20b/c', ['a%20b']],
  ['a header', { in: 'header', name: 'X-A', pointer: '' }, 'GET http://x/\nx-a: 1\nx-b: 2', ['x-a: 1']],
  ['a cookie', { in: 'cookie', name: 'c', pointer: '' }, 'GET http://x/\ncookie: c=1', ['cookie: c=1']],
])('marked in the request: %s', (_, sent, request, want) => {
  expect(markedOf({ request, sent })).toEqual(want);
});

test('what a service takes that is invalid is marked where it was sent', async () => {
  const { findings } = await reportOn({ problemOf: () => undefined });
  const invalid = findings.filter(({ law }) => law === 'invalid-refused');
  expect(invalid.length).toBeGreaterThan(0);
  for (const one of invalid) expect(markedOf(one).length, one.documented).toBeGreaterThan(0);
});
