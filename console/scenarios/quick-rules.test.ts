import { expect, test } from 'vitest';
import type { LoggedRequest, OperationView, RuleView } from '../wire.ts';
import { isEffectOn, isOffline, ruleFor, usualOperation } from './quick-rules.ts';

test('an effect is most likely wanted for the operation of the last request', () => {
  const seen = ['getThing', 'listThings', undefined].map((operation) => ({ operation }) as LoggedRequest);
  const operations = [
    { id: 'add', method: 'POST' },
    { id: 'list', method: 'GET' },
  ] as OperationView[];
  expect(usualOperation(seen, operations)).toBe('listThings');
  expect(usualOperation([], operations)).toBe('list');
});

test('an effect is one rule', () => {
  expect(ruleFor(503, 'listThings', true, undefined)).toEqual({
    operation: 'listThings',
    times: 1,
    status: 503,
  });
  expect(ruleFor('drop', '', false, undefined)).toEqual({ drop: true });
});

test('the normal response comes back where the rules of an operation without conditions go', () => {
  const rule: RuleView = { id: 1, used: 0, operation: 'a', status: 503 };
  expect(isEffectOn(rule, 'a')).toBe(true);
  expect(isEffectOn(rule, '')).toBe(false);
  expect(isEffectOn({ ...rule, match: { path: '/a' } }, 'a')).toBe(false);
});

test('only a rule that drops everything is off-line', () => {
  const rule: RuleView = { id: 1, used: 0, drop: 'before' };
  expect(isOffline(rule)).toBe(true);
  const narrower: Partial<RuleView>[] = [
    { times: 1 },
    { operation: 'x' },
    { tag: 'x' },
    { match: {} },
    { drop: 'after' },
    { enabled: false },
  ];
  for (const more of narrower) expect(isOffline({ ...rule, ...more })).toBe(false);
});
