import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type Compared, MUTANTS_BEHIND_PROXY, renderFound, tryThroughProxy } from './through-proxy.ts';

test('docs/proxy.md says what the proxy finds of faulty services', async () => {
  const rows: Compared[] = [];
  for (const mutant of MUTANTS_BEHIND_PROXY) rows.push(await tryThroughProxy(mutant));
  expect(rows.length).toBe(17);
  expect(await readFile('docs/proxy.md', 'utf8')).toContain(renderFound(rows));
}, 600_000);
