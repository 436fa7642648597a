import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DOCS } from './places.ts';
import { sections } from './structure.ts';

test('the menu has every page once, and no other', () => {
  const pages = globSync('**/*.md', { cwd: DOCS }).map((file) => file.replace(/\.md$/, ''));
  const listed = sections().flatMap(({ entries }) => entries.map(([page]) => page));
  expect(listed.sort()).toEqual(pages.sort());
});
