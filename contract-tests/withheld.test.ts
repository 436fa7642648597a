import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sectionsOf } from './report/sections.ts';
import { headline } from './report/words.ts';
import type { CheckOptions } from './settings/check-options.ts';
import { createNotes, notesDocument } from './testing/notes-service.ts';
import {
  bare,
  collection,
  documentOf,
  fetchOf,
  keep,
  object,
  ok,
  sent,
  text,
} from './testing/routed-service.ts';
import { runCheckOf } from './testing/run-check.ts';

const done = { responses: { 200: { description: '' } } };
const flag = { type: 'object', properties: { dark: { type: 'boolean' } } };
const settings = {
  requestBody: { content: { 'application/json': { schema: flag } } },
  responses: { 200: { description: '', content: { 'application/json': { schema: flag } } } },
};
const parameters = [{ name: 'box', in: 'path', required: true, schema: { type: 'integer' } }];

/** What a run must not touch, beside notes, which it may make and remove. */
const DANGEROUS = {
  '/accounts': { delete: done },
  '/shutdown': { post: done },
  '/logout': { get: done },
  '/settings': { put: settings },
  '/boxes/{box}': { parameters, delete: done },
};
const WITHHELD = [
  'DELETE /accounts',
  'POST /shutdown',
  'GET /logout',
  'PUT /settings',
  'DELETE /boxes/{box}',
];

/** A service with accounts, settings and boxes of somebody else. */
function createStranger() {
  const accounts = ['ann', 'ben'];
  const boxes = [1, 2, 3];
  const state = { accounts, boxes, dark: true, isUp: true, isIn: true };
  const service = createNotes({}, (method, path) => {
    const [, box] = /^\/boxes\/(\d+)$/.exec(path) ?? [];
    if (`${method} ${path}` === 'DELETE /accounts') accounts.length = 0;
    else if (`${method} ${path}` === 'POST /shutdown') state.isUp = false;
    else if (`${method} ${path}` === 'GET /logout') state.isIn = false;
    else if (`${method} ${path}` === 'PUT /settings') state.dark = false;
    else if (method === 'DELETE' && box !== undefined) boxes.splice(boxes.indexOf(Number(box)), 1);
    else return undefined;
    return path === '/settings' ? Response.json({ dark: false }) : new Response(null);
  });
  return { ...service, foreign: () => JSON.stringify(state) };
}

/** The operations of the dangerous part that were called. */
const called = (received: readonly string[]) =>
  new Set(received.filter((one) => !one.includes('/notes')).map((one) => one.replace(/\d+$/, '{box}')));

test('a run leaves what it has not made as it was, and says what it has withheld', async () => {
  const { fetch, received, foreign } = createStranger();
  const before = foreign();
  const report = await runCheckOf(notesDocument({}, DANGEROUS), { fetch });
  expect(foreign()).toBe(before);
  expect([...called(received)].filter((one) => one !== 'GET /')).toEqual([]);
  expect(report.withheld.map(({ method, path }) => `${method} ${path}`)).toEqual(WITHHELD);
  const cells = report.cells.filter(({ operationId }) => WITHHELD.includes(operationId));
  expect(cells.map(({ verdict, gates }) => ({ verdict, gates }))).toEqual(
    WITHHELD.map(() => ({ verdict: 'withheld', gates: false })),
  );
  expect(report.cells.filter(({ verdict }) => verdict === 'covered').length).toBe(report.cells.length - 5);
  expect({ exitCode: report.exitCode, told: headline(report) }).toEqual({
    exitCode: 0,
    told: expect.stringMatching(
      /^The contract holds for \d+ of \d+ documented responses \(\d+ of \d+ operations\); 5 operations withheld\.$/,
    ),
  });
});

test('a record of somebody else in a collection that the run can write to is not removed either', async () => {
  const { fetch, notes } = createNotes();
  const body = JSON.stringify({ name: 'mine', size: 3 });
  for (let made = 0; made < 30; made++)
    await fetch(new URL('http://127.0.0.1:1/notes'), { method: 'POST', body });
  const before = JSON.stringify(notes.get('/notes'));
  const { exitCode, totals } = await runCheckOf(notesDocument(), { fetch });
  expect({ exitCode, failed: totals.failed }).toEqual({ exitCode: 0, failed: 0 });
  expect(JSON.stringify(notes.get('/notes'))).toBe(before);
});

test('what is allowed is called, and what is excluded is not, whatever is allowed', async () => {
  const all = createStranger();
  await runCheckOf(notesDocument({}, DANGEROUS), { fetch: all.fetch, allow: ['all'] });
  expect([...called(all.received)]).toEqual(expect.arrayContaining(WITHHELD.slice(0, 4)));

  const some = createStranger();
  const options = { fetch: some.fetch, allow: ['all'], exclude: ['POST /shutdown'] };
  const { cells, withheld } = await runCheckOf(notesDocument({}, DANGEROUS), options);
  expect(called(some.received)).toContain('DELETE /accounts');
  expect(called(some.received)).not.toContain('POST /shutdown');
  expect(withheld).toEqual([]);
  expect(cells.find(({ operationId }) => operationId === 'POST /shutdown')).toMatchObject({
    verdict: 'skipped',
    reason: '--exclude',
  });
});

test('an excluded operation is not called for set-up either, and what depends on it says so', async () => {
  const { fetch, received } = createNotes();
  const exclude = ['POST /notes'];
  const { cells, withheld } = await runCheckOf(notesDocument(), { fetch, exclude, allow: ['all'] });
  expect(received).not.toContain('POST /notes');
  const stands = Object.fromEntries(
    cells.map(({ operationId, status, verdict, reason }) => [
      `${operationId} ${status}`,
      `${verdict}: ${reason}`,
    ]),
  );
  expect(stands).toMatchObject({
    'GET /notes 200': 'covered: undefined',
    'POST /notes 201': 'skipped: --exclude',
    'DELETE /notes/{id} 204': 'skipped: it needs POST /notes, which --exclude names',
  });
  expect(withheld).toEqual([]);
});

test('where nothing but withheld operations is left, the run is incomplete', async () => {
  const { fetch, received, foreign } = createStranger();
  const before = foreign();
  const { paths: _, ...rest } = notesDocument() as { readonly paths: object };
  const report = await runCheckOf({ ...rest, paths: DANGEROUS }, { fetch });
  expect([...called(received)].filter((one) => one !== 'GET /')).toEqual([]);
  expect(foreign()).toBe(before);
  expect(report).toMatchObject({ exitCode: 4, verdict: 'incomplete' });
  expect(report.reason).toContain('--allow');
});

test('x-paddock: { safe: true } in an overlay permits one operation', async () => {
  const overlay = join(await mkdtemp(join(tmpdir(), 'paddock-')), 'safe.json');
  const update = { 'x-paddock': { safe: true } };
  const actions = [{ target: "$.paths['/settings'].put", update }];
  await writeFile(overlay, JSON.stringify({ overlay: '1.0.0', info: { title: '', version: '1' }, actions }));
  const { fetch, received } = createStranger();
  const report = await runCheckOf(notesDocument({}, DANGEROUS), { fetch, overlays: [overlay] });
  expect([...called(received)].filter((one) => one !== 'GET /')).toEqual(['PUT /settings']);
  expect(report.withheld.map(({ path }) => path)).not.toContain('/settings');
});

test('the report says what was never tried, by the line that would reach it', async () => {
  const stop = { put: { requestBody: sent(object({ on: text })), responses: { 200: bare(), 503: bare() } } };
  const create = { responses: { 201: ok({}), 400: bare(), 409: bare('Too many') } };
  const document = documentOf({
    ...collection('/boats', { body: { name: text }, more: { create } }),
    '/settings': stop,
  });
  const start = () => keep('/boats', { name: 'Ada' }).routes;
  const check = async (options: Partial<CheckOptions>) =>
    runCheckOf(document, { ...options, settle: 0, fetch: await fetchOf({ document, start }) });
  const report = await check({});
  expect(headline(report)).toBe(
    'The contract holds for 7 of 10 documented responses (4 of 5 operations); 1 operation withheld.',
  );
  const untried = sectionsOf(report).find(({ id }) => id === 'untried');
  expect(untried?.items).toEqual([
    { name: "--allow 'PUT /settings'", text: 'PUT /settings 200, PUT /settings 503' },
    {
      name: expect.stringMatching(/^x-paddock: \{ unique: .* check\.provoke: FILE /),
      text: 'POST /boats 409',
    },
  ]);
  expect(report.exitCode).toBe(0);
  expect(await check({ strict: ['cells'] })).toMatchObject({ exitCode: 4 });
});
