import { describe, expect, test } from 'vitest';
import type { RuleForm } from '../shell/rule.ts';
import { readPlaces } from './json-place.ts';
import { draftOf, draftProblems, EMPTY_ANSWER, ruleOf } from './rule-draft.ts';
import { effectOf, requestsOf, ruleCode, ruleCurl, ruleYaml } from './rule-texts.ts';

const EMPTY = draftOf({});

describe('a rule is the same after it was a draft', () => {
  test.each<[string, RuleForm]>([
    ['a status', { operation: 'getPet', status: 503, times: 2 }],
    ['a body with an exact integer', { tag: 'animals', body: { id: 9007199254740993n } }],
    ['a text', { body: '{ no JSON', headers: { 'Retry-After': '1' }, delay: '50-150' }],
    ['null is a body', { body: null }],
    ['an example', { example: 'none', template: false }],
    ['a template', { status: '{{request.query.code}}', body: { name: '{{record.name}}' } }],
    ['drop', { drop: 'after' }],
    ['drop within a stream', { drop: 3 }],
    ['truncate', { truncate: true }],
    ['truncate within a stream', { truncate: 0 }],
    ['a source', { operation: 'getPet', source: 'real' }],
    ['one that is switched off', { status: 500, enabled: false }],
    [
      'conditions',
      {
        match: {
          method: 'POST',
          path: '/pets',
          query: { a: '1', b: null, c: ['1', '2'] },
          headers: { x: 'y' },
          body: { n: [1] },
        },
        status: 400,
      },
    ],
    [
      'a sequence with bodies of its own',
      {
        delay: 10,
        sequence: [503, { status: 200, body: [], headers: { A: 'b' } }, { drop: 'before' }, 'pass'],
      },
    ],
  ])('%s', (_, rule) => {
    expect(ruleOf(draftOf(rule))).toEqual(rule);
    expect(draftProblems(draftOf(rule))).toEqual([]);
  });
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
])('the JSON body %j is refused with its place', (body, message) => {
  const answer = { ...EMPTY_ANSWER, bodyKind: 'json', body } as const;
  const problem = { message: `is no JSON: ${message}` };
  expect(draftProblems({ ...EMPTY, answer })).toEqual([{ where: 'body', ...problem }]);
  expect(draftProblems({ ...EMPTY, effect: 'sequence', sequence: [answer] })).toEqual([
    { where: 'sequence.0.body', ...problem },
  ]);
  // It is of no effect there.
  expect(draftProblems({ ...EMPTY, effect: 'source', answer })).toEqual([]);
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

test('a line without a name is refused', () => {
  expect(draftProblems({ ...EMPTY, query: 'a: 1\n\n!b', headers: 'x' })).toEqual([
    { where: 'match.headers', message: 'needs "name: value" in each line' },
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
