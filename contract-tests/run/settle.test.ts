import { describe, expect, test, vi } from 'vitest';
import type { Breach, LawName } from '../laws/law.ts';
import { createPace } from '../send/pace.ts';
import { createPatience, type Patience } from './settle.ts';

// A clock of the test's own: time passes while the suite waits, and at no other time.
const clock = vi.hoisted(() => ({ now: 0 }));
vi.mock('node:timers/promises', () => ({
  setTimeout: async (ms: number) => {
    clock.now += ms;
  },
}));
vi.spyOn(performance, 'now').mockImplementation(() => clock.now);

const breach = (law: LawName, line = 1): Breach => ({
  law,
  received: '',
  documented: '',
  at: { uri: 'file:///a.yaml', line, column: 1 },
});

/** Looks until it is settled; what each look shows in its turn, the last one for ever. Returns the number of looks. */
async function looksOf(patience: Patience, ...shown: Breach[][]): Promise<number> {
  let looks = 0;
  const seen = await patience.untilSettled(
    async () => {
      looks += 1;
      return looks;
    },
    (look) => shown[Math.min(look, shown.length) - 1] ?? [],
    (look) => look(),
  );
  expect(seen).toBe(looks);
  return looks;
}

const SETTLE = 1000;
/** After 0, 50, 150, 350, 750 and 1000 ms. */
const ALL = 6;
const LAG = [breach('created-is-listed')];

describe('a look is repeated', () => {
  test.each<[string, { given: { settle: number; shown: Breach[][] }; want: number }]>([
    ['not without a breach', { given: { settle: SETTLE, shown: [[]] }, want: 1 }],
    ['until there is no breach', { given: { settle: SETTLE, shown: [LAG, []] }, want: 2 }],
    [
      'while any breach is left',
      { given: { settle: SETTLE, shown: [[...LAG, breach('filter')], LAG, []] }, want: 3 },
    ],
    ['until the time is over', { given: { settle: SETTLE, shown: [LAG] }, want: ALL }],
    ['not without time to settle', { given: { settle: 0, shown: [LAG] }, want: 1 }],
  ])('%s', async (_, { given: { settle, shown }, want }) => {
    expect(await looksOf(createPatience(settle, createPace()), ...shown)).toBe(want);
  });

  test('three times in a run at most for one law at one line', async () => {
    const patience = createPatience(SETTLE, createPace());
    for (let count = 0; count < 3; count++) expect(await looksOf(patience, LAG)).toBe(ALL);
    expect(await looksOf(patience, LAG)).toBe(1);
    expect(await looksOf(patience, [breach('created-is-listed', 2)])).toBe(ALL);
    expect(await looksOf(patience, [...LAG, breach('filter')])).toBe(ALL);
  });

  test('without loss of budget for what did settle', async () => {
    const patience = createPatience(SETTLE, createPace());
    for (let count = 0; count < 4; count++) expect(await looksOf(patience, LAG, [])).toBe(2);
  });
});
