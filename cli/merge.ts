import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { exitCodes } from './exit-codes.ts';
import { addOptions, examples, type OptionRow } from './options.ts';
import { openReportOutput, withoutExchanges } from './reports.ts';
import { reportOption } from './shared-options.ts';
import { UsageError } from './usage-error.ts';

const OPTIONS: readonly OptionRow[] = [reportOption()];

const EXAMPLES = examples([
  'paddock merge shard-1.json shard-2.json shard-3.json',
  'paddock merge reports/*.json --report json=report.json --report junit=report.xml',
  'paddock merge reports/*.json --report html=report.html --report sarif=report.sarif',
]);

export function addMerge(program: Command): void {
  const command = program
    .command('merge')
    .description('Join the JSON reports of the shards of a check (--shard K/N) into that of the whole run.')
    .argument(
      '<file...>',
      'reports that paddock check --shard K/N --report json=FILE has written, in any order',
    );
  addOptions(command, OPTIONS)
    .addHelpText('after', exitCodes('merge') + EXAMPLES)
    .action(async (files: string[]) => {
      process.exitCode = await runMerge(files, command);
    });
}

async function runMerge(files: readonly string[], command: Command): Promise<number> {
  const suite = await import('#contract-tests');
  const output = await openReportOutput(command, suite, withoutExchanges(suite));
  try {
    const texts = await Promise.all(files.map(readText));
    const report = suite.mergeReports(
      files.map((name, index) => ({ name, report: suite.readReport(texts[index] ?? '', name) })),
    );
    await output.write(report);
    return report.exitCode;
  } catch (error) {
    throw error instanceof suite.SettingsError ? new UsageError(error.message) : error;
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
