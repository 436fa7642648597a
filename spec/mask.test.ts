import { describe, expect, test } from 'vitest';
import { compileMask, hidesAt, maskBody } from './mask.ts';

const BODY = {
  name: 'Ann',
  owner: { email: 'a@b', Name: 'Bob', tags: ['x', 'y'] },
  list: [{ owner: { email: 'c' } }, { owner: { email: 'd' }, 'a/b': 1 }],
};
const mask = (texts: readonly string[], body: unknown = BODY) =>
  maskBody(compileMask(texts), body, () => '*');

describe('a body without what is masked', () => {
  test.each<[string, readonly string[], unknown]>([
    ['nothing is asked for', [], BODY],
    ['a name, in any case and depth', ['NAME'], { ...BODY, name: '*', owner: { ...BODY.owner, Name: '*' } }],
    ['a name that is not there', ['other'], BODY],
    ['a pointer', ['/owner/email'], { ...BODY, owner: { ...BODY.owner, email: '*' } }],
    [
      'a pointer to an object: all that is below',
      ['/owner'],
      { ...BODY, owner: { email: '*', Name: '*', tags: ['*', '*'] } },
    ],
    [
      'a pointer without an index: all items',
      ['/list/owner/email'],
      { ...BODY, list: [{ owner: { email: '*' } }, { owner: { email: '*' }, 'a/b': 1 }] },
    ],
    [
      'a pointer with an index: that item',
      ['/list/1/owner/email'],
      { ...BODY, list: [BODY.list[0], { owner: { email: '*' }, 'a/b': 1 }] },
    ],
    [
      'an escaped step',
      ['/list/a~1b'],
      { ...BODY, list: [BODY.list[0], { owner: { email: 'd' }, 'a/b': '*' }] },
    ],
  ])('%s', (_, texts, wanted) => {
    const masked = mask(texts);
    expect(masked).toEqual(wanted);
    expect(masked === BODY).toBe(wanted === BODY);
  });

  test('a list, and values that are none', () => {
    expect(mask(['/a'], [{ a: 1 }, { b: 2 }, null])).toEqual([{ a: '*' }, { b: 2 }, null]);
    expect(mask(['a'], 'text')).toBe('text');
  });

  test('a name that JavaScript gives a meaning', () => {
    const masked = JSON.stringify(mask(['x'], JSON.parse('{"__proto__":{"x":1},"constructor":2}')));
    expect(masked).toBe('{"__proto__":{"x":"*"},"constructor":2}');
  });

  test('what is too deep to be looked at is masked as a whole', () => {
    const deep = JSON.parse(`${'['.repeat(5000)}1${']'.repeat(5000)}`);
    expect(JSON.stringify(mask(['a'], deep))).toContain('"*"');
  });
});

test.each(['', '/', '/a~2'])('%j is neither a name nor a pointer', (text) => {
  expect(() => compileMask([text])).toThrow(/neither the name of a member nor a JSON Pointer/);
});

test('a place is hidden as maskBody hides it', () => {
  const own = compileMask(['name', '/owner/email']);
  const places = ['owner/email', '0/owner/email', 'owner', 'owner/emails', 'a/NAME/b', 'a/password'];
  expect(places.map((place) => hidesAt(own, place.split('/')))).toEqual([
    true,
    true,
    false,
    false,
    true,
    true,
  ]);
});
