import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Behaviour } from '../quality/mutants/by-hand/behaviour.ts';
import { correct } from '../quality/mutants/by-hand/correct.ts';
import { startShop } from '../quality/mutants/by-hand/shop.ts';
import type { Report } from './report/report.ts';
import { runSideBySide } from './run/schedule.ts';
import type { CheckOptions } from './settings/check-options.ts';
import { runCheck } from './testing/run-check.ts';

/** A run says the same whatever number of cases runs side by side. */
async function checkShop(behaviour: Partial<Behaviour>, options: Partial<CheckOptions>): Promise<Report> {
  const { url: target, apiKey, close } = await startShop(behaviour);
  onTestFinished(close);
  return runCheck({ target, apiKey, settle: 100, ...options });
}

/** Responses come in another order each time. */
const shuffled: Partial<Behaviour> = {
  async answer(ask, shop) {
    await sleep(Math.random() * 4);
    return correct.answer(ask, shop);
  },
};

/** The report without what is new in each run: times, ids and the run's part of the marks. */
function constant({ cells, cases, findings, created, notSpecified, notices, verdict }: Report) {
  const withoutIds = (text: string) => text.replace(/paddock-[0-9a-z]+-/g, 'RUN-').replace(/\d+/g, 'N');
  return {
    verdict,
    cells: cells.map(({ reason, ...cell }) => ({ ...cell, reason: reason && withoutIds(reason) })),
    cases: cases.map(({ ms, ...one }) => one),
    findings: findings.map(({ caseId, law, at, operationId }) => ({ caseId, law, at, operationId })),
    created: created.map(({ caseId, mark }) => ({ caseId, mark: mark?.replace(/^.*-/, '') })),
    notSpecified: notSpecified.map(({ caseId, text }) => ({ caseId, text: withoutIds(text) })),
    notices,
  };
}

test.for<[string, Partial<Behaviour>, Partial<CheckOptions>]>([
  ['a correct service', {}, {}],
  ['few records to make', {}, { maxCreates: 20 }],
  ['lists that are never cut', { page: (pets) => pets }, {}],
  ['any key is taken', { isKey: () => true }, {}],
])('the report of one job is that of eight: %s', async ([, behaviour, options]) => {
  const faulty = { ...shuffled, ...behaviour };
  const [one, eight] = [
    await checkShop(faulty, { ...options, jobs: 1 }),
    await checkShop(faulty, { ...options, jobs: 8 }),
  ];
  expect(constant(eight)).toEqual(constant(one));
});

test('no more cases than jobs are at work, phase after phase, and a quiet one beside safe ones only', async () => {
  const jobs = Array.from({ length: 60 }, (_, index) => ({
    index,
    phase: Math.floor(index / 20),
    unsafe: index % 3 === 0,
    quiet: index % 9 === 0,
  }));
  const atWork = new Set<(typeof jobs)[number]>();
  const begun: number[] = [];
  await runSideBySide(jobs, 4, async (job) => {
    atWork.add(job);
    begun.push(job.index);
    expect(atWork.size).toBeLessThanOrEqual(4);
    expect(new Set([...atWork].map(({ phase }) => phase)).size).toBe(1);
    const unsafe = [...atWork].filter((one) => one.unsafe);
    if (unsafe.some(({ quiet }) => quiet)) expect(unsafe).toHaveLength(1);
    await sleep(Math.random() * 3);
    atWork.delete(job);
  });
  expect(begun.toSorted((a, b) => a - b)).toEqual(jobs.map(({ index }) => index));
  const unsafe = begun.filter((index) => index % 3 === 0);
  expect(unsafe).toEqual(unsafe.toSorted((a, b) => a - b));
});

test('a job that throws ends the run', async () => {
  const jobs = [1, 2, 3, 4].map((number) => ({ number, unsafe: false }));
  const run = async ({ number }: { number: number }) => {
    if (number === 2) throw new Error('no such luck');
  };
  await expect(runSideBySide(jobs, 1, run)).rejects.toThrow('no such luck');
});

test('--rate holds for all jobs together', async () => {
  const times: number[] = [];
  await checkShop(
    {
      answer(ask, shop) {
        times.push(performance.now());
        return correct.answer(ask, shop);
      },
    },
    { jobs: 8, rate: 50, only: '/401/' },
  );
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
  expect(times.length / seconds).toBeLessThan(55);
});

test('a target that takes one request at a time is asked one by one from its first 429 on', async () => {
  let atWork = 0;
  const began = performance.now();
  const { exitCode, findings } = await checkShop(
    {
      async answer(ask, shop) {
        if (atWork > 0)
          return { status: 429, headers: { 'retry-after': '0' }, body: correct.answer(ask, shop) };
        atWork += 1;
        await sleep(2);
        atWork -= 1;
        return correct.answer(ask, shop);
      },
    },
    { jobs: 8 },
  );
  expect({ exitCode, findings }).toEqual({ exitCode: 0, findings: [] });
  // Requests that wait for each other are let go after ten seconds.
  expect(performance.now() - began).toBeLessThan(30_000);
});

test('an aborted signal ends the run: nothing more is sent, and the report is incomplete', async () => {
  const controller = new AbortController();
  let count = 0;
  const { verdict, reason, totals } = await checkShop(
    {
      answer(ask, shop) {
        count += 1;
        if (count === 40) controller.abort();
        return correct.answer(ask, shop);
      },
    },
    { signal: controller.signal },
  );
  expect({ verdict, reason }).toEqual({ verdict: 'incomplete', reason: 'interrupted' });
  expect(count).toBeLessThan(50);
  expect(totals.notReached).toBeGreaterThan(100);
});
