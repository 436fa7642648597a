import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ROOT } from '../../../quality/testing/command.ts';

/**
 * The path of a linter of requirements.txt: in `.linters/`, else on the path. Undefined: it is not installed. To install
 * them: `python3 -m venv .linters && .linters/bin/pip install -r release/delivery/linters/requirements.txt`.
 */
export function linter(name: 'check-jsonschema' | 'hadolint'): string | undefined {
  const folders = [join(ROOT, '.linters/bin'), ...(process.env.PATH ?? '').split(delimiter)];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}
