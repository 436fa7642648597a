import { expect, test } from 'vitest';
import { type Operation, readContract } from '#spec';
import type { Fetch } from '../send/client.ts';
import { withOperations } from '../settings/for-document.ts';
import { resolveSettings } from '../settings/settings.ts';
import { createNotes, notesDocument } from '../testing/notes-service.ts';
import { runCheckOf } from '../testing/run-check.ts';
import { createBudget } from './budget.ts';
import { createPermissions } from './permissions.ts';

/** Six collections, three operations each, and no record of them can be removed. */
const LASTING = {
  collections: ['/notes', '/tasks', '/plans', '/rooms', '/tools', '/files'],
  removable: false,
};
const DOCUMENT = notesDocument(LASTING);

/** It takes a size that is too large for the greatest that it allows, in one collection. */
const repairing =
  (fetch: Fetch): Fetch =>
  (url, init) => {
    if (url.pathname !== '/files' || init.method !== 'POST' || !init.body) return fetch(url, init);
    const text = Buffer.from(init.body as Uint8Array).toString();
    return fetch(url, { ...init, body: text.replace(/"size":\d{2,}/, '"size":9') });
  };

const cellOf = (cells: readonly { operationId: string; status: number }[], id: string, status: number) =>
  cells.find((cell) => cell.operationId === id && cell.status === status);

test('a correct service without any delete is checked whole where there is room for its records', async () => {
  const { fetch } = createNotes(LASTING);
  const { exitCode, cells, reason } = await runCheckOf(DOCUMENT, { fetch, maxCreates: 1000 });
  expect({ exitCode, reason }).toEqual({ exitCode: 0, reason: undefined });
  const refusals = cells.filter(({ status }) => status === 400);
  expect(refusals.length).toBe(LASTING.collections.length);
  expect(refusals.map(({ ran, of }) => of > 20 && ran === of)).toEqual(refusals.map(() => true));
});

test('an invalid member that a service without any delete repairs is found, whatever was created before', async () => {
  const { fetch } = createNotes(LASTING);
  const { exitCode, cells } = await runCheckOf(DOCUMENT, { fetch: repairing(fetch) });
  expect(exitCode).toBe(1);
  expect(cellOf(cells, 'POST /files', 400)).toMatchObject({ verdict: 'violated' });
});

test.each([1, 4])('a budget leaves cases out, and the report says so (jobs: %s)', async (jobs) => {
  const { fetch, notes } = createNotes(LASTING);
  const { exitCode, cells, reason, findings } = await runCheckOf(DOCUMENT, { fetch, jobs, maxCreates: 20 });
  const left = [...notes.values()].map(({ length }) => length);
  expect(left.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(20);
  // Each operation gets its share.
  expect(Math.min(...left)).toBeGreaterThan(0);
  expect({ exitCode, findings }).toEqual({ exitCode: 4, findings: [] });
  expect(reason).toContain('--max-creates');
  const creates = cells.filter(({ operationId, status }) => operationId.startsWith('POST') && status === 201);
  for (const { verdict, ran, of, reason } of creates) {
    expect({ verdict, isPart: ran < of }).toEqual({ verdict: 'partly covered', isPart: true });
    expect(reason).toMatch(/^\d+ of \d+ cases ran: .*--max-creates/);
  }
  // What must be refused costs nothing; what is of another media type may be taken.
  const refusals = cells.filter(({ status }) => status === 400);
  expect(refusals.every(({ ran, of }) => of > 20 && of - ran <= 1)).toBe(true);
});

test('where records can be removed, a bound of one costs no case', async () => {
  const removable = { ...LASTING, removable: true };
  const { fetch, notes } = createNotes(removable);
  const { exitCode, cells } = await runCheckOf(notesDocument(removable), { fetch, maxCreates: 1 });
  expect(exitCode).toBe(0);
  expect(cells.filter(({ ran, of }) => ran < of)).toEqual([]);
  expect([...notes.values()].flat()).toEqual([]);
});

test('what the service makes of an invalid body, without an id or a mark by which it could be removed, is bounded', async () => {
  const removable = { ...LASTING, collections: ['/notes'], removable: true };
  const { fetch } = createNotes(removable);
  let made = 0;
  const careless: Fetch = (url, init) => {
    const isNull = init.body && Buffer.from(init.body as Uint8Array).toString() === 'null';
    if (!isNull) return fetch(url, init);
    made += 1;
    return Promise.resolve(Response.json({ name: 'unnamed' }, { status: 201 }));
  };
  const { created } = await runCheckOf(notesDocument(removable), {
    fetch: careless,
    maxCreates: 3,
    examples: 200,
  });
  expect([made, created.length]).toEqual([3, 3]);
});

test('records whose removal is refused leave room for those that are removed again', async () => {
  const two = { collections: ['/notes', '/tasks'] };
  const { fetch, notes } = createNotes(two);
  const refusing: Fetch = (url, init) =>
    init.method === 'DELETE' && url.pathname.startsWith('/notes/')
      ? Promise.resolve(new Response(null, { status: 403 }))
      : fetch(url, init);
  const { cells } = await runCheckOf(notesDocument(two), { fetch: refusing, maxCreates: 12 });
  expect(notes.get('/notes')?.length).toBeLessThan(12);
  expect(notes.get('/tasks')).toEqual([]);
  const task = cellOf(cells, 'POST /tasks', 201);
  expect(task).toMatchObject({ verdict: 'covered' });
});

test('a case makes room for what its records stand below, which the service cannot remove', async () => {
  const removable = { collections: ['/notes/{noteId}/lines'], removable: true };
  const lasting = notesDocument({ collections: ['/notes'], removable: false }) as { paths: object };
  const parameter = { name: 'noteId', in: 'path', required: true, schema: { type: 'integer' } };
  const { paths } = notesDocument(removable) as { paths: Record<string, { parameters?: object[] }> };
  const below = Object.entries(paths).map(([path, item]) => {
    return [path, { ...item, parameters: [parameter, ...(item.parameters ?? [])] }];
  });
  const document = { ...lasting, paths: { ...lasting.paths, ...Object.fromEntries(below) } };
  const contract = await readContract(document, 'notes.json');
  const options = { target: 'http://127.0.0.1:1', document: '', maxCreates: 100 };
  const settings = withOperations(resolveSettings(options), contract);
  const [operation] = contract.operations.filter(({ path }) => path === '/notes/{noteId}/lines');
  if (!operation) throw new Error('not found');
  const one = { operation, status: 200, unsafe: true, creates: 3 };
  const cases = [one, { ...one, createsAbove: true }];
  const { allowanceOf } = createBudget(contract, createPermissions(contract, settings), settings, cases);
  expect(cases.map((_, order) => allowanceOf([order]).left)).toEqual([0, 3]);
});

test('a case against a target that may be broken may send a create again', async () => {
  const contract = await readContract(DOCUMENT, 'notes.json');
  const leftOf = (disposable: boolean) => {
    const settings = resolveSettings({ target: 'http://localhost', document: '', disposable });
    const operation = contract.operations.find(({ id }) => id === 'POST /notes') as Operation;
    const cases = [{ operation, status: 201, unsafe: true }];
    return createBudget(contract, createPermissions(contract, settings), settings, cases).allowanceOf([0])
      .left;
  };
  expect([false, true].map(leftOf)).toEqual([1, 10]);
});
