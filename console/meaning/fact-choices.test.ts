import { expect, test } from 'vitest';
import type { FactView } from '../wire.ts';
import { chosenOf, factsFor, textOfChoice } from './fact-choices.ts';

const fact = (path: string, value: unknown) => ({ path: path.split('.'), value }) as unknown as FactView;
const part = { facts: [fact('does', 'list'), fact('of', '/pets')] };

test('a choice is said in the keys of x-paddock, and taken back', () => {
  expect(factsFor(part, ['does'], 'login')).toEqual({ login: '/pets' });
  expect(factsFor(part, ['does'], 'none')).toEqual({ none: true });
  expect(factsFor({ facts: [] }, ['does'], 'login')).toEqual({ login: true });
  expect(factsFor(part, ['of'], '/dogs')).toEqual({ list: '/dogs' });
  expect(factsFor(part, ['does'], null)).toEqual({ list: null });
  expect(factsFor(part, ['query', 'q'], '>= at')).toEqual({ query: { q: '>= at' } });
  expect(factsFor(part, ['members', 'owner'], '/owners')).toEqual({
    members: { owner: { names: '/owners' } },
  });
  expect(factsFor(part, ['id'], 'code')).toEqual({ id: 'code' });
});

test('a fact is told in words', () => {
  const texts = [
    textOfChoice(['does'], 'login'),
    textOfChoice(['query', 'q'], 'status'),
    textOfChoice(['query', 'since'], '>= at'),
    textOfChoice(['query', 'q'], { search: ['name', 'title'] }),
    textOfChoice(['path', 'shop'], '$parent'),
    textOfChoice(['members', 'owner'], chosenOf(['members', 'owner'], { names: '/owners' })),
    textOfChoice(['unique'], [{ members: ['email'] }]),
    textOfChoice(['first'], 0),
  ];
  expect(texts).toEqual([
    'is the login',
    'filters by status',
    'filters by at, which is at least this',
    'is searched for in name, title',
    'names the parent',
    'refers to /owners',
    '{"members":["email"]}',
    '0',
  ]);
});
