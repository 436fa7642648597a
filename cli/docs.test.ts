import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { rowOf } from './options.ts';
import { allCommands } from './program.ts';

/** README, the pages beside it and those under docs/: their links work, and every page is reachable. */
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PAGES = ['*.md', 'docs/*.md', 'docs/guides/*.md', 'spec/*.md'].flatMap((pattern) =>
  globSync(pattern, { cwd: ROOT }),
);
const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');

/** Without code, where brackets have other meanings. */
const prose = (page: string) =>
  read(page)
    .replace(/^```.*?^```$/gms, '')
    .replace(/`[^`\n]*`/g, 'code');

interface Link {
  readonly page: string;
  /** From the root of the clone. */
  readonly file: string;
  readonly fragment: string | undefined;
}

function linksOf(page: string): Link[] {
  return [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [path = '', fragment] = target.split('#');
    return [{ page, file: path === '' ? page : normalize(join(dirname(page), path)), fragment }];
  });
}

/** The anchors that GitHub gives to headings. */
function anchorsOf(page: string): string[] {
  const headings = read(page)
    .replace(/^```.*?^```$/gms, '')
    .matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

const links = PAGES.flatMap(linksOf);

test('no link is dead', () => {
  expect(links.length).toBeGreaterThan(40);
  expect(links.filter(({ file }) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test('no link names a heading that its page does not have', () => {
  const named = links.filter(({ fragment }) => fragment !== undefined);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(({ file, fragment = '' }) => !anchorsOf(file).includes(fragment))).toEqual([]);
});

test('what an option names as its page exists, with the heading', async () => {
  const named = (await allCommands()).flatMap(({ options }) =>
    options.flatMap((one) => rowOf(one).see ?? []),
  );
  expect(named.length).toBeGreaterThan(20);
  const missing = named.filter((see) => {
    const [page = '', heading] = see.split('#');
    const file = `docs/${page}`;
    return !PAGES.includes(file) || (heading !== undefined && !anchorsOf(file).includes(heading));
  });
  expect(missing).toEqual([]);
});

test('the README leads to every page, directly or by another page', () => {
  const reached = new Set(['README.md']);
  // A Set also iterates over items that are added meanwhile.
  for (const page of reached)
    for (const { file } of links.filter((link) => link.page === page))
      if (PAGES.includes(file)) reached.add(file);
  expect(PAGES.filter((page) => !reached.has(page))).toEqual([]);
});

test('the README has at most 100 lines, ARCHITECTURE at most 150', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(100);
  expect(read('ARCHITECTURE.md').split('\n').length).toBeLessThanOrEqual(150);
});

test('the badges are true, and name the licence and the versions that the README says', () => {
  const badges = read('docs/screenshots/badges.svg');
  const { license } = JSON.parse(read('package.json'));
  expect(badges).toContain(`>${license}<`);
  const versions = /2\.0, (.+) and (.+); works/.exec(read('README.md'))?.slice(1).join(', ') ?? '';
  expect(badges).toContain(`>2.0 | ${versions.replaceAll(', ', ' | ')}<`);
});

/** Files of the clone, or of the reader's project. */
const FILES = globSync('**/*.ts', { cwd: ROOT, exclude: ['**/node_modules/**', 'dist*/**'] });
const OF_READERS = new Set([
  'paddock.config.ts',
  ...PAGES.flatMap((page) => Array.from(read(page).matchAll(/^\/\/ (\S+\.ts)$/gm), ([, name = '']) => name)),
]);
const FOLDERS = new Set(FILES.map((file) => file.split('/', 1)[0] ?? ''));

/** A path from the root of the clone, or just the name of a file in it. */
function exists(named: string): boolean {
  if (!named.includes('/')) return FILES.some((file) => `/${file}`.endsWith(`/${named}`));
  const place = join(ROOT, named);
  return existsSync(place) && (!named.endsWith('/') || statSync(place).isDirectory());
}

test('the files and folders that pages name exist', () => {
  const named = PAGES.flatMap((page) =>
    Array.from(read(page).matchAll(/`((?:[\w-]+\/)*(?:\w[\w.-]*\.ts|[\w.-]*))`/g), ([, path = '']) => ({
      page,
      path,
    })),
  ).filter(
    ({ path }) => /^\w.*\.ts$/.test(path) || (path.includes('/') && FOLDERS.has(path.split('/', 1)[0] ?? '')),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ path }) => !OF_READERS.has(path) && !exists(path))).toEqual([]);
});

test('each threat has a countermeasure, and tests that exist', () => {
  const rows = [...read('docs/threats.md').matchAll(/^\| (?!---|threat )(.*) \| (.*) \| (.*) \|$/gm)];
  expect(rows.length).toBeGreaterThan(15);
  for (const [, threat, countermeasure, tests = ''] of rows) {
    const files = [...tests.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
    const missing = files.filter((file) => !file.endsWith('.test.ts') || !existsSync(join(ROOT, file)));
    expect([threat, countermeasure]).not.toContain('');
    expect({ threat, tests: files.length > 0, missing }).toEqual({ threat, tests: true, missing: [] });
  }
});
