import { expect, test } from 'vitest';
import type { ActiveRule } from '../shell/rule.ts';
import type { LoggedRequest } from '../wire.ts';
import { emptyBody, isOffline, rulesFor, usualOperation } from './quick-rules.ts';

function logged(operation: string, status: number, body: string, cutFrom?: number): LoggedRequest {
  return { operation, status, response: { headers: {}, body, cutFrom } } as unknown as LoggedRequest;
}

test.each<[name: string, text: string, empty: unknown]>([
  ['an array', '[{"id":1}]', []],
  ['an empty array', '[]', []],
  [
    'a member with the items',
    '{"object":"list","data":[{"id":1}],"has_more":true}',
    { object: 'list', data: [], has_more: false },
  ],
  ['counts', '{"items":[1],"total":9007199254740993,"page":1}', { items: [], total: 0, page: 1 }],
  ['a link to the next page', '{"items":[1],"next":"/things?page=2"}', { items: [] }],
  ['one record', '{"id":1}', undefined],
  ['no JSON', '<things/>', undefined],
])('what an empty list looks like, after %s', (_, text, empty) => {
  expect(emptyBody('listThings', [logged('listThings', 200, text)])).toEqual(empty);
});

test.each<[text: string, empty: unknown]>([
  ['[{"id":1},{"id"', []],
  ['{"object":"list [","data":[{"id":1},{"id"', { object: 'list [', data: [] }],
  ['{"id":1,"note":"', undefined],
])('of a truncated body the beginning is enough: %s', (text, empty) => {
  expect(emptyBody('listThings', [logged('listThings', 200, text, 99_999)])).toEqual(empty);
});

test('the last list of the operation counts, whatever came after', () => {
  const seen = [
    logged('listThings', 200, '{"old":[1]}'),
    logged('listThings', 200, '{"things":[1]}'),
    logged('listThings', 503, '{"errors":[1]}'),
    logged('listOthers', 200, '[1]'),
  ];
  expect(emptyBody('listThings', seen)).toEqual({ things: [] });
  expect(emptyBody('getThing', seen)).toBe(undefined);
  expect(rulesFor('empty', 'getThing', true, seen)).toBe(undefined);
  expect(usualOperation(seen, [])).toBe('listOthers');
});

test('a status that is not documented is tried again with a body', () => {
  expect(rulesFor(503, 'listThings', true, [])).toEqual([
    { operation: 'listThings', times: 1, status: 503 },
    { operation: 'listThings', times: 1, status: 503, body: expect.objectContaining({ status: 503 }) },
  ]);
  expect(rulesFor('drop', '', false, [])).toEqual([{ drop: true }]);
});

test('only a rule that drops everything is off-line', () => {
  const rule: ActiveRule = { id: 1, used: 0, drop: 'before' };
  expect(isOffline(rule)).toBe(true);
  const narrower: Partial<ActiveRule>[] = [
    { times: 1 },
    { operation: 'x' },
    { tag: 'x' },
    { match: {} },
    { drop: 'after' },
    { enabled: false },
  ];
  for (const more of narrower) expect(isOffline({ ...rule, ...more })).toBe(false);
});
