import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';

/** As many as Linux follows (path_resolution(7)). */
const MOST_LINKS = 40;

/** Open files of a process: each has the type of a file, but cannot be replaced. */
const OPEN_FILE = /^\/(?:proc|dev\/fd)\//;

/** Links of the system, such as `/dev/stdout`. */
const OF_SYSTEM = /^\/(?:dev|proc)\//;

/**
 * The file behind symbolic links, which need not exist; undefined: it is a device, a pipe, or an open file of a process.
 * @param mayLeave whether a link may lead out of its folder: naming a folder does not include what others have linked
 * there
 * @throws Error for a folder, for a link that may not be followed, and of the system
 */
export function fileBehind(path: string, mayLeave = false): string | undefined {
  let at = resolve(path);
  let home: string | undefined;
  for (let links = 0; links <= MOST_LINKS; links++) {
    if (OPEN_FILE.test(at)) return undefined;
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (!stats || stats.isFile()) return at;
    if (stats.isDirectory()) throw new Error(`${path} is a folder`);
    if (!stats.isSymbolicLink()) return undefined;
    // The system resolves links in the folder of a link, and on its way, first.
    const target = readlinkSync(at);
    const folder = realpathSync.native(dirname(at));
    home ??= folder;
    const way = isAbsolute(target) ? target : `${folder}/${target}`;
    const next = join(
      existsSync(dirname(way)) ? realpathSync.native(dirname(way)) : dirname(way),
      basename(way),
    );
    if (!mayLeave && !OF_SYSTEM.test(at) && !next.startsWith(home + sep))
      throw new Error(
        `${path} is a link that leads out of its folder, to ${next}: name that file, or remove the link`,
      );
    at = next;
  }
  throw new Error(`${path} leads through more than ${MOST_LINKS} symbolic links`);
}

/**
 * Replaces a file atomically: readers find the old text or the new one, however the process ends. The text is written
 * beside the old file, which it then replaces with the same mode; a pipe or `/dev/stdout` is written directly. Links are
 * followed as {@link fileBehind} does.
 * @throws Error of the system; the old text stays
 */
export function replaceFile(path: string, text: string, mayLeave = false): void {
  const file = fileBehind(path, mayLeave);
  if (file === undefined) {
    writeFileSync(path, text, { flag: 'a' });
    return;
  }
  const before = statSync(file, { throwIfNoEntry: false });
  // A rename checks permissions of the folder only, not of the file.
  if (before) closeSync(openSync(file, 'r+'));
  removeLeftOver(file);
  const beside = besideOf(file);
  const handle = openBeside(beside, before ? 0o600 : 0o666);
  try {
    writeFileSync(handle, text);
    if (before) keepOwner(handle, before);
    fsyncSync(handle);
    closeSync(handle);
    renameSync(beside, file);
  } catch (error) {
    unlinkSync(beside);
    if (!IRREPLACEABLE.includes(`${(error as NodeJS.ErrnoException).code}`)) throw error;
    writeFileSync(file, text);
  }
}

/**
 * Checks whether a file can be replaced, without changing it.
 * @throws Error if it cannot
 */
export function tryReplacing(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })) closeSync(openSync(file, 'r+'));
  removeLeftOver(file);
  const beside = besideOf(file);
  closeSync(openBeside(beside, 0o600));
  unlinkSync(beside);
}

function openBeside(beside: string, mode: number): number {
  try {
    return openSync(beside, 'wx', mode);
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    throw new Error(`no file can be made in ${dirname(beside)} (${why})`, { cause: error });
  }
}

function keepOwner(handle: number, { mode, uid, gid }: Stats): void {
  try {
    fchownSync(handle, uid, gid);
  } catch {
    // Only the superuser can keep the owner; otherwise the file belongs to the writer.
  }
  fchmodSync(handle, mode & 0o777);
}

/** Process ids are unique within one machine or container only. */
const HOST =
  hostname()
    .replace(/[^\w-]/g, '')
    .slice(0, 40) || 'host';
const LEFT_OVER = /^([\w-]+)~(\d+)~\w+\.paddock-new$/;
/** Milliseconds after which an unfinished file of another machine counts as abandoned, too. */
const STALE = 60 * 60 * 1000;

/** For a file that is a mount point, as in containers, or that another program has open (Windows). */
const IRREPLACEABLE = process.platform === 'win32' ? ['EBUSY', 'EPERM', 'EACCES'] : ['EBUSY'];

let count = 0;

function besideOf(file: string): string {
  const name = `${prefixOf(file)}${HOST}~${process.pid}~${count++}.paddock-new`;
  return join(dirname(file), name);
}

/** A file name has at most 255 bytes. */
function prefixOf(file: string): string {
  return `.${basename(file).slice(0, 40)}.`;
}

/** Removes the temporary files of killed writers. */
function removeLeftOver(file: string): void {
  const [folder, prefix] = [dirname(file), prefixOf(file)];
  for (const name of readdirSync(folder)) {
    const [, host, pid] = (name.startsWith(prefix) && LEFT_OVER.exec(name.slice(prefix.length))) || [];
    if (host === undefined) continue;
    const isOver = host === HOST && !isRunning(Number(pid));
    if (!isOver && !isStale(join(folder, name))) continue;
    try {
      unlinkSync(join(folder, name));
    } catch {
      // Another run was faster, or it belongs to another user.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isStale(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > STALE;
}
