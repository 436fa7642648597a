import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Ended, ROOT, run } from '../../../quality/testing/command.ts';
import { PROGRAM, startMock } from '../../../quality/testing/paddock.ts';

/** The document of the base branch. */
export const OLD = join(ROOT, 'fixtures/compat/old.yaml');
/** A document with breaking changes from {@link OLD}. */
export const NEW = join(ROOT, 'fixtures/compat/new.yaml');

/** A clone of a user's repository, beside its remote. */
export interface UserProject {
  readonly folder: string;
  /** Replaces the document, like a pull request. */
  edit(document: string): void;
}

/** A repository with a document, `api/openapi.yaml`, on the branch `main`, and with Paddock installed. */
export async function userProject({ installed = true } = {}): Promise<UserProject> {
  const home = mkdtempSync(join(tmpdir(), 'user-'));
  const [remote, folder] = [join(home, 'remote'), join(home, 'work')];
  const place = join(remote, 'api/openapi.yaml');
  mkdirSync(join(remote, 'api'), { recursive: true });
  copyFileSync(OLD, place);
  const git = async (where: string, ...args: string[]) => {
    const { code, output } = await run(where, [
      'git',
      '-c',
      'user.name=u',
      '-c',
      'user.email=u@localhost',
      ...args,
    ]);
    if (code !== 0) throw new Error(`git ${args.join(' ')}: ${output}`);
  };
  await git(remote, 'init', '--quiet', '--initial-branch=main');
  await git(remote, 'add', '.');
  await git(remote, 'commit', '--quiet', '--message=First');
  // As actions/checkout creates it: one commit, without the branches of the remote.
  mkdirSync(folder);
  await git(folder, 'init', '--quiet', '--initial-branch=work');
  await git(folder, 'remote', 'add', 'origin', remote);
  await git(folder, 'fetch', '--quiet', '--depth=1', 'origin', '+refs/heads/main:refs/remotes/pull/7/merge');
  await git(folder, 'checkout', '--quiet', '--detach', 'refs/remotes/pull/7/merge');
  if (installed) {
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
    // npm makes it executable when it installs the package; in a clone it is not.
    const script = `#!/bin/sh\nexec node '${PROGRAM}' "$@"\n`;
    writeFileSync(join(folder, 'node_modules/.bin/openapi-paddock'), script, { mode: 0o755 });
  }
  return { folder, edit: (document) => copyFileSync(document, join(folder, 'api/openapi.yaml')) };
}

interface Script {
  /** The program and arguments that take the file of the script. */
  readonly shell: readonly string[];
  readonly script: string;
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Variables of this machine that a CI job has as well; all others are left out. */
const KEPT = ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE'];

/** Runs the lines of a job with this Node on the path, and without this process's other variables. */
export function runScript({ shell, script, folder, env }: Script): Promise<Ended> {
  const file = join(mkdtempSync(join(tmpdir(), 'script-')), 'script.sh');
  writeFileSync(file, script);
  const foreign = Object.keys(process.env).filter((name) => !KEPT.includes(name));
  const PATH = [dirname(process.execPath), env.PATH ?? process.env.PATH].join(delimiter);
  return run(folder, [...shell, file], {
    ...Object.fromEntries(foreign.map((name) => [name, undefined])),
    ...env,
    PATH,
  });
}

/** Texts with which a hostile service would try to make a CI service execute commands, or a page show content. */
const HOSTILE = [
  '\n::error title=forged::pwned',
  '\r\n::set-output name=forged::1',
  '%0A::warning::pwned',
  '##[error]pwned',
  '$(touch pwned)`touch pwned`',
  '<script>pwned</script>',
  '\u001b[31m\u2028::notice::pwned',
].join(' ');

/** The base URL of a service that keeps the contract of {@link OLD}. */
export async function startKeeping(): Promise<string> {
  const mock = await startMock([OLD]);
  onTestFinished(async () => void (await mock.stop()));
  return mock.url;
}

/** The base URL of a service that violates it, with hostile texts for whoever reads the report. */
export async function startBreaking(): Promise<string> {
  const mock = await startMock([OLD]);
  onTestFinished(async () => void (await mock.stop()));
  const { status } = await fetch(`http://127.0.0.1:${mock.port}/__admin/answers`, {
    method: 'POST',
    body: JSON.stringify({ operation: 'listBooks', body: [{ id: HOSTILE, [HOSTILE]: HOSTILE }] }),
  });
  if (status !== 201) throw new Error(`the rule was answered ${status}`);
  return mock.url;
}

export const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
