import { type ParseArgsConfig, parseArgs } from 'node:util';

/**
 * Parses the arguments of a program of this repository. `--help` prints the usage and exits; unknown arguments exit
 * with code 2.
 */
export function readArguments<const Options extends NonNullable<ParseArgsConfig['options']>>(
  help: string,
  options: Options,
) {
  const withHelp = { ...options, help: { type: 'boolean' } } as const;
  try {
    const result = parseArgs({ allowPositionals: true, options: withHelp });
    if (!('help' in result.values)) return result;
  } catch (error) {
    refuse((error as Error).message);
  }
  process.stdout.write(`${help.trimEnd()}\n`);
  process.exit(0);
}

/** Exits with code 2, which means wrong usage. */
export function refuse(message: string): never {
  process.stderr.write(`error: ${message}\n`);
  process.exit(2);
}
