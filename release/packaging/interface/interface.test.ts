import { cp, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { ROOT, run } from '../../../quality/testing/command.ts';
import { execute } from '../release/execute.ts';

/** That the stable interface does not change without a line in the change log. */
const PATIENT = { timeout: 300_000 };
/** What a copy of the clone does without. */
const LEFT_OUT = /^(?:docs|corpus|console|fixtures|examples)\//;

/** Standard error is left out: the compiler may tell of its end there. */
async function runInterface(folder: string, options: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const command = [process.execPath, 'release/packaging/interface/run-interface.ts', ...options];
  const { code, stdout } = await execute(folder, command, env);
  return { code, stdout };
}

/** A copy in which the version has its tag. */
async function releasedCopy(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'interface-'));
  const { output } = await run(ROOT, ['git', 'ls-files', '--cached', '--others', '--exclude-standard']);
  const files = output.split('\n').filter((file) => /\w$/.test(file) && !LEFT_OUT.test(file));
  for (const file of files)
    await cp(join(ROOT, file), join(folder, file)).catch((error) => {
      // Another test may have removed it in the meantime.
      if (error.code !== 'ENOENT') throw error;
    });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const git = ['git', '-c', 'user.name=test', '-c', 'user.email=test@localhost'];
  for (const command of [
    ['init', '-q'],
    ['commit', '-q', '--allow-empty', '-m', 'released'],
    ['tag', `v${packageJson.version}`],
  ])
    expect(await run(folder, [...git, ...command])).toMatchObject({ code: 0 });
  return folder;
}

async function replaceIn(file: string, text: string, by: string): Promise<void> {
  const content = await readFile(file, 'utf8');
  expect(content).toContain(text);
  await writeFile(file, content.replace(text, by));
}

test(
  'stable-interface.json is what the code tells, and the change log names what has changed',
  PATIENT,
  async () => {
    expect(await runInterface(ROOT, ['--check'])).toEqual({ code: 0, stdout: '' });
  },
);

test('an option cannot be removed without a line in the change log', PATIENT, async () => {
  const folder = await releasedCopy();
  const stored = join(folder, 'stable-interface.json');
  const before = await readFile(stored, 'utf8');
  await replaceIn(join(folder, 'cli/judge.ts'), '...BASELINE_OPTIONS,', '...BASELINE_OPTIONS.slice(0, 1),');
  for (const options of [['--check'], []]) {
    const { code, stdout } = await runInterface(folder, options);
    expect(stdout).toContain('  - paddock judge > --new-only\n');
    expect(stdout).toContain('Add a line under [Unreleased] in CHANGELOG.md that names each of these');
    expect(stdout).toContain('  paddock judge > --new-only (under Changed or Removed)\n');
    expect(code).toBe(1);
  }
  expect(await readFile(stored, 'utf8')).toBe(before);

  const line = '## [Unreleased]\n\n### Removed\n\n- `--new-only` of `paddock judge`.\n';
  await replaceIn(join(folder, 'CHANGELOG.md'), '## [Unreleased]\n', line);
  const named = await runInterface(folder, ['--check']);
  expect([named.code, named.stdout]).toEqual([1, expect.stringContaining('run `npm run interface`')]);
  expect(await runInterface(folder)).toMatchObject({ code: 0 });
  expect(await runInterface(folder, ['--check'])).toEqual({ code: 0, stdout: '' });
  expect(JSON.parse(await readFile(stored, 'utf8')).changedSince).toMatchObject({
    'paddock judge > --new-only': 'PADDOCK_NEW_ONLY',
  });
});

test('variables of the user change nothing', PATIENT, async () => {
  const env = { PADDOCK_PORT: '', PADDOCK_WATCH: 'off', PADDOCK_SEED: '7' };
  expect(await runInterface(ROOT, ['--check'], env)).toEqual({ code: 0, stdout: '' });
});
