import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DOCS } from '../places.ts';
import { checkEvidence } from './check-evidence.ts';
import { readDocumented } from './documented.ts';
import { type Measured, measureCheck, measureMock } from './measure.ts';
import { programs } from './programs.ts';
import { renderComparison } from './render.ts';
import { CHECKS_IN_CLONE, checksIn, MOCKS_IN_CLONE, mocksIn } from './tools.ts';

/**
 * `npm run comparison -- [FOLDER]`: measures the tools of the clone, and those that are installed in a folder, and writes
 * docs/comparison.md. Without a folder the other tools keep what was measured before; with `--page` all of them do.
 */
const MEASURED = new URL('measured.json', import.meta.url);
const { values, positionals } = parseArgs({ options: { page: { type: 'boolean' } }, allowPositionals: true });
const [folder] = positionals;
const before = JSON.parse(readFileSync(MEASURED, 'utf8')) as Measured;
const mocks = { ...before.mocks };
const checks = { ...before.checks };

const documented = readDocumented();

/** After each tool: all of them take a quarter of an hour. */
function save(): void {
  writeFileSync(MEASURED, `${JSON.stringify({ mocks, checks }, undefined, 2)}\n`);
  writeFileSync(join(DOCS, 'comparison.md'), renderComparison({ mocks, checks }, documented));
}

async function measureAll(): Promise<void> {
  for (const tool of [...MOCKS_IN_CLONE, ...(folder === undefined ? [] : mocksIn(folder))]) {
    process.stdout.write(`the mock of ${tool.name}\n`);
    mocks[tool.name] = await measureMock(tool);
    save();
  }
  for (const tool of [...CHECKS_IN_CLONE, ...(folder === undefined ? [] : checksIn(folder))]) {
    process.stdout.write(`${tool.name} as a judge\n`);
    checks[tool.name] = await measureCheck(tool);
    save();
  }
  const { count, wrong } = await checkEvidence(documented, programs(folder));
  process.stdout.write(`${count} commands run\n${wrong.map((line) => `wrong: ${line}\n`).join('')}`);
  if (wrong.length > 0) process.exitCode = 1;
}

if (values.page) save();
else await measureAll();
