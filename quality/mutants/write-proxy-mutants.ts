import { writeFile } from 'node:fs/promises';
import { type Compared, MUTANTS_BEHIND_PROXY, renderProxyMutants, tryThroughProxy } from './through-proxy.ts';

/** `npm run proxy-mutants`: writes docs/proxy-mutants.md. */
const rows: Compared[] = [];
for (const mutant of MUTANTS_BEHIND_PROXY) {
  const row = await tryThroughProxy(mutant);
  process.stdout.write(
    `${row.name}: suite ${row.suite.join(', ')}; proxy ${row.proxy.join(', ') || 'nothing'}\n`,
  );
  rows.push(row);
}
await writeFile(new URL('../../docs/proxy-mutants.md', import.meta.url), renderProxyMutants(rows));
