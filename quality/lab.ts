import { fileURLToPath } from 'node:url';
import { refuse } from './arguments.ts';

/** What the lab can do: the program of each name, and what it is for. */
const PROGRAMS: Readonly<Record<string, readonly [file: string, about: string]>> = {
  hunt: ['mutants/run-hunt.ts', 'runs the suite against services with one fault, and correct ones'],
  bench: ['bench/run-bench.ts', 'measures the mock and the suite beside other tools'],
  corpus: ['corpus/run-corpus.ts', 'reads and serves the documents of a public list'],
  services: ['services/run-services.ts', 'checks running services of others'],
  size: ['size.ts', 'counts lines and files by room, and words of documentation'],
};

const HELP = `npm run lab -- NAME [options]

${Object.entries(PROGRAMS)
  .map(([name, [, about]]) => `  ${name.padEnd(10)}${about}`)
  .join('\n')}

Each has its own --help.

Examples:
  npm run lab -- size
  npm run lab -- hunt --only '^list-'
`;

const [name, ...rest] = process.argv.slice(2);
if (name === undefined || name === '--help') {
  process.stdout.write(HELP);
  process.exit(0);
}
const [file] = PROGRAMS[name] ?? refuse(`the lab has no "${name}": ${Object.keys(PROGRAMS).join(', ')}`);
const program = new URL(file, import.meta.url);
process.argv.splice(1, process.argv.length, fileURLToPath(program), ...rest);
await import(program.href);
