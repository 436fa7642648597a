import { refuse } from '../arguments.ts';

/** What is measured under each name, and the module that does it with the arguments of the process. */
const TOPICS: Readonly<Record<string, readonly [about: string, run: () => Promise<unknown>]>> = {
  servers: ['the mock beside a bare node:http and Prism', () => import('./servers.ts')],
  documents: ['what documents cost: start, lists, memory', () => import('./documents.ts')],
  judge: ['how long recorded traffic takes to judge', () => import('./judge.ts')],
  proxy: ['the proxy beside one that only pipes', () => import('./proxy.ts')],
};

const HELP = `npm run lab -- bench TOPIC [options]

${Object.entries(TOPICS)
  .map(([name, [about]]) => `  ${name.padEnd(11)}${about}`)
  .join('\n')}

Each has its own --help. Only ratios hold on other machines.

Examples:
  npm run lab -- bench servers list read
`;

const [name] = process.argv.splice(2, 1);
if (name === undefined || name === '--help') {
  process.stdout.write(HELP);
  process.exit(0);
}
const [, run] = TOPICS[name] ?? refuse(`there is no topic ${name}: ${Object.keys(TOPICS).join(', ')}`);
await run();
