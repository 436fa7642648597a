import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Ended, ROOT, run } from '../../../quality/testing/command.ts';

/**
 * The path of a linter of requirements.txt: in `.linters/`, else on the path. Undefined if it is not installed. To
 * install them: `python3 -m venv .linters && .linters/bin/pip install -r release/delivery/requirements.txt`.
 */
export function linter(name: 'check-jsonschema' | 'hadolint'): string | undefined {
  const folders = [join(ROOT, '.linters/bin'), ...(process.env.PATH ?? '').split(delimiter)];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

/** Validates YAML with a schema that check-jsonschema contains; exit code 1: it is invalid. */
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
