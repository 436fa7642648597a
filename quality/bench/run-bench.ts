import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { refuse } from '../arguments.ts';

/**
 * `npm run bench -- WHAT [OPTIONS]`. Without a name of this table the arguments are those of `servers`.
 */
const TOPICS: Readonly<Record<string, readonly [file: string, flag?: string]>> = {
  /** The mock beside other servers. */
  servers: ['servers.ts'],
  /** What requests of other documents cost, and those of the last of many routes. */
  requests: ['requests.ts'],
  /** What documents cost: start, lists, memory. */
  documents: ['documents.ts'],
  'huge-document': ['huge-document.ts'],
  /** A run of the suite, from the start of the process to its end. */
  check: ['check.ts'],
  proxy: ['proxy.ts'],
  /** Recorded traffic, by workers and without. */
  judge: ['judge.ts'],
  /** Memory, file and PostgreSQL; a million records against a hundred; the memory of one record. */
  stores: ['stores.ts'],
  growth: ['growth.ts'],
  memory: ['memory.ts', '--expose-gc'],
  /** First paint and first row of the console's pages. */
  console: ['console.ts'],
  /** The API reference beside those of others. */
  reference: ['reference.ts'],
  'browser-size': ['browser-size.ts'],
  /** Acknowledged records after `kill -9`. */
  kill: ['durability/kill-rounds.ts'],
  'kill-replica': ['durability/kill-replica.ts'],
  /** Whole imports or none after `kill -9`. */
  'kill-imports': ['durability/kill-imports.ts'],
};

const [given = 'servers', ...rest] = process.argv.slice(2);
if (given === '--help') {
  process.stdout.write(
    `npm run bench -- [${Object.keys(TOPICS).join(' | ')}] [OPTIONS]\n\nnpm run bench -- TOPIC --help tells what is measured.\n`,
  );
} else {
  const topic = TOPICS[given];
  const [file, flag] = topic ?? (['servers.ts'] as const);
  const args = topic ? rest : process.argv.slice(2);
  const program = fileURLToPath(new URL(file, import.meta.url));
  try {
    execFileSync(process.execPath, [...(flag ? [flag] : []), program, ...args], { stdio: 'inherit' });
  } catch (error) {
    const { status } = error as { status?: number | null };
    if (status === undefined) refuse(String(error));
    process.exitCode = status ?? 1;
  }
}
