import { realpathSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** The names of a configuration file; a folder may have only one. */
const FILE_NAMES = ['yaml', 'yml', 'json', 'ts', 'mts', 'js', 'mjs'].map((end) => `paddock.config.${end}`);

interface Place {
  /** The folder at which the search ends. Default: the user's home directory. */
  readonly home?: string;
  /** The id of the user. Default: that of the process; undefined where files have no owner. */
  readonly user?: number | undefined;
}

/**
 * The path of the configuration file of a folder, or of the nearest parent folder with one. The search ends at the root of
 * a repository (a folder with `.git`), at the home directory, or at the root of the file system. Files in parent folders
 * must belong to the user, to root or to the folder's owner, since others may write to `/tmp`.
 * @throws ConfigurationError for two files in one folder, and for one that belongs to another user
 */
export function findConfiguration(folder: string, place: Place = {}): string | undefined {
  let home: string | undefined;
  for (let at = folder; ; ) {
    const file = fileIn(at);
    if (file !== undefined) {
      if (at !== folder) requireOwner(file, folder, 'user' in place ? place.user : process.getuid?.());
      return file;
    }
    const above = dirname(at);
    home ??= place.home ?? homeOfUser();
    if (above === at || at === home || statOf(join(at, '.git'))) return undefined;
    at = above;
  }
}

function fileIn(folder: string): string | undefined {
  const [first, second] = FILE_NAMES.filter((name) => statOf(join(folder, name))?.isFile());
  if (first !== undefined && second !== undefined)
    throw new ConfigurationError(
      `${folder} has two configuration files, ${first} and ${second}: remove one of them, or name one with --config`,
    );
  return first === undefined ? undefined : join(folder, first);
}

function requireOwner(file: string, folder: string, user: number | undefined): void {
  if (user === undefined) return;
  const owner = statOf(file)?.uid;
  if (owner === 0 || owner === user || owner === statOf(folder)?.uid) return;
  throw new ConfigurationError(
    `${file} belongs to another user, and is not read: --config ${file} reads it, --config none does without`,
  );
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // An inaccessible file counts as missing.
    return undefined;
  }
}

/** The home directory without symbolic links, like the working directory; empty if there is none. */
function homeOfUser(): string {
  try {
    return realpathSync(homedir());
  } catch {
    return '';
  }
}

/** An unusable configuration file: the message lists all problems, one per line, with their places. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}
