import { refuse } from './arguments.ts';

/** What the lab can do: what each program is for, and the module that runs it with the arguments of the process. */
const PROGRAMS: Readonly<Record<string, readonly [about: string, run: () => Promise<unknown>]>> = {
  hunt: [
    'runs the suite against services with one fault, and correct ones',
    () => import('./mutants/run-hunt.ts'),
  ],
  bench: ['measures the mock and the suite beside other tools', () => import('./bench/run-bench.ts')],
  corpus: [
    'reads, serves and checks the documents of folders or packages',
    () => import('./corpus/run-corpus.ts'),
  ],
  services: ['checks running services of others', () => import('./services/run-services.ts')],
  trace: [
    'prints which files and functions a request to the mock, and a case of the suite, pass',
    () => import('./trace.ts'),
  ],
  size: ['counts lines and files by room, and words of documentation', () => import('./size.ts')],
};

const HELP = `npm run lab -- NAME [options]

${Object.entries(PROGRAMS)
  .map(([name, [about]]) => `  ${name.padEnd(10)}${about}`)
  .join('\n')}

Each has its own --help.

Examples:
  npm run lab -- size
  npm run lab -- hunt --only '^list-'
`;

const [name] = process.argv.splice(2, 1);
if (name === undefined || name === '--help') {
  process.stdout.write(HELP);
  process.exit(0);
}
const [, run] = PROGRAMS[name] ?? refuse(`the lab has no "${name}": ${Object.keys(PROGRAMS).join(', ')}`);
await run();
