import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT, run } from '../../testing/command.ts';
import { linter } from './linter.ts';

/** Files of others' formats, by the schemas that their makers publish. */
const PROGRAM = linter('check-jsonschema');

async function conforms(schema: string, text: string) {
  const file = join(mkdtempSync(join(tmpdir(), 'lint-')), 'file.yml');
  writeFileSync(file, text);
  const args = [
    '--builtin-schema',
    schema,
    ...(schema.endsWith('gitlab-ci') ? ['--data-transform', 'gitlab-ci'] : []),
  ];
  return run(ROOT, [PROGRAM as string, ...args, file]);
}

const FILES = [['action.yml', 'vendor.github-actions', /^ +using: .*$/m]] as const;

describe.skipIf(PROGRAM === undefined)(`by ${PROGRAM ?? 'check-jsonschema: it is not installed'}`, () => {
  test.each(FILES)('%s conforms to %s', { timeout: 60_000 }, async (file, schema, needed) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const { code, output } = await conforms(schema, text);
    expect({ code, output }).toEqual({ code: 0, output });
    expect(text).toMatch(needed);
    expect((await conforms(schema, text.replace(needed, ''))).code).toBe(1);
  });
});
