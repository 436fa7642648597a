import type { Command } from 'commander';
import type { Answers } from './init/proposals.ts';
import { addOptions, examples, type OptionRow } from './options.ts';
import { printable } from './terminal.ts';
import { UsageError } from './usage-error.ts';

const EXAMPLES = `
It asks four questions: the document (those in the folder are listed), a target and its base URL, the environment variable
that holds its key, and whether to add scripts to package.json. It overwrites nothing without --force.
${examples(['paddock init', 'paddock init --yes', 'paddock init --force'])}`;

interface Flags {
  readonly yes?: boolean;
  readonly force?: boolean;
}

const OPTIONS: readonly OptionRow[] = [
  { flags: '--yes', help: 'accept the defaults, and ask nothing' },
  { flags: '--force', help: 'overwrite an existing configuration file' },
];

/** @param definitions the commands, whose defaults the file repeats */
export function addInit(program: Command, definitions: (name: string) => Promise<Command>): void {
  const command = program
    .command('init')
    .description('Write paddock.config.yaml, and add scripts to package.json.');
  addOptions(command, OPTIONS)
    .addHelpText('after', EXAMPLES)
    .action(async (flags: Flags) => {
      const { commands } = await definitions('mock');
      const port = commands.flatMap(({ options }) => options).find(({ long }) => long === '--port');
      await run(flags, Number(port?.defaultValue));
    });
}

async function run({ yes = false, force = false }: Flags, port: number): Promise<void> {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  if (!yes && !isTerminal) throw new UsageError('questions need a terminal; --yes accepts the defaults');
  const { openFolder } = await import('./init/files.ts');
  const folder = await openFolder(process.cwd(), force);
  const { describeDocument, proposals } = await import('./init/proposals.ts');
  const proposed = await proposals(folder, port);
  const answers: Answers = yes ? proposed.answers : await asked();
  const written = await folder.write(answers, port);
  const { nextSteps } = await import('./init/files.ts');
  console.log(
    printable([...written, '', ...nextSteps(answers, await describeDocument(answers.document))].join('\n')),
  );

  async function asked(): Promise<Answers> {
    const [{ askQuestions }, { createInterface }] = await Promise.all([
      import('./init/ask-questions.ts'),
      import('node:readline/promises'),
    ]);
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    try {
      return await askQuestions(terminal, proposed, port);
    } finally {
      terminal.close();
    }
  }
}
