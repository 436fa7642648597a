import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/threats.md', ROOT), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => /^\| (?!---|threat )/.test(line))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

test('each threat has a countermeasure, and tests that exist', () => {
  expect(rows.length).toBeGreaterThan(15);
  for (const [threat, countermeasure, tests = ''] of rows) {
    expect(threat).not.toBe('');
    expect(countermeasure).not.toBe('');
    const files = [...tests.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => !file.endsWith('.test.ts') || !existsSync(new URL(file, ROOT)))).toEqual(
      [],
    );
  }
});
