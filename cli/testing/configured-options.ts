import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { takeConfiguration } from '../configured.ts';
import { allCommands } from '../program.ts';
import type { Places } from '../usage-error.ts';

interface Taken {
  readonly options: Readonly<Record<string, unknown>>;
  readonly arguments: readonly unknown[];
  readonly places: Places;
  /** The folder of the file. */
  readonly folder: string;
}

/**
 * The options with which a verb would run, given a configuration file in a new folder.
 * @throws UsageError, or CommanderError if the command line is invalid
 */
export async function configuredOptions(
  verb: string,
  text: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  name = 'paddock.config.yaml',
): Promise<Taken> {
  const folder = mkdtempSync(join(tmpdir(), 'configured-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, name);
  writeFileSync(file, text);
  for (const [variable, value] of Object.entries(env)) vi.stubEnv(variable, value);
  try {
    const command = (await allCommands()).find((one) => one.name() === verb);
    if (!command) throw new Error(`there is no verb ${verb}`);
    const places: Places = new Map();
    command.exitOverride().configureOutput({ writeErr: () => {} });
    takeConfiguration(command, allCommands, places);
    let operands: unknown[] = [];
    command.action((...all) => {
      operands = all.slice(0, command.registeredArguments.length);
    });
    await command.parseAsync([...args, '--config', file], { from: 'user' });
    return { options: command.opts(), arguments: operands, places, folder };
  } finally {
    vi.unstubAllEnvs();
  }
}
