import { expect, test } from 'vitest';
import { ask, judge, type Step } from '../testing/steps.ts';
import { nextLink } from './next-page.ts';

test.each([
  ['</a?b=2>; rel="next"', '/a?b=2'],
  ['<https://x.example/a,b>; rel=first, <?c=3>; title="a, <b>"; rel="last next"', '?c=3'],
  ['</a>; REL=Next', '/a'],
  ['</a>; rel="prev", </b>; rel="nextish"', undefined],
  ['', undefined],
])('%s leads to %s', (header, want) => {
  expect(nextLink(header)).toBe(want);
});

const trees = (pagination: object): Step =>
  ask('listTrees', { query: { limit: 2 } }, 200, { trees: [], pagination });
const pickers = (link: string): Step =>
  ask('listPickers', { query: { per_page: 2 } }, 200, [], { 'X-Total-Count': '9', Link: link });
const weighings = (next: string | null): Step =>
  ask('listWeighings', {}, 200, { weighings: [], meta: { next, total: 0 } });
const LAST = { query: undefined };

test.each<[title: string, given: Step, want: { query: object | undefined } | undefined]>([
  ['a cursor', trees({ next_cursor: 'a', has_more: true }), { query: { limit: 2, cursor: 'a' } }],
  ['a cursor that a flag takes back', trees({ next_cursor: 'a', has_more: false }), LAST],
  ['null', trees({ next_cursor: null }), LAST],
  ['no cursor, where there is more', trees({ has_more: true }), undefined],
  ['a link of another origin', pickers('<https://in.test/pickers?x=1>; rel="next"'), { query: { x: '1' } }],
  ['a link to something else', pickers('</v1/crates?x=1>; rel="next"'), undefined],
  ['no link', pickers('</v1/pickers>; rel="first"'), LAST],
  ['a URL', weighings('http://service.test/v1/weighings/?page=2'), { query: { page: '2' } }],
  ['a relative URL', weighings('?page=2&page=3'), { query: { page: ['2', '3'] } }],
  ['no URL', weighings(null), LAST],
  ['nothing that says so', ask('listCrates', {}, 200, { content: [] }), undefined],
])('%s', (_, given, want) => {
  const next = judge([given]).last?.page?.next;
  expect(next && { query: next.query }).toEqual(want);
});
