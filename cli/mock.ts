import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import type { LogEntry, Mock } from '#mock';
import { examples, option, repeatable, SHIPPED_DOCUMENT, valuesOf, wholeNumber } from './options.ts';
import { UsageError } from './usage-error.ts';

interface Flags {
  readonly port: number;
  readonly host: string;
  readonly anyKey?: true;
  readonly seed: number;
  readonly count: number;
  readonly basePath: boolean;
  readonly log: boolean;
  readonly maxBody: number;
}

export function addMock(program: Command): void {
  const command = program
    .command('mock')
    .description('Serve a stateful mock of an OpenAPI document.')
    .argument('[document]', 'path or URL of an OpenAPI 3.0 or 3.1 document', fileURLToPath(SHIPPED_DOCUMENT))
    .addOption(
      option('--port <n>', 'port; 0 takes a free one').argParser(wholeNumber(0, 65_535)).default(4020),
    )
    .addOption(option('--host <address>', 'address to listen on').default('127.0.0.1'))
    .addOption(repeatable('--api-key <key>', 'accepted key, instead of the built-in one (again for more)'))
    .addOption(option('--any-key', 'accept every non-empty key').conflicts('apiKey'))
    .addOption(
      option('--seed <n>', 'the same seed gives the same records')
        .argParser(wholeNumber(0, Number.MAX_SAFE_INTEGER))
        .default(1),
    )
    .addOption(
      option('--count <n>', 'records that each collection begins with')
        .argParser(wholeNumber(0, 10_000_000))
        .default(50),
    )
    .addOption(option('--no-base-path', "leave out the path of the document's first server"))
    .addOption(option('--no-log', 'print no line for each request'))
    .addOption(
      option('--max-body <bytes>', 'longest request body')
        .argParser(wholeNumber(0, 2 ** 30))
        .default(2 ** 20),
    )
    .addHelpText(
      'after',
      examples([
        'paddock mock',
        'paddock mock api.yaml --port 0 --seed 7',
        'paddock mock --api-key "$PADDOCK_API_KEY"',
      ]),
    )
    .action((document: string, flags: Flags) => run(document, flags, valuesOf(command, 'apiKey')));
}

async function run(document: string, flags: Flags, keys: string[]): Promise<void> {
  const { createMock } = await import('#mock');
  const mock = await createMock({
    document,
    ...flags,
    ...(flags.anyKey ? { apiKeys: 'any' as const } : keys.length > 0 && { apiKeys: keys }),
    log: flags.log ? printExchange : () => {},
    onBug: (error) => console.error(error),
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall === 'listen')
      throw new UsageError(`cannot listen on ${flags.host}:${flags.port}: ${error.code}`);
    throw error;
  });
  printStart(mock);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => mock.close());
}

function printStart(mock: Mock): void {
  console.log(mock.url);
}

function printExchange({ method, target, status, ms }: LogEntry): void {
  console.log(`${method} ${target} ${status} ${ms.toFixed(1)} ms`);
}
