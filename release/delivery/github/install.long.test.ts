import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../../quality/testing/command.ts';
import { installFromTarball, type Project } from '../../packaging/testing/project.ts';
import { startKeeping } from '../testing/services.ts';
import { userProject } from '../testing/user-project.ts';
import { runAction } from './run-action.ts';

/** The action in a project without Paddock: it installs the package, here from the tarball that would be published. */
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
let project: Project;

beforeAll(async () => {
  project = await installFromTarball();
}, 300_000);

afterAll(() => rmSync(dirname(project.folder), { recursive: true }));

test('the package of the version of the action is installed beside the project', {
  timeout: 300_000,
}, async () => {
  const { folder } = await userProject({ installed: false });
  // The tarball is in the place of the registry's package; all else is npm's.
  const bin = dirname(folder);
  const script = `#!/bin/sh
for argument; do
  shift
  case $argument in openapi-paddock@${version}) set -- "$@" '${project.tarball}' ;; *) set -- "$@" "$argument" ;; esac
done
exec '${npm}' "$@" --prefer-offline
`;
  writeFileSync(join(bin, 'npm'), script, { mode: 0o755 });
  const { NODE_EXTRA_CA_CERTS } = process.env;
  const { status, outputs, log } = await runAction({
    workspace: folder,
    env: { PATH: `${bin}:${process.env.PATH}`, NODE_EXTRA_CA_CERTS },
    inputs: { document: 'api/openapi.yaml', target: await startKeeping() },
  });
  expect({ status, log }).toEqual({ status: 'success', log });
  expect(outputs.verdict).toBe('holds');
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: folder, encoding: 'utf8' })).toBe(
    '?? paddock-reports/\n',
  );
});
