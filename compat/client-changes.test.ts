import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { loadContract } from '#spec';
import { clientChanges } from './client-changes.ts';
import { compat } from './index.ts';
import { documentOf, json, OK, posted } from './testing/documents.ts';

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/compat/${name}`, import.meta.url));

async function changesBetween(...documents: readonly [old: object, next: object]) {
  const folder = await mkdtemp(join(tmpdir(), 'client-changes-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [old, next] = [join(folder, 'old.json'), join(folder, 'new.json')];
  await writeFile(old, JSON.stringify(documents[0]));
  await writeFile(next, JSON.stringify(documents[1]));
  return clientChanges(await loadContract(old), await loadContract(next));
}

test('changes have the classes that a comparison by running gives them', async () => {
  const [old, next] = [fixture('old.yaml'), fixture('new.yaml')];
  const found = await clientChanges(await loadContract(old), await loadContract(next));
  const { changes = [] } = await compat(old, next);
  expect(found).toEqual(
    changes.map(({ class: own, subject, text, reason, new: at, operations }) => {
      return { class: own, subject, text, reason, at, operations };
    }),
  );
  expect(found[0]).toMatchObject({ class: 'breaking', at: expect.stringMatching(/new\.yaml:10$/) });
});

test('a limit that no value can meet breaks nobody, and comes after what does', async () => {
  const size = (maximum: number) => ({ type: 'integer', enum: [1, 2], maximum });
  const body = (maximum: number, name: object) =>
    posted({ type: 'object', properties: { size: size(maximum), name } });
  const found = await changesBetween(
    body(100, { type: 'string', maxLength: 9 }),
    body(50, { type: 'string', maxLength: 8 }),
  );
  expect(found).toMatchObject([
    { class: 'breaking', text: 'max length 9 -> 8' },
    { class: 'warning', text: 'maximum 100 -> 50', reason: 'no value that was tried shows it' },
  ]);
});

test('operations are named as the newer document names them; those that are gone, not at all', async () => {
  const list = (operationId: string, limit: object) => ({
    operationId,
    parameters: [{ name: 'limit', in: 'query', schema: limit }],
    responses: { 200: { description: 'All.', ...json({ type: 'array' }) } },
  });
  const old = documentOf({
    '/things': { get: list('listThings', { type: 'integer' }) },
    '/gone': { get: { operationId: 'getGone', responses: OK } },
  });
  const next = documentOf({ '/things': { get: list('allThings', { type: 'boolean' }) } });
  const found = await changesBetween(old, next);
  expect(found.map(({ text, operations }) => [text, operations])).toEqual([
    ['type changed: integer -> boolean', ['allThings']],
    ['operation removed: GET /gone', []],
    ['operation id changed: listThings -> allThings', ['allThings']],
  ]);
});
