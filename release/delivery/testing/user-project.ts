import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, run } from '../../../quality/testing/command.ts';
import { PROGRAM } from '../../../quality/testing/paddock.ts';

/** The document of the base branch. */
export const OLD = join(ROOT, 'fixtures/compat/old.yaml');
/** One that breaks clients of {@link OLD}. */
export const NEW = join(ROOT, 'fixtures/compat/new.yaml');

/** The clone of a user's repository, its remote beside it. */
export interface UserProject {
  readonly folder: string;
  /** Replaces the document, as the edit of a pull request does. */
  edit(document: string): void;
}

/** A repository with a document, `api/openapi.yaml`, on its branch `main`, and with Paddock installed. */
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
  // As actions/checkout has it: one commit, without the branches of the remote.
  mkdirSync(folder);
  await git(folder, 'init', '--quiet', '--initial-branch=work');
  await git(folder, 'remote', 'add', 'origin', remote);
  await git(folder, 'fetch', '--quiet', '--depth=1', 'origin', '+refs/heads/main:refs/remotes/pull/7/merge');
  await git(folder, 'checkout', '--quiet', '--detach', 'refs/remotes/pull/7/merge');
  if (installed) {
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
    // npm makes it executable as it installs the package; in a clone it is not.
    const script = `#!/bin/sh\nexec node '${PROGRAM}' "$@"\n`;
    writeFileSync(join(folder, 'node_modules/.bin/openapi-paddock'), script, { mode: 0o755 });
  }
  return { folder, edit: (document) => copyFileSync(document, join(folder, 'api/openapi.yaml')) };
}
