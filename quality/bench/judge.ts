import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readArguments, refuse } from '../arguments.ts';
import { renderTable } from '../table.ts';
import { startPaddock } from '../testing/paddock.ts';
import { type Cost, costOf } from './measure.ts';
import { writeTraffic } from './traffic.ts';

const HELP = `npm run lab -- bench judge [--megabytes 30]

What \`paddock judge\` takes for recorded traffic of the shipped document.
`;

const { values } = readArguments(HELP, {
  megabytes: { type: 'string', default: '30' },
});
const megabytes = Number(values.megabytes);
if (!(megabytes > 0)) refuse('--megabytes must be a number above 0');

const folder = mkdtempSync(join(tmpdir(), 'bench-judge-'));
let row: string[];
try {
  const file = join(folder, 'traffic.har');
  const exchanges = await writeTraffic(file, megabytes * 1e6);
  const begun = performance.now();
  const { child, ended, output } = startPaddock(['judge', file, '--document', 'spec/openapi.yaml']);
  let cost: Cost = { cpu: 0, memory: 0 };
  let code: number | NodeJS.Signals | undefined;
  while (code === undefined) {
    const now = costNow(child.pid as number);
    cost = { cpu: Math.max(cost.cpu, now.cpu), memory: Math.max(cost.memory, now.memory) };
    code = await Promise.race([ended, sleep(20, undefined)]);
  }
  if (code !== 0) throw new Error(`judge ended with ${code}: ${output().err}`);
  const wall = ((performance.now() - begun) / 1000).toFixed(1);
  row = [`${exchanges}`, cost.cpu.toFixed(1), wall, cost.memory.toFixed(0)];
} finally {
  rmSync(folder, { recursive: true });
}
process.stdout.write(`${renderTable(['Exchanges', 'CPU, s', 'Wall clock, s', 'Memory, MiB'], [row])}\n`);

/** Of all threads; nothing once the process has ended. */
function costNow(pid: number): Cost {
  try {
    const { cpu, memory } = costOf(pid);
    return { cpu, memory: Number.isNaN(memory) ? 0 : memory };
  } catch {
    return { cpu: 0, memory: 0 };
  }
}
