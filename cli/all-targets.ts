import type { Command } from 'commander';
import { ALL_TARGETS } from './apply-configuration.ts';
import { fileOf } from './configured.ts';
import { valuesOf } from './options.ts';

/** Makes the program with one of its commands. */
export type Definitions = (name?: string) => Promise<Command>;

/** A target of the configuration file, and the command as it would be called for that alone. */
export interface TargetCommand {
  readonly name: string;
  readonly url: string;
  readonly document: string;
  readonly command: Command;
}

/** The names of all targets of the file; undefined: one is named, or there is one at most. */
export function allTargetsOf(command: Command): readonly string[] | undefined {
  return command.getOptionValue(ALL_TARGETS) as readonly string[] | undefined;
}

/** A verb that was called without a target, as it is for each of them: with the options that the file has for that. */
export function commandsForAll(
  command: Command,
  names: readonly string[],
  definitions: Definitions,
): Promise<TargetCommand[]> {
  // What precedes the options would be a target.
  const [, , verb = command.name(), ...options] = process.argv;
  const file = fileOf(command);
  // A file that is named is not announced once more for each.
  const config = file === undefined || command.getOptionValueSource('config') ? [] : ['--config', file];
  return Promise.all(
    names.map(async (name): Promise<TargetCommand> => {
      const program = await definitions(verb);
      const subcommand = program.commands.find((one) => one.name() === verb) as Command;
      subcommand.action(() => {});
      await program.parseAsync([verb, name, ...config, ...options], { from: 'user' });
      const [url = '', document = ''] = subcommand.processedArgs as string[];
      return { name, url, document, command: subcommand };
    }),
  );
}

/** Whether a target has reports of its own, beside that of all targets. */
export function hasOwnReports(all: Command, target: Command): boolean {
  const [one, other] = [all, target].map((command) => valuesOf(command, 'report').join('\n'));
  return one !== other;
}
