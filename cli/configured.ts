import { resolve } from 'node:path';
import type { Command } from 'commander';
import { ConfigurationError, findConfiguration } from '#find-configuration';
import { addOptions, CONFIGURED, FILE, type OptionRow } from './options.ts';
import { type Places, UsageError } from './usage-error.ts';

/** Lets a command take values from the configuration file that neither the command line nor the environment has. */
export function takeConfiguration(
  command: Command,
  allCommands: () => Promise<readonly Command[]>,
  places: Places,
): void {
  if (!CONFIGURED.has(command.name())) return;
  addOptions(command, CONFIG_OPTIONS).hook('preAction', async () => {
    try {
      const file = fileOf(command);
      if (file === undefined) return;
      // Loaded late, since most mocks start without a file.
      const { applyConfiguration } = await import('./apply-configuration.ts');
      await applyConfiguration(command, file, await allCommands(), places);
    } catch (error) {
      throw error instanceof ConfigurationError ? new UsageError(error.message) : error;
    }
  });
}

const CONFIG_OPTIONS: readonly OptionRow[] = [
  {
    flags: '--config <file>',
    help: 'configuration file with options and targets; none: read none',
    value: FILE,
    defaultText: 'paddock.config.yaml, .yml, .json, .ts, .mts, .js or .mjs, here or above',
  },
];

/** The absolute path of a command's configuration file. @throws ConfigurationError */
export function fileOf(command: Command): string | undefined {
  const named = command.getOptionValue('config') as string | undefined;
  if (named === 'none') return undefined;
  return named === undefined ? findConfiguration(process.cwd()) : resolve(named);
}
