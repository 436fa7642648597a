import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT, run } from '../../quality/testing/command.ts';
import { blocksOf } from '../../quality/testing/printed-commands.ts';

/** As openapi-typescript writes them. */
const TYPES = `
export interface components { schemas: { Pet: { id: number; name: string; status?: 'sold' | 'available' } } }
export interface operations {
  listPets: { responses: { 200: { content: { 'application/json': components['schemas']['Pet'][] } } } };
}`;

const USE = `
import { createFactories } from 'openapi-paddock/factories';
import 'openapi-paddock/vitest';
import { assertReceived, type Receiver } from 'openapi-paddock/matchers';
import { expect } from 'vitest';
import type { components, operations } from './types.ts';

declare module 'openapi-paddock/matchers' {
  interface DocumentTypes { operations: operations }
}
declare const mock: Receiver;
const { make, respond } = await createFactories<components, operations>('openapi.yaml');
const name: string = make('Pet', { status: 'sold' }).name;
const names: string[] = make('Pet', {}, { count: 2 }).map((pet) => pet.name);
const status: 'sold' | 'available' | undefined = (await respond('listPets', 200, [{ name }])).body[0]?.status;
assertReceived(mock, 'listPets', { query: { limit: names.length, status } });
expect(mock).toHaveReceived('listPets');
`;

test('types: an unknown operation, schema, member or status does not compile', () => {
  const folder = mkdtempSync(join(ROOT, 'factories-types-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const wrong = [
    "make('Pte');",
    "make('Pet', { status: 'gone' });",
    "await respond('listPts', 200);",
    "await respond('listPets', 404);",
    "assertReceived(mock, 'createPet');",
    "expect(mock).toHaveReceived('createPet');",
  ];
  const expected = wrong.map((line) => `// @ts-expect-error\n${line}`).join('\n');
  writeFileSync(join(folder, 'types.ts'), TYPES);
  writeFileSync(join(folder, 'use.ts'), USE + expected);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../tsconfig.json', include: ['*.ts'] }),
  );
  const compile = () =>
    execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['--project', folder], { encoding: 'utf8' });
  try {
    expect(compile()).toBe('');
  } catch (error) {
    throw new Error(String((error as { stdout?: string }).stdout ?? error));
  }
});

test('the programs of docs/factories.md pass', async () => {
  // Inside the clone, whose package.json makes the package's name importable.
  const folder = mkdtempSync(join(ROOT, 'factories-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'spec'));
  cpSync(join(ROOT, 'spec/openapi.yaml'), join(folder, 'spec/openapi.yaml'));
  for (const step of blocksOf('docs/factories.md').flatMap(({ steps }) => steps))
    if ('file' in step) writeFileSync(join(folder, step.file), step.text);
  const { code, output } = await run(folder, ['vitest', 'run', '--root', folder]);
  expect(output).toMatch(/Tests +4 passed/);
  expect(code).toBe(0);
});
