import { Command, CommanderError } from 'commander';
import { DocumentError } from '#spec';
import packageJson from '../package.json' with { type: 'json' };
import { takeConfiguration } from './configured.ts';
import { EXIT_NO_VERDICT, EXIT_USAGE } from './exit-codes.ts';
import { shortenHelp, withBareOptions } from './options.ts';
import { refuseRemovedOptions } from './removed-options.ts';
import { printable } from './terminal.ts';
import { NoVerdict, type Places, UsageError, withPlace } from './usage-error.ts';

/** @param definitions makes the program with one of its commands, or with all of them */
type AddCommand = (program: Command, definitions: (name?: string) => Promise<Command>) => void;

/** Each command adds itself to the program, with its options and its help. */
const COMMANDS = new Map<string, () => Promise<AddCommand>>([
  ['init', async () => (await import('./init.ts')).addInit],
  ['explain', async () => (await import('./explain.ts')).addExplain],
  ['mock', async () => (await import('./mock.ts')).addMock],
  ['check', async () => (await import('./check.ts')).addCheck],
  ['merge', async () => (await import('./merge.ts')).addMerge],
  ['proxy', async () => (await import('./proxy.ts')).addProxy],
  ['judge', async () => (await import('./judge.ts')).addJudge],
  ['learn', async () => (await import('./learn.ts')).addLearn],
  ['compat', async () => (await import('./compat.ts')).addCompat],
  ['help', async () => (await import('./help.ts')).addHelp],
  ['completion', async () => (await import('./completion.ts')).addCompletion],
]);

/** For the scripts of `paddock completion` only. */
const COMPLETE = '__complete';

/** Parses the command line, runs the command, and sets the exit code of the process. */
export async function runProgram(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe);
  const places: Places = new Map();
  process.once('exit', endWithReason);
  try {
    refuseRemovedOptions(process.argv.slice(2), process.env);
    const program = await programFor(process.argv[2], places);
    if (process.argv.at(-1) !== 'all') for (const command of program.commands) shortenHelp(command);
    await program.parseAsync(withBareOptions(program, process.argv));
  } catch (error) {
    process.exitCode = exitCodeOf(error, places);
  }
  process.off('exit', endWithReason);
}

/**
 * The program with one command, or with all of them for `--help`. @param places receives the places of options in the
 * configuration file
 */
export async function programFor(name?: string, places: Places = new Map()): Promise<Command> {
  const program = new Command('paddock')
    .description('A stateful mock server and contract tests from your OpenAPI document.')
    .version(packageJson.version)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(printable(withoutValue(text))) })
    .showHelpAfterError('(add --help for the options)');
  for (const add of await commandsFor(name)) add(program, programFor);
  for (const command of program.commands) takeConfiguration(command, allCommands, places);
  return program;
}

/** The text after a misspelt option may be a secret. */
function withoutValue(text: string): string {
  return text.replace(/^(error: unknown option '--[^=']*)=.*(?=')/s, '$1');
}

/** All commands with their options, not to be run. */
export async function allCommands(): Promise<readonly Command[]> {
  const program = new Command('paddock');
  for (const add of await commandsFor()) add(program, programFor);
  return program.commands;
}

/** Only the called command, so that each starts fast; all for the help, and for an unknown one. */
async function commandsFor(name = ''): Promise<AddCommand[]> {
  if (name === COMPLETE) return [(await import('./completion.ts')).addComplete];
  const called = COMMANDS.get(name);
  return Promise.all(called ? [called()] : Array.from(COMMANDS.values(), (load) => load()));
}

/** Node's exit code if nothing can happen any more while the program waits. */
const UNSETTLED = 13;

function endWithReason(code: number): void {
  if (code !== UNSETTLED) return;
  console.error(
    'error: this is a bug of Paddock; please report it: it waits, and nothing is left to wait for',
  );
  process.exitCode = EXIT_USAGE;
}

/** `paddock check ... | head` closes the pipe: the run continues, and its exit code is its verdict's. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** Usage and document errors are a message each; anything else is a bug, printed with its stack. */
function exitCodeOf(error: unknown, places: Places): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  if (error instanceof UsageError || error instanceof DocumentError)
    console.error(printable(`error: ${withPlace(error.message, places)}`));
  else console.error('error: this is a bug of Paddock; please report it with the lines below.\n', error);
  return error instanceof NoVerdict ? EXIT_NO_VERDICT : EXIT_USAGE;
}
