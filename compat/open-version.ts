import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { DocumentError, percentDecode } from '#spec';

/** A document at its location, or at that of a copy. */
export interface OpenVersion {
  readonly location: string;
  /** Replaces the names of copies by the user's. */
  readonly rename: (text: string) => string;
  close(): Promise<void>;
}

/** `git:REF:PATH`. A REF has no colon (git-check-ref-format); a path is relative to the repository, or starts with `./`. */
const REVISION = /^git:([^:]+):(.+)$/s;

/**
 * Opens a document: a path, an http(s) URL, or `git:REF:PATH` for a file of a revision in the repository of the working
 * directory, with the files below its folder that it refers to.
 * @throws DocumentError if git does not have it
 */
export async function openVersion(text: string): Promise<OpenVersion> {
  const [, ref, path] = REVISION.exec(text) ?? [];
  if (ref === undefined || path === undefined)
    return { location: text, rename: (one) => one, close: async () => undefined };
  // Prevents passing an option to git.
  if (ref.startsWith('-')) throw unreadable(text, `"${ref}" is no revision`);
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'paddock-compat-')));
  try {
    const inRepository = path.startsWith('./') ? posix.join(await prefix(text), path) : posix.normalize(path);
    if (inRepository.startsWith('..')) throw unreadable(text, `${path} is outside of the repository`);
    await extract(text, ref, inRepository, folder);
    // Files below the working directory are shown with slashes on any system.
    const places = [folder + sep, `${relative('', folder).split(sep).join('/')}/`];
    return {
      location: join(folder, inRepository),
      rename: (one) => places.reduce((text, place) => text.replaceAll(place, `git:${ref}:`), one),
      close: () => rm(folder, { recursive: true, force: true }),
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Copies the file, and all that it refers to below its folder: reading reports names that cannot be resolved. */
async function extract(text: string, ref: string, first: string, folder: string): Promise<void> {
  const [waiting, seen] = [[first], new Set<string>()];
  const root = posix.dirname(first);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const content = await show(`${ref}:${path}`).catch((error: Error) => {
      if (path === first) throw unreadable(text, reasonOf(error));
      return undefined;
    });
    if (content === undefined) continue;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
    for (const target of targetsIn(content)) {
      const next = posix.join(posix.dirname(path), target);
      if (root === '.' ? !next.startsWith('..') : next.startsWith(`${root}/`)) waiting.push(next);
    }
  }
}

/** Possible targets of `$ref`: those that are no references are not found. */
function targetsIn(content: string): string[] {
  return [...content.matchAll(/\$ref["']?\s*:\s*["']?([^"'\s#,}]+)/g)].flatMap(([, target = '']) =>
    /^[a-z]+:/i.test(target) ? [] : [percentDecode(target)],
  );
}

const run = promisify(execFile);

async function show(object: string): Promise<string> {
  const options = { maxBuffer: 64 * 1024 * 1024, encoding: 'utf8' } as const;
  return (await run('git', ['show', '--end-of-options', object], options)).stdout;
}

/** The working directory's path in its repository. */
async function prefix(text: string): Promise<string> {
  const { stdout } = await run('git', ['rev-parse', '--show-prefix']).catch((error: Error) => {
    throw unreadable(text, reasonOf(error));
  });
  return stdout.trim();
}

function reasonOf(error: Error): string {
  const { code, stderr } = error as Error & { code?: unknown; stderr?: string };
  if (code === 'ENOENT') return 'git is not installed';
  return (stderr ?? error.message).trim().split('\n', 1)[0] ?? '';
}

function unreadable(uri: string, reason: string): DocumentError {
  return new DocumentError([{ uri, line: 1, column: 1, message: `cannot read ${uri}: ${reason}` }]);
}

/** A value, or the error of a document, with names replaced in all of its texts. */
export function renamed<T>(value: T, rename: (text: string) => string): T {
  if (value instanceof DocumentError)
    return new DocumentError(value.problems.map((problem) => texts(problem, rename) as typeof problem)) as T;
  return value instanceof Error ? value : (texts(value, rename) as T);
}

function texts(value: unknown, rename: (text: string) => string): unknown {
  if (typeof value === 'string') return rename(value);
  if (Array.isArray(value)) return value.map((item) => texts(item, rename));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, texts(member, rename)]));
}
