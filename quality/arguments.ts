import { type ParseArgsConfig, parseArgs } from 'node:util';

/**
 * The arguments of a program of this repository. `--help` prints how it is used and ends the process; what it does not
 * know ends it with exit code 2.
 */
export function readArguments<const Options extends NonNullable<ParseArgsConfig['options']>>(
  help: string,
  options: Options,
) {
  const withHelp = { ...options, help: { type: 'boolean' } } as const;
  try {
    const given = parseArgs({ allowPositionals: true, options: withHelp });
    if (!('help' in given.values)) return given;
  } catch (error) {
    refuse((error as Error).message);
  }
  process.stdout.write(`${help.trimEnd()}\n`);
  process.exit(0);
}

/** Ends the process with exit code 2, that of wrong usage. */
export function refuse(message: string): never {
  process.stderr.write(`error: ${message}\n`);
  process.exit(2);
}
