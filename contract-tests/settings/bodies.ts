import { readFileSync } from 'node:fs';
import { readSourceFile } from '#spec';
import { SettingsError } from './check-options.ts';

/**
 * Reads the files of `--body`: each holds one body, as YAML or JSON.
 * @param files paths by the operation as the user names it
 * @throws SettingsError with file, line and remedy
 */
export function readBodies(files: Readonly<Record<string, string>>): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(files).map(([operation, file]) => [operation, readBody(operation, file)]));
}

function readBody(operation: string, file: string): unknown {
  const { value } = readSourceFile(file, readText(operation, file));
  if (value !== undefined && value !== null) return value;
  throw new SettingsError(
    `--body ${operation}=${file}:1: the file is empty; write the body in it, as YAML or JSON`,
  );
}

function readText(operation: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new SettingsError(`--body ${operation}: ${(error as Error).message}`);
  }
}
