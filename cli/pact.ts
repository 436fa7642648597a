import type { Command } from 'commander';
import { addOptions, examples, libraryOptions } from './options.ts';
import { DOCUMENT_OPTIONS, documentArgument } from './shared-options.ts';
import { printable, warnOf } from './terminal.ts';
import { UsageError } from './usage-error.ts';

const EXAMPLES = examples([
  'paddock pact web.consumer.yaml openapi.yaml > web.pact.json',
  'paddock mock openapi.yaml --consumer web=web.consumer.yaml   # writes the consumer file',
]);

export function addPact(program: Command): void {
  const command = program
    .command('pact')
    .description('Print a Pact file (version 3 of its specification) of what a client uses.')
    .argument('<consumer>', 'consumer file, written by "paddock mock", "proxy" or "judge" (--consumer)')
    .addArgument(documentArgument());
  addOptions(command, DOCUMENT_OPTIONS)
    .addHelpText('after', EXAMPLES)
    .action((file: string, document: string) => runPact(file, document, command));
}

async function runPact(file: string, document: string, command: Command): Promise<void> {
  const [{ ConsumerFileError, readConsumer, toPact }, { loadContract, stringifyJson }] = await Promise.all([
    import('#consumer'),
    import('#spec'),
  ]);
  const contract = await loadContract(document, libraryOptions(command));
  warnOf(contract);
  try {
    const { pact, interactions, leftOut } = toPact(readConsumer(file), contract);
    for (const text of leftOut) console.error(printable(`left out: ${text}`));
    if (interactions === 0) throw new UsageError(`${file}: no operation of it becomes an interaction`);
    process.stdout.write(`${stringifyJson(pact, 2)}\n`);
  } catch (error) {
    throw error instanceof ConsumerFileError ? new UsageError(error.message) : error;
  }
}
