import { refuse } from './arguments.ts';

/** The programs of the lab: what each is for, and the module that runs it with the arguments of the process. */
const PROGRAMS: Readonly<Record<string, readonly [about: string, run: () => Promise<unknown>]>> = {
  hunt: [
    'runs the suite against services with one fault, and correct ones',
    () => import('./mutants/run-hunt.ts'),
  ],
  'bench servers': [
    'measures the mock beside a bare node:http and Prism',
    () => import('./bench/servers.ts'),
  ],
  'bench documents': ['what documents cost: start, lists, memory', () => import('./bench/documents.ts')],
  'bench proxy': ['measures the proxy beside one that only pipes', () => import('./bench/proxy.ts')],
  corpus: [
    'reads, serves and checks the documents of folders or packages',
    () => import('./corpus/run-corpus.ts'),
  ],
  services: ['checks running services of others', () => import('./services/run-services.ts')],
  oasdiff: [
    'compares the documents of the tests of oasdiff, with both tools',
    () => import('./compat-pairs/run-go-tests.ts'),
  ],
  trace: [
    'prints which files and functions a request to the mock, and a case of the suite, pass',
    () => import('./trace.ts'),
  ],
  size: ['counts lines and files by room, and words of documentation', () => import('./size.ts')],
};

const HELP = `npm run lab -- NAME [options]

${Object.entries(PROGRAMS)
  .map(([name, [about]]) => `  ${name.padEnd(17)}${about}`)
  .join('\n')}

Each has its own --help. Of what is measured only ratios hold on other machines.

Examples:
  npm run lab -- size
  npm run lab -- hunt --only '^list-'
`;

const [name = '--help', topic] = process.argv.slice(2);
if (name === '--help') {
  process.stdout.write(HELP);
  process.exit(0);
}
const program = [name, `${name} ${topic}`].find((one) => PROGRAMS[one]);
const [, run] =
  PROGRAMS[program ?? ''] ?? refuse(`the lab has no "${name}": ${Object.keys(PROGRAMS).join(', ')}`);
process.argv.splice(2, program === name ? 1 : 2);
await run();
