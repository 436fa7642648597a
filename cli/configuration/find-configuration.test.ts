import { chownSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findConfiguration } from './find-configuration.ts';

/** A new folder with these empty files; returns its path. */
function folderWith(...files: string[]): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'find-')));
  for (const file of files) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), '');
  }
  return folder;
}

const OWN = { user: process.getuid?.() };

test.for(['yaml', 'yml', 'json', 'ts'])('paddock.config.%s is found in the folder itself', (end) => {
  const folder = folderWith(`paddock.config.${end}`);
  expect(findConfiguration(folder, OWN)).toBe(join(folder, `paddock.config.${end}`));
});

test('the nearest one above is found', () => {
  const folder = folderWith('paddock.config.yaml', 'a/paddock.config.json', 'a/b/c/file');
  expect(findConfiguration(join(folder, 'a/b/c'), OWN)).toBe(join(folder, 'a/paddock.config.json'));
});

test('a folder of that name is no file', () => {
  expect(findConfiguration(folderWith('.git/x', 'paddock.config.ts/file'), OWN)).toBeUndefined();
});

test('two files in one folder are an error that names both', () => {
  const folder = folderWith('paddock.config.json', 'paddock.config.yml', 'a/file');
  expect(() => findConfiguration(join(folder, 'a'), OWN)).toThrow(
    `${folder} has two configuration files, paddock.config.yml and paddock.config.json: remove one of them, or name one with --config`,
  );
});

test.for(['.git/HEAD', '.git'])(
  'the search ends at the root of a repository (%s), which is looked at',
  (git) => {
    const folder = folderWith('paddock.config.yaml', `a/${git}`, 'a/b/file');
    expect(findConfiguration(join(folder, 'a/b'), OWN)).toBeUndefined();
    writeFileSync(join(folder, 'a/paddock.config.yaml'), '');
    expect(findConfiguration(join(folder, 'a/b'), OWN)).toBe(join(folder, 'a/paddock.config.yaml'));
  },
);

test('it ends at the home directory, which is looked at', () => {
  const folder = folderWith('paddock.config.yaml', 'home/a/file');
  const home = join(folder, 'home');
  expect(findConfiguration(join(home, 'a'), { ...OWN, home })).toBeUndefined();
  writeFileSync(join(home, 'paddock.config.yaml'), '');
  expect(findConfiguration(join(home, 'a'), { ...OWN, home })).toBe(join(home, 'paddock.config.yaml'));
});

test.skipIf(process.getuid?.() !== 0)(
  'a file above that belongs to somebody else is refused, not read',
  () => {
    const folder = folderWith('paddock.config.yaml', 'mine/file');
    const file = join(folder, 'paddock.config.yaml');
    const mine = join(folder, 'mine');
    chownSync(file, 12_345, 12_345);
    expect(() => findConfiguration(mine, { user: 999 })).toThrow(
      `${file} belongs to another user, and is not read: --config ${file} reads it, --config none does without`,
    );
    expect(findConfiguration(mine, { user: 12_345 })).toBe(file);
    // Found in its own folder, and also if the folder belongs to its owner (a container's volume).
    expect(findConfiguration(folder, { user: 999 })).toBe(file);
    chownSync(mine, 12_345, 12_345);
    expect(findConfiguration(mine, { user: 999 })).toBe(file);
    // Windows has no owners.
    expect(findConfiguration(mine, { user: undefined })).toBe(file);
  },
);
