import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT, run } from '../../../quality/testing/command.ts';
import { linter } from './linter.ts';

const PROGRAM = linter('hadolint');

describe.skipIf(PROGRAM === undefined)(`by ${PROGRAM ?? 'hadolint: it is not installed'}`, () => {
  const lint = (file: string) =>
    run(ROOT, [PROGRAM as string, '--no-color', '--failure-threshold', 'style', file]);

  test('the Dockerfile has no fault', { timeout: 60_000 }, async () => {
    expect(await lint('Dockerfile')).toEqual({ code: 0, output: '' });
    const file = join(mkdtempSync(join(tmpdir(), 'lint-')), 'Dockerfile');
    writeFileSync(
      file,
      readFileSync(join(ROOT, 'Dockerfile'), 'utf8').replace('RUN npm ci', 'RUN cd / && npm ci'),
    );
    expect((await lint(file)).output).toContain('DL3003');
  });
});
