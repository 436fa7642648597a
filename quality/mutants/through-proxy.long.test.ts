import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type Compared, MUTANTS_BEHIND_PROXY, renderProxyMutants, tryThroughProxy } from './through-proxy.ts';

test('the page of what the proxy finds of faulty services is true', async () => {
  const rows: Compared[] = [];
  for (const mutant of MUTANTS_BEHIND_PROXY) rows.push(await tryThroughProxy(mutant));
  expect(rows.length).toBe(20);
  expect(renderProxyMutants(rows)).toBe(await readFile('docs/proxy-mutants.md', 'utf8'));
}, 600_000);
