import { expect, test } from 'vitest';
import { LAWS } from '../../contract-tests/laws/law.ts';
import { LOOKALIKES, MUTANTS } from './families.ts';
import { countOriginal, NO_VERDICT, OF_LOOKALIKES, STAND_INS } from './stands-for.ts';

const names = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name);

test('each service that went has one stand-in of the same rule, and no name stands twice', () => {
  const strays = STAND_INS.filter(({ rule, name }) => {
    if (rule === OF_LOOKALIKES) return !names(LOOKALIKES).includes(name);
    const mutant = MUTANTS.find((one) => one.name === name);
    return !(rule === NO_VERDICT ? mutant?.exitCode === 3 : mutant?.breaks.some((law) => law === rule));
  });
  expect(strays).toEqual([]);
  const all = [...names(MUTANTS), ...names(LOOKALIKES), ...STAND_INS.flatMap(({ gone }) => gone)];
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
});

test('the list of commit 8b290824 is complete', () => {
  const total = (all: readonly { readonly name: string }[]) =>
    countOriginal(names(all).map((name) => [name, true])).total;
  expect([total(MUTANTS), total(LOOKALIKES)]).toEqual([1119, 299]);
});

test('who passes counts for those it stands for', () => {
  const [one] = STAND_INS;
  expect(countOriginal([[one?.name ?? '', false]]).passed).toBe(0);
  expect(countOriginal([[one?.name ?? '', true]]).passed).toBeGreaterThan(one?.gone.length ?? 0);
});

test('mutants break every law', () => {
  const broken = new Set<string>(MUTANTS.flatMap(({ breaks }) => breaks));
  expect(Object.keys(LAWS).filter((law) => !broken.has(law))).toEqual([]);
});
