import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { REACH } from '../../contract-tests/laws/law.ts';

const SHOWN_BY = {
  exchange: 'one exchange',
  records: 'several exchanges',
  'own requests': 'requests of `paddock check` only',
} as const;

test.for(Object.entries(SHOWN_BY))('docs/traffic.md has the rules that %s shows', async ([reach, shown]) => {
  const page = await readFile(new URL('../../docs/traffic.md', import.meta.url), 'utf8');
  const row = page.split('\n').find((line) => line.startsWith(`| ${shown} |`)) ?? '';
  const names = [...row.slice(shown.length + 4).matchAll(/`([a-z-]+)`/g)].map(([, name]) => name);
  expect(names).toEqual(Object.keys(REACH).filter((law) => REACH[law as keyof typeof REACH] === reach));
});
