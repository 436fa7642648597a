import type { Command } from 'commander';
import { addOptions, examples, FILE, libraryOptions, type OptionRow } from './options.ts';
import { DOCUMENT_OPTIONS, documentArgument } from './shared-options.ts';
import { printable, warnOf } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** All options of `paddock pact`. */
const OPTIONS: readonly OptionRow[] = [
  {
    flags: '--output <file>',
    help: 'where the Pact file is written; - is standard output',
    value: FILE,
    default: '-',
  },
  ...(DOCUMENT_OPTIONS as readonly OptionRow[]),
];

const EXAMPLES = examples([
  'paddock pact web.consumer.yaml openapi.yaml --output web.pact.json',
  'paddock mock openapi.yaml --consumer web=web.consumer.yaml   # writes the consumer file',
]);

export function addPact(program: Command): void {
  const command = program
    .command('pact')
    .description('Write a Pact file (version 3 of its specification) of what a client uses.')
    .argument('<consumer>', 'consumer file, written by "paddock mock", "proxy" or "judge" (--consumer)')
    .addArgument(documentArgument());
  addOptions(command, OPTIONS)
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, document: string, { output }: { readonly output: string }) => {
      await runPact(file, document, output, command);
    });
}

async function runPact(file: string, document: string, output: string, command: Command): Promise<void> {
  const [{ ConsumerFileError, readConsumer, toPact }, { loadContract, stringifyJson }, { replaceFile }] =
    await Promise.all([import('#consumer'), import('#spec'), import('#whole-file')]);
  const consumer = await Promise.try(() => readConsumer(file)).catch((error) => {
    throw error instanceof ConsumerFileError ? new UsageError(error.message) : error;
  });
  const contract = await loadContract(document, libraryOptions(command));
  warnOf(contract);
  const { pact, interactions, leftOut } = toPact(consumer, contract);
  for (const text of leftOut) console.error(printable(`left out: ${text}`));
  if (interactions === 0) throw new UsageError(`${file}: there is nothing to write`);
  const text = `${stringifyJson(pact, 2)}\n`;
  if (output === '-') {
    process.stdout.write(text);
    return;
  }
  try {
    replaceFile(output, text);
  } catch (error) {
    throw new UsageError(`--output: ${(error as Error).message}`);
  }
  console.error(printable(`${interactions} interactions: ${output}`));
}
