import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../../quality/testing/command.ts';

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
