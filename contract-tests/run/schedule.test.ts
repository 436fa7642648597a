import { expect, test, vi } from 'vitest';
import { contractWith } from '../testing/steps.ts';
import { createSchedule, lengthOf } from './schedule.ts';

const contract = contractWith('listPets');
const createPet = contract.operations.find(({ id }) => id === 'createPet') as (typeof contract.operations)[0];
const settings = { examples: 25, jobs: 4, disposable: false, maxTime: 100 };
const removable = { contract, settings, budget: { isRemovable: () => true } };
const one = { operation: createPet, status: 201, unsafe: true };

/** How many of 1000 cases that each have their turn for so many milliseconds are left out in 100 s. */
function leftOut(ms: number, reached: readonly string[]): number {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const cases = Array.from({ length: 1000 }, () => one);
    const schedule = createSchedule(removable, cases, {
      deadline: performance.now() + 85_000,
    });
    let count = 0;
    for (const each of cases) {
      const code = schedule.leaveOut(each);
      if (code === 'no-time') count += 1;
      if (code !== undefined) continue;
      vi.advanceTimersByTime(ms);
      schedule.note(each, new Set(reached), ms);
    }
    return count;
  } finally {
    vi.useRealTimers();
  }
}

test('where there is time, nothing is left out', () => {
  expect(leftOut(50, ['createPet/201'])).toBe(0);
});

test('where there is not, as many cases are left out as the run has no time for', () => {
  // 85 s of 100 are for cases: at 200 ms they are 425 of 1000.
  const count = leftOut(200, ['createPet/201']);
  expect(count).toBeGreaterThan(500);
  expect(count).toBeLessThan(650);
});

test('a case whose response no other case has covered is run', () => {
  expect(leftOut(200, ['createPet/400'])).toBe(0);
});

test('what was left out has its turn where others took less time than was expected', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const cases = Array.from({ length: 1000 }, (_, number) => ({ ...one, ms: number < 200 ? 200 : 20 }));
    const schedule = createSchedule(removable, cases, { deadline: performance.now() + 85_000 });
    const run = (each: (typeof cases)[number]) => {
      if (schedule.leaveOut(each) !== undefined) return true;
      vi.advanceTimersByTime(each.ms);
      schedule.note(each, new Set(['createPet/201']), each.ms);
      return false;
    };
    const late = cases.filter(run);
    expect(late.length).toBeGreaterThan(0);
    schedule.again();
    expect(late.filter(run)).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

test('an operation that has had more than its share gives way to what was not tried, and the end is kept free', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const wide = contractWith('listBooks');
    const [first, ...others] = wide.operations as unknown as [typeof createPet, ...(typeof createPet)[]];
    const reads = others.map((operation) => ({ operation, status: 200, unsafe: false }));
    const slow = Array.from({ length: 200 }, () => ({ ...one, operation: first }));
    const schedule = createSchedule(
      { ...removable, contract: wide, settings: { ...settings, jobs: 1 } },
      [...slow, ...reads],
      { deadline: performance.now() + 85_000 },
    );
    const run = (each: (typeof slow)[number], ms: number) => {
      const code = schedule.leaveOut(each);
      if (code === undefined) {
        vi.advanceTimersByTime(ms);
        schedule.note(each, new Set(), ms);
      }
      return code;
    };
    const codes = slow.map((each) => run(each, 2000));
    // Of 100 s one takes no more than four shares, and ends what it has begun.
    const most = Math.floor((4 * 100) / (others.length + 1) / 2) + 1;
    expect(codes.indexOf('time-is-over')).toBe(most);
    expect(reads.map((each) => run(each, 20))).toEqual(reads.map(() => undefined));
    vi.advanceTimersByTime(60_000);
    expect(reads.map((each) => run(each, 1))[0]).toBe('time-is-over');
  } finally {
    vi.useRealTimers();
  }
});

test.for([
  ['a read beside others', { ...one, unsafe: false, status: 200 }, 0.5],
  ['a create, with the removal of its record', one, 2],
  ['what must be refused', { ...one, status: 400 }, 0.3],
  ['generated inputs', { ...one, requests: 250 }, 50],
] as const)('the length of %s', ([, given, want]) => {
  expect(lengthOf(removable, given)).toBe(want);
});

test('a record that cannot be removed takes one request, and unsafe ones of a disposable target are sent in parallel', () => {
  expect(lengthOf({ ...removable, budget: { isRemovable: () => false } }, one)).toBe(1);
  expect(lengthOf({ ...removable, settings: { ...settings, disposable: true } }, one)).toBe(0.5);
});
