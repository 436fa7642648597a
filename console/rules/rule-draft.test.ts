import { expect, test } from 'vitest';
import { draftFor, draftProblems, ruleOf } from './rule-draft.ts';

const draftWith = (body: string) => ({ ...draftFor(undefined, undefined), body });

test.each<[string, unknown]>([
  ['{"a": 9007199254740993}', { a: 9007199254740993n }],
  [' [1, null] ', [1, null]],
  ['"text"', 'text'],
  ['7', 7],
  ['plain text, with {braces}', 'plain text, with {braces}'],
  ['<error/>', '<error/>'],
])('the body %s is sent as JSON where it is JSON, else as a text', (body, want) => {
  expect(draftProblems(draftWith(body))).toEqual([]);
  expect(ruleOf(draftWith(body))).toEqual({ status: 503, body: want });
});

test.each(['{"a": ', '{"a": }', ' [1', '"a', "{'a': 1}", '{}{}'])('the body %s is refused', (body) => {
  expect(draftProblems(draftWith(body))).toEqual([
    { where: 'body', message: expect.stringMatching(/^starts like JSON but is not valid JSON/) },
  ]);
  // It is of no effect there.
  expect(draftProblems({ ...draftWith(body), effect: 'drop' })).toEqual([]);
});
