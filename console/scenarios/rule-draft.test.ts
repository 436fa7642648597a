import { expect, test } from 'vitest';
import { readPlaces } from '../form/json-place.ts';
import type { RuleForm } from '../wire.ts';
import { kindOf, ruleLike, withKind, withoutEmpty } from './rule-draft.ts';
import { effectOf, requestsOf, ruleCode, ruleCurl, ruleYaml } from './rule-texts.ts';

test('the way to answer changes, and the rule keeps what it can', () => {
  const rule: RuleForm = { operation: 'getPet', status: 404, delay: 10, times: 2 };
  const sequence = withKind(rule, 'sequence');
  expect(sequence).toEqual({ operation: 'getPet', times: 2, sequence: [{ status: 404, delay: 10 }, 'pass'] });
  expect(withKind(sequence, 'answer')).toEqual(rule);
  expect(withKind({ operation: 'getPet' }, 'answer')).toEqual({ operation: 'getPet', status: 503 });
  expect([{}, rule, sequence, withKind(rule, 'source')].map(kindOf)).toEqual([
    undefined,
    'answer',
    'sequence',
    'source',
  ]);
});

test('a rule is sent without what nothing was entered into', () => {
  const rule = { match: { query: {}, headers: { a: null }, body: {} }, headers: {}, body: {}, status: 1 };
  expect(withoutEmpty(rule)).toEqual({ match: { headers: { a: null }, body: {} }, body: {}, status: 1 });
  expect(withoutEmpty({ match: { path: undefined } })).toEqual({});
});

test('a rule for a request is for its operation, path and query', () => {
  const operation = { id: 'getPet', method: 'GET', path: '/pets/{petId}', security: [] };
  const seen = { operation: 'getPet', target: '/v1/pets/7?a=1&b=2&b=3' };
  expect(ruleLike(seen as never, { operations: [operation] } as never)).toEqual({
    operation: 'getPet',
    match: { path: '/pets/7', query: { a: '1', b: ['2', '3'] } },
    status: 503,
  });
  expect(ruleLike(undefined, undefined)).toEqual({});
});

test.each<[string, string]>([
  ['{"a": ', 'line 1, column 7: expected a value, not the end'],
  ['{\n  "a": }', 'line 2, column 8: expected a value, not "}"'],
  ['{"a": 1,}', 'line 1, column 9: expected a name in double quotes, not "}"'],
  ["{'a': 1}", 'line 1, column 2: expected a name in double quotes, not "\'"'],
  ['[1 2]', 'line 1, column 4: expected a comma or ], not "2"'],
  ['{"a" 1}', 'line 1, column 6: expected a colon, not "1"'],
  ['"a', 'line 1, column 1: this text has no end, or a character that must be escaped'],
  ['{}{}', 'line 1, column 3: expected the end, not "{"'],
  ['', 'line 1, column 1: expected a value, not the end'],
])('the JSON %j is refused with its place', (body, message) => {
  const read = readPlaces(body);
  const { line, column, message: why } = ('error' in read && read.error) as never;
  expect(`line ${line}, column ${column}: ${why}`).toBe(message);
});

test('values of JSON have places', () => {
  const read = readPlaces('{\n  "a/b": [1,\n    {"c": null}]\n}');
  expect('placeOf' in read && ['/a~1b', '/a~1b/1/c', '/a~1b/1/d', ''].map(read.placeOf)).toEqual([
    { line: 2, column: 10 },
    { line: 3, column: 11 },
    { line: 3, column: 5 },
    { line: 1, column: 1 },
  ]);
});

const OPERATIONS = [
  { id: 'listPets', method: 'GET', path: '/pets', summary: undefined, deprecated: false, security: [] },
];

test.each<[string, RuleForm]>([
  [
    'GET /pets answers 503, twice, then the normal response',
    { operation: 'listPets', status: 503, times: 2 },
  ],
  ['GET /pets answers 503 twice, then as usual', { operation: 'listPets', sequence: [503, 503, 'pass'] }],
  [
    'Every request with query a=1 and no header x waits 50-100 ms',
    { match: { query: { a: '1' }, headers: { x: null } }, delay: '50-100' },
  ],
  ['POST /pets/7 drops the connection', { match: { method: 'POST', path: '/pets/7' }, drop: 'before' }],
])('%s', (sentence, rule) => {
  expect(`${requestsOf(rule, OPERATIONS)} ${effectOf(rule)}`).toBe(sentence);
});

test('a rule is copied as code, YAML and curl', async () => {
  const { parse } = await import('yaml');
  const rule = {
    operation: 'getPet',
    body: { 'a-b': "it's: #1", on: 'yes', list: [], of: [{ deep: [1, [2]] }, null], path: '/a/{b}' },
    sequence: [503, 'pass'],
  } as const satisfies RuleForm;
  expect(parse(ruleYaml([rule, { status: 500 }]))).toEqual({ rules: [rule, { status: 500 }] });
  const code = ruleCode(rule);
  expect(code).toContain("sequence: [503, 'pass']");
  const added: unknown[] = [];
  new Function('mock', code)({ addRule: (one: unknown) => added.push(one) });
  expect(added).toEqual([rule]);
  expect(ruleCurl({ body: "it's" }, 'http://x/answers', true)).toBe(
    [
      `curl 'http://x/answers'`,
      `-H "Authorization: Bearer $PADDOCK_ADMIN_TOKEN"`,
      `-H 'Content-Type: application/json'`,
      `--data-raw '{"body":"it'\\''s"}'`,
    ].join(' \\\n  '),
  );
});
