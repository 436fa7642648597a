import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findDocuments } from './find-documents.ts';
import { outcomeOf, runDocuments } from './run-documents.ts';

const GOOD = `
openapi: 3.1.0
info: { title: Buoys, version: '1' }
paths:
  /buoys:
    get:
      responses:
        '200':
          description: All buoys
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Buoy' } } } }
components:
  schemas:
    Buoy: { type: object, required: [id, colour], properties: { id: { type: integer }, colour: { type: string } } }
`;

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'corpus-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const LIMITS = { jobs: 2, maxTime: 60, maxMemory: 1024 };

test('each document gets a row: one that is accepted, one that is refused, one that ends before its result', async () => {
  const folder = folderOf({
    'good.yaml': GOOD,
    'refused.yaml': GOOD.replace('/components/schemas/Buoy', '/components/schemas/Anchor'),
    'broken.yaml': `${GOOD}\n: [`,
    'note.json': '{"text":"no document"}',
  });
  const documents = findDocuments(folder);
  expect(documents.map(({ document }) => document)).toEqual(['broken.yaml', 'good.yaml', 'refused.yaml']);
  const told: string[] = [];
  const [broken, good, refused] = await runDocuments(documents, LIMITS, (row) => told.push(row.document));
  expect(told.sort()).toEqual(documents.map(({ document }) => document));
  expect(broken?.refused).toMatch(/^broken\.yaml:\d+: /);
  expect(good).toMatchObject({
    document: 'good.yaml',
    start: { operations: 1, stateful: 1 },
    check: { exitCode: 0, promises: 1, complaints: [] },
  });
  expect(good && outcomeOf(good)).toBe('agrees');
  expect(refused).toMatchObject({
    refused: expect.stringMatching(/^refused\.yaml:\d+: .*Anchor/),
  });
});

test('a document that takes too long is a row, and so is one that takes too much memory', async () => {
  const [document] = findDocuments(folderOf({ 'good.yaml': GOOD }));
  if (!document) throw new Error('not found');
  const [slow] = await runDocuments([document], { ...LIMITS, maxTime: 0.05 });
  expect(slow).toMatchObject({ crash: 'no result in time' });
  const [large] = await runDocuments([document], { ...LIMITS, maxMemory: 8 });
  expect(large).toMatchObject({ crash: expect.stringMatching(/heap out of memory|SIGABRT/) });
  expect(large && outcomeOf(large)).toBe('crashes');
});
