import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../quality/testing/command.ts';

/** Checks the packages that users get with this one, and the scripts that run at installation. */
interface Locked {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly integrity?: string;
  readonly inBundle?: boolean;
  readonly link?: boolean;
}

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const manifest = JSON.parse(read('package.json'));
/** Without the clone itself, and its linked folder of generators. */
const packages = Object.entries<Locked>(JSON.parse(read('package-lock.json')).packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
);
const locked: [name: string, entry: Locked][] = packages.map(([path, entry]) => [
  path.replace(/^.*node_modules\//, ''),
  entry,
]);
const atRunTime = locked.filter(([, { dev, devOptional }]) => !dev && !devOptional);
const docs = read('docs/dependencies.md');

test('each run-time dependency is listed with its reason, and no other package is', () => {
  const rows = [...docs.matchAll(/^\| `([^`]+)` *\|(.*)\|$/gm)];
  expect(rows.map(([, name]) => name).sort()).toEqual(Object.keys(manifest.dependencies).sort());
  for (const [, , cells = ''] of rows) expect(cells.split('|').map((cell) => cell.trim())).not.toContain('');
});

test('their own dependencies are listed, too', () => {
  const [, count, list = ''] = /it is (\d+) packages;[^:]*:([\s\S]*?)\.\n/.exec(docs) ?? [];
  const names = [...list.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  expect(names).toEqual(atRunTime.map(([name]) => name).sort());
  expect(Number(count)).toBe(names.length);
});

test('the generator of the site is not installed with the clone', () => {
  const names = new Set(locked.map(([name]) => name));
  for (const tool of ['vitepress', 'msw'])
    expect({ tool, isInstalled: names.has(tool) }).toEqual({ tool, isInstalled: false });
});

test('install scripts are allowed or denied by name', () => {
  const scripted = new Set(
    locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([name]) => name),
  );
  expect(scripted.size).toBeGreaterThan(0);
  const named = Object.keys(manifest.allowScripts);
  expect([...scripted].filter((name) => !named.includes(name))).toEqual([]);
  expect(read('.npmrc')).toMatch(/^strict-allow-scripts=true$/m);
  expect(atRunTime.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
});

test('the lock file has a hash for each package', () => {
  // A bundled package is covered by the hash of the package that contains it.
  const bare = packages.filter(
    ([, { integrity, inBundle }]) => !inBundle && !/^sha512-/.test(integrity ?? ''),
  );
  expect(bare.map(([path]) => path)).toEqual([]);
});
