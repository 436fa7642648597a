import type { Command } from 'commander';
import { ALL_TARGETS } from './apply-configuration.ts';
import { fileOf } from './configured.ts';
import { valuesOf } from './options.ts';

/** Makes the program with one of its commands. */
export type Definitions = (name?: string) => Promise<Command>;

/** A target of the configuration file, and the command for that target. */
export interface TargetCommand {
  readonly name: string;
  readonly url: string;
  readonly document: string;
  readonly command: Command;
}

/** The names of all targets in the file. Undefined: one is given, or there is at most one. */
export function allTargetsOf(command: Command): readonly string[] | undefined {
  return command.getOptionValue(ALL_TARGETS) as readonly string[] | undefined;
}

/** The commands of a verb without a target, one for each target with its options in the file. */
export function commandsForAll(
  command: Command,
  names: readonly string[],
  definitions: Definitions,
): Promise<TargetCommand[]> {
  // An argument before the options would be a target.
  const [, , verb = command.name(), ...options] = process.argv;
  const file = fileOf(command);
  // The file is passed on, so that it is not announced again for each target.
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

/** Whether a target has its own reports, beside those of all targets. */
export function hasOwnReports(all: Command, target: Command): boolean {
  const [one, other] = [all, target].map((command) => valuesOf(command, 'report').join('\n'));
  return one !== other;
}
