import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ended, ROOT, run } from '../../../quality/testing/command.ts';
import { linter } from './linter.ts';

/** Validates YAML by a schema that comes with check-jsonschema; exit code 1: it does not conform. */
export async function conforms(schema: string, text: string): Promise<Ended> {
  const file = join(mkdtempSync(join(tmpdir(), 'lint-')), 'file.yml');
  writeFileSync(file, text);
  const args = [
    '--builtin-schema',
    schema,
    ...(schema.endsWith('gitlab-ci') ? ['--data-transform', 'gitlab-ci'] : []),
  ];
  return run(ROOT, [linter('check-jsonschema') as string, ...args, file]);
}
