import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { contenders, paddock, start } from './contenders.ts';
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
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const warming = Number(values.warming);
const isWanted = (name: string) => positionals.length === 0 || positionals.includes(name);
const operations = OPERATIONS.filter(({ name }) => isWanted(name));
const tell = (what: string) => (round: number) =>
  process.stderr.write(`${what}: ${round === 0 ? 'warming up' : `round ${round} of ${rounds}`}\n`);

const first = await start(paddock);
const recorded = await recordAnswers(first.url);
await first.stop();
const named = values.servers?.split(',');
const all = contenders(recorded, values.before).filter(
  ({ name }) => named === undefined || named.some((one) => name.startsWith(one)),
);

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
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(figures, null, 2)}\n`);
