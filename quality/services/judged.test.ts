import { expect, test } from 'vitest';
import { agree, isRoot, judge } from './judged.ts';

const judged = [
  { key: 'schema/type#/a', verdict: 'true', why: 'an exact key' },
  { key: 'schema/*#/a', verdict: 'false', why: 'a pattern' },
  { key: 'status/*', verdict: 'debatable', why: 'a shorter pattern' },
  { key: 'status/500*', verdict: 'true', why: 'a longer pattern' },
] as const;

test('an exact key goes before a pattern, and a longer pattern before a shorter one', () => {
  const { verdicts } = judge(
    ['schema/type#/a', 'schema/enum#/a', 'status/400', 'status/500-for-200'],
    judged,
  );
  expect([...verdicts.values()]).toEqual(['true', 'false', 'debatable', 'true']);
});

test('a root that nobody has judged has no verdict, and a true one that is not found is named', () => {
  const { verdicts, lost } = judge(['schema/type#/b', 'status/500'], judged);
  expect(verdicts.get('schema/type#/b')).toBeUndefined();
  expect(lost).toEqual(['schema/type#/a']);
  expect(judge(['status/500'], judged, ['schema/type#/a']).lost).toEqual([]);
});

test('what is worth a look is no root, unless somebody is held to it', () => {
  expect(
    [{ gates: false, worthALook: {} }, { gates: true, worthALook: {} }, { gates: false }].map(isRoot),
  ).toEqual([false, true, true]);
});

test('a point in a key is a point', () => {
  const { verdicts } = judge(['schema/a.b', 'schema/axb'], [{ key: 'schema/a.b', verdict: 'true', why: '' }]);
  expect([...verdicts.values()]).toEqual(['true', undefined]);
});

test('a root on which two people differ is debatable, and one that a single person judged is as that person says', () => {
  const both = agree(
    judge(['a', 'b', 'c', 'd'], [said('a', 'true'), said('b', 'true'), said('c', 'false')]),
    judge(['a', 'b', 'c', 'd'], [said('a', 'true'), said('b', 'false')]),
  );
  expect([...both.verdicts.values()]).toEqual(['true', 'debatable', 'false', undefined]);
});

const said = (key: string, verdict: 'true' | 'false') => ({ key, verdict, why: 'as the document says' });
