import { describe, expect, test } from 'vitest';
import type { Breach, LawName } from '../laws/law.ts';
import { createPatience, type Patience } from './settle.ts';

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
  );
  expect(seen).toBe(looks);
  return looks;
}

const LONG = 60_000;
const SHORT = 1;
const LAG = [breach('created-is-listed')];

describe('a look is repeated', () => {
  test.each<[string, { given: { settle: number; shown: Breach[][] }; want: number }]>([
    ['not without a breach', { given: { settle: LONG, shown: [[]] }, want: 1 }],
    ['until there is no breach', { given: { settle: LONG, shown: [LAG, []] }, want: 2 }],
    [
      'while any breach is left',
      { given: { settle: LONG, shown: [[...LAG, breach('filter')], LAG, []] }, want: 3 },
    ],
    ['not without time to settle', { given: { settle: 0, shown: [LAG] }, want: 1 }],
  ])('%s', async (_, { given: { settle, shown }, want }) => {
    expect(await looksOf(createPatience(settle), ...shown)).toBe(want);
  });

  test('until the time is over, and three times in a run for one law at one line', async () => {
    const patience = createPatience(SHORT);
    for (let count = 0; count < 3; count++) expect(await looksOf(patience, LAG)).toBeGreaterThan(1);
    expect(await looksOf(patience, LAG)).toBe(1);
    expect(await looksOf(patience, [breach('created-is-listed', 2)])).toBeGreaterThan(1);
    expect(await looksOf(patience, [...LAG, breach('filter')])).toBeGreaterThan(1);
  });

  test('without loss of budget for what did settle', async () => {
    const patience = createPatience(LONG);
    for (let count = 0; count < 4; count++) expect(await looksOf(patience, LAG, [])).toBe(2);
  });
});
