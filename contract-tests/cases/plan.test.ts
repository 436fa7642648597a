import { expect, test } from 'vitest';
import { renderTerminal } from '../report/terminal.ts';
import { createNotes, notesDocument } from '../testing/notes-service.ts';
import { runCheckOf } from '../testing/run-check.ts';

const done = { responses: { 200: { description: '' } } };
const DOCUMENT = notesDocument(
  { removable: false },
  { '/shutdown': { post: done }, '/health': { get: done }, '/version': { get: done } },
);
const OPTIONS = { exclude: ['GET /health'], only: '!^GET /version/' };

test('a plan sends nothing, and says what would be called, withheld, excluded and left', async () => {
  const { fetch, received } = createNotes({ removable: false });
  const report = await runCheckOf(DOCUMENT, { fetch, plan: true, ...OPTIONS });
  expect(received).toEqual([]);
  const { verdict, exitCode, plan, cells } = report;
  expect({ verdict, exitCode, requests: report.totals.requests }).toEqual({
    verdict: 'planned',
    exitCode: 0,
    requests: 0,
  });
  const calls = plan?.operations.map(({ operationId, call }) => [operationId, call]);
  expect(Object.fromEntries(calls ?? [])).toEqual({
    'GET /notes': 'called',
    'POST /notes': 'called',
    'GET /notes/{id}': 'called',
    'POST /shutdown': 'withheld',
    'GET /health': 'excluded',
    'GET /version': 'skipped',
  });
  const create = plan?.operations.find(({ operationId }) => operationId === 'POST /notes');
  expect(create?.body).toMatchObject({ name: expect.any(String) });
  expect(cells.find(({ operationId }) => operationId === 'POST /notes')?.verdict).toBe('planned');
  expect(renderTerminal(report, false)).toContain(`at most ${plan?.records} records are left`);
});

test('a run stays within the bounds of its plan', async () => {
  const { plan } = await runCheckOf(DOCUMENT, { fetch: createNotes().fetch, plan: true, ...OPTIONS });
  const { fetch, received, notes } = createNotes({ removable: false }, (_, path) =>
    path === '/version' ? new Response(null) : undefined,
  );
  const report = await runCheckOf(DOCUMENT, { fetch, ...OPTIONS });
  expect(report.exitCode).toBe(0);
  expect(plan?.requests).toBeGreaterThan(0);
  // The run asks once whether the target responds at all.
  expect(received.length - 1).toBeLessThanOrEqual(plan?.requests ?? 0);
  const left = notes.get('/notes')?.length ?? 0;
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(plan?.records ?? 0);
});
