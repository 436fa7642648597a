import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readArguments, refuse } from '../arguments.ts';
import { table } from './report.ts';
import { KINDS, writeTraffic } from './traffic.ts';

const HELP = `npm run bench -- judge [--before CLONE] [--megabytes 30,100,300] [--workers 0,1,2] [--kinds ${KINDS.join()}]

What paddock judge takes for recorded traffic of some sizes, in turn with another clone and with other numbers of workers.
--har FILE only writes the traffic.
`;

const { values } = readArguments(HELP, {
  before: { type: 'string' },
  megabytes: { type: 'string', default: '30,100,300' },
  workers: { type: 'string', default: '0,1,2' },
  kinds: { type: 'string', default: KINDS.join() },
  har: { type: 'string' },
});
const { before, har } = values;
const numbers = (name: 'megabytes' | 'workers') =>
  values[name].split(',').map((text) => (/^\d+$/.test(text) ? Number(text) : refuse(`--${name}: ${text}`)));
const sizes = numbers('megabytes');
const kinds = KINDS.filter((kind) => values.kinds.split(',').includes(kind));

interface Way {
  readonly name: string;
  readonly folder: string;
  readonly options: readonly string[];
}

const ways: readonly Way[] = [
  ...(before === undefined ? [] : [{ name: 'before', folder: resolve(before), options: [] }]),
  ...numbers('workers').map((count) => ({
    name: count === 0 ? 'no worker' : `${count} ${count === 1 ? 'worker' : 'workers'}`,
    folder: '.',
    options: ['--workers', `${count}`],
  })),
];

if (har === undefined) await measure();
else
  process.stderr.write(
    `${await writeTraffic(har, (sizes[0] ?? 30) * 1e6, kinds[0] ?? 'distinct')} exchanges\n`,
  );

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-judge-'));
  const rows: string[][] = [];
  try {
    for (const kind of kinds)
      for (const size of sizes) {
        const file = join(folder, `${kind}-${size}.har`);
        const exchanges = await writeTraffic(file, size * 1e6, kind);
        for (const way of ways) {
          process.stderr.write(`${kind}, ${size} MB: ${way.name}\n`);
          const { cpu, wall, memory } = await judge(file, way);
          rows.push([
            ...[kind, `${size} MB`, String(exchanges), way.name],
            ...[`${cpu.toFixed(1)} s`, `${wall.toFixed(1)} s`, `${memory} MiB`],
          ]);
        }
        rmSync(file);
      }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const head = ['exchanges are', 'file', 'exchanges', 'judged by', 'CPU', 'wall clock', 'memory'];
  process.stdout.write(`${table(head, rows)}\n`);
}

/** Seconds of CPU time of all threads, seconds, and the most resident memory in MiB. */
async function judge(file: string, { folder, options }: Way) {
  const meter = new URL('meter.js', import.meta.url).href;
  const begun = performance.now();
  const child = spawn(
    process.execPath,
    ['--import', meter, 'cli/paddock.js', 'judge', file, '--document', 'spec/openapi.yaml', ...options],
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  );
  let used = { cpu: Number.NaN, memory: Number.NaN };
  child.on('message', (message) => {
    used = message as typeof used;
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`judge ended with ${code}`);
  return { ...used, wall: (performance.now() - begun) / 1000 };
}
