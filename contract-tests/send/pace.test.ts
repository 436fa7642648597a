import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createNotes, notesDocument } from '../testing/notes-service.ts';
import { runCheckOf } from '../testing/run-check.ts';
import type { Fetch } from './client.ts';
import { countFailures } from './pace.ts';

const PATHS = { collections: ['/notes', '/tasks', '/plans'] };
const overloaded = (status = 503) => new Response(null, { status });

/** It takes one request at a time. */
function oneAtATime(fetch: Fetch, status: number): Fetch {
  let underWay = 0;
  return async (url, init) => {
    underWay += 1;
    try {
      // Whoever is about to send another request does so meanwhile.
      for (let turn = 0; turn < 3; turn++) await setImmediate();
      return underWay > 1 ? overloaded(status) : await fetch(url, init);
    } finally {
      underWay -= 1;
    }
  };
}

test.each([503, 429])(
  'a target that answers %s to more than one request at a time is judged',
  async (status) => {
    const { fetch } = createNotes(PATHS);
    const report = await runCheckOf(notesDocument(PATHS), { fetch: oneAtATime(fetch, status), jobs: 4 });
    const { exitCode, findings, totals, reason } = report;
    expect({ exitCode, findings, reason }).toEqual({ exitCode: 0, findings: [], reason: undefined });
    expect(totals.passed / totals.cases).toBeGreaterThan(0.9);
  },
);

test.each([1, 4])(
  'one operation that always answers 503 costs no other one its cases (jobs: %s)',
  async (jobs) => {
    const { fetch } = createNotes(PATHS);
    const failing: Fetch = (url, init) =>
      init.method === 'GET' && url.pathname === '/plans' ? Promise.resolve(overloaded()) : fetch(url, init);
    const report = await runCheckOf(notesDocument(PATHS), { fetch: failing, jobs, retries: 1 });
    const others = report.cells.filter(({ operationId }) => !operationId.includes('/plans'));
    expect(others.length).toBeGreaterThan(10);
    expect(others.map(({ verdict, ran, of }) => ({ verdict, missed: of - ran }))).toEqual(
      others.map(() => ({ verdict: 'covered', missed: 0 })),
    );
    expect(report.exitCode).toBe(4);
  },
);

test('one create that always answers 503 is sent again as another one, and not for each of its cases', async () => {
  const { fetch } = createNotes(PATHS);
  const sent: string[] = [];
  const failing: Fetch = (url, init) => {
    if (init.method !== 'POST' || url.pathname !== '/plans') return fetch(url, init);
    sent.push(Buffer.from((init.body ?? new Uint8Array()) as Uint8Array).toString());
    return Promise.resolve(overloaded());
  };
  const report = await runCheckOf(notesDocument(PATHS), { fetch: failing, retries: 1 });
  const others = report.cells.filter(({ operationId }) => !operationId.includes('/plans'));
  expect(others.map(({ verdict, ran, of }) => ({ verdict, missed: of - ran }))).toEqual(
    others.map(() => ({ verdict: 'covered', missed: 0 })),
  );
  const marked = sent.filter((one) => /"name":"[^"]*-\d+c/.test(one));
  expect(marked.length).toBeGreaterThan(10);
  expect(new Set(marked).size).toBe(marked.length);
  expect(sent.length).toBeLessThan(3 * report.cases.filter(({ id }) => id.includes('/plans')).length);
});

test('an invalid body that was answered 503, and would be the same one, is not sent again', async () => {
  const { fetch } = createNotes(PATHS);
  const sent: string[] = [];
  const failing: Fetch = (url, init) => {
    if (init.method !== 'POST' || url.pathname !== '/plans') return fetch(url, init);
    sent.push(Buffer.from((init.body ?? new Uint8Array()) as Uint8Array).toString());
    return Promise.resolve(overloaded());
  };
  const only = '^POST /plans/400/the-body-null$';
  const { exitCode } = await runCheckOf(notesDocument(PATHS), { fetch: failing, only, retries: 1 });
  expect({ sent, exitCode }).toEqual({ sent: ['null'], exitCode: 3 });
});

test('what has failed three times in the same way is hopeless, and what has passed since is not', () => {
  const failures = countFailures();
  for (const what of ['a', 'a', 'b']) failures.failed(what);
  expect(['a', 'b', 'c'].map(failures.isHopeless)).toEqual([false, false, false]);
  failures.failed('a');
  expect(['a', 'b', 'c'].map(failures.isHopeless)).toEqual([true, false, false]);
  failures.passed('a');
  expect(failures.isHopeless('a')).toBe(false);
});

test('six failures in a row leave no hope for anything, until something passes', () => {
  const failures = countFailures();
  for (const what of 'abcdef') failures.failed(what);
  expect(failures.isHopeless('new')).toBe(true);
  failures.passed('f');
  expect(failures.isHopeless('new')).toBe(false);
});
