import { rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { contenders, NAMES, paddock, start } from './contenders.ts';
import { findGenerator } from './generators.ts';
import { measureLoads, measureStarts } from './measure.ts';
import { OPERATIONS } from './operations.ts';
import { recordAnswers } from './record.ts';
import { loadFigures, renderLoads, renderRests, restFigures } from './report.ts';

/**
 * This mock beside a bare `node:http`, Fastify by hand and Prism, interleaved: `npm run bench`.
 * `npm run bench -- list read` measures these only, `npm run bench -- start` start and memory; with `--before DIR`
 * also the mock of another checkout. The ratios are what counts; the figures themselves are this machine's. CPU time
 * for each request is the server's own, and true even where the load generator is the bottleneck.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
    warming: { type: 'string', default: '5' },
    servers: { type: 'string' },
    before: { type: 'string' },
    json: { type: 'string' },
  },
});
const [rounds, seconds, warming] = [number('rounds'), number('seconds'), number('warming')];
const isWanted = (name: string) => positionals.length === 0 || positionals.includes(name);
const operations = OPERATIONS.filter(({ name }) => isWanted(name));
refuseUnknown('measure', positionals, ['start', ...OPERATIONS.map(({ name }) => name)]);
const tell = (what: string) => (round: number) =>
  process.stderr.write(`${what}: ${round === 0 ? 'warming up' : `round ${round} of ${rounds}`}\n`);

const named = values.servers?.split(',');
refuseUnknown('server', named ?? [], NAMES);

const first = await start(paddock);
const recorded = await recordAnswers(first.url);
await first.stop();
const all = contenders(recorded, values.before).filter(({ name }) => named?.includes(name) ?? true);

const generator = findGenerator();
process.stdout.write(`Load by ${generator.name}, ${rounds} rounds of ${seconds} s, medians.\n`);
const figures: Record<string, unknown> = { generator: generator.name, rounds, seconds };

if (isWanted('start')) {
  const rests = await measureStarts(all, rounds, tell('start'));
  process.stdout.write(`\n${renderRests(rests)}\n`);
  figures.rest = restFigures(rests);
}
if (operations.length > 0) {
  const running = await Promise.all(all.map(start));
  const measuring = measureLoads(generator, running, operations, { rounds, seconds, warming }, tell('load'));
  const loads = await measuring.finally(() => Promise.all(running.map(({ stop }) => stop())));
  process.stdout.write(`\n${renderLoads(loads)}\n`);
  figures.operations = loadFigures(loads);
}
await rm(dirname(recorded), { recursive: true });
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(figures, null, 2)}\n`);

function number(name: 'rounds' | 'seconds' | 'warming'): number {
  const value = Number(values[name]);
  if (value >= 1) return value;
  return refuse(`--${name} must be a number from 1 on, not ${JSON.stringify(values[name])}`);
}

function refuseUnknown(what: string, given: readonly string[], known: readonly string[]): void {
  const unknown = given.filter((name) => !known.includes(name));
  if (unknown.length > 0) refuse(`there is no ${what} ${unknown.join(', ')}, only ${known.join(', ')}`);
}

function refuse(message: string): never {
  process.stderr.write(`error: ${message}\n`);
  process.exit(2);
}
