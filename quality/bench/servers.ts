import { rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readArguments, refuse } from '../arguments.ts';
import { PRISM } from '../testing/prism.ts';
import { buildPackage, contenders, paddockIn, start } from './contenders.ts';
import { findGenerator } from './generators.ts';
import { measureLoads, measureStarts } from './measure.ts';
import { OPERATIONS, recordResponses } from './operations.ts';
import { loadFigures, renderLoads, renderStarts, startFigures } from './report.ts';
import { progressOf, roundsOptions, toRounds } from './rounds.ts';

const HELP = `npm run bench -- [servers] [OPERATION...] [options]

The mock beside a bare node:http and Prism, interleaved: start and memory (\`start\`), and operations (${OPERATIONS.map(({ name }) => name).join(', ')}).
Default: all. Only the ratios hold on other machines. CPU time for a request is the server's own, and valid even where the
load generator is the bottleneck.

  --servers NAME,...   these only
  --before CLONE       the mock of another clone, too; both are built as packages first
  --json FILE          writes the figures, too
  --rounds N --seconds N --warming N   default: 5, 1 and 5

Examples:
  npm run bench -- list read
  npm run bench -- create --servers paddock,before --before ../before
`;

const { values, positionals } = readArguments(HELP, {
  ...roundsOptions({ rounds: 5, seconds: 1, warming: 5 }),
  servers: { type: 'string' },
  before: { type: 'string' },
  json: { type: 'string' },
});
const options = toRounds(values);
const { rounds, seconds } = options;
const isWanted = (name: string) => positionals.length === 0 || positionals.includes(name);
const operations = OPERATIONS.filter(({ name }) => isWanted(name));
refuseUnknown('measure', positionals, ['start', ...OPERATIONS.map(({ name }) => name)]);
const named = values.servers?.split(/,(?! )/);
const names = contenders('', '', '', '').map(({ name }) => name);
refuseUnknown('server', named ?? [], names);

const folder = buildPackage('.');
const before = values.before === undefined ? undefined : buildPackage(values.before);
const first = await start(paddockIn(folder));
const recorded = await recordResponses(first.url);
await first.stop();
const all = contenders(folder, recorded, PRISM, before).filter(({ name }) => named?.includes(name) ?? true);

const generator = findGenerator();
process.stdout.write(`Load by ${generator.name}, ${rounds} rounds of ${seconds} s, medians.\n`);
const figures: Record<string, unknown> = { generator: generator.name, rounds, seconds };

if (isWanted('start')) {
  const starts = await measureStarts(all, rounds, progressOf('start', rounds));
  process.stdout.write(`\n${renderStarts(starts)}\n`);
  figures.rest = startFigures(starts);
}
if (operations.length > 0) {
  const running = await Promise.all(all.filter(({ isCold }) => !isCold).map((one) => start(one)));
  const measuring = measureLoads(generator, running, operations, options, progressOf('load', rounds));
  const loads = await measuring.finally(() => Promise.all(running.map(({ stop }) => stop())));
  process.stdout.write(`\n${renderLoads(loads)}\n`);
  figures.operations = loadFigures(loads);
}
await rm(dirname(recorded), { recursive: true });
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(figures, null, 2)}\n`);

function refuseUnknown(what: string, given: readonly string[], known: readonly string[]): void {
  const unknown = given.filter((name) => !known.includes(name));
  if (unknown.length > 0) refuse(`there is no ${what} ${unknown.join(', ')}, only ${known.join(', ')}`);
}
