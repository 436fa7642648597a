import type { Command } from 'commander';
import { isModule, readConfiguration } from '#configuration';
import { findConfiguration } from '#find-configuration';
import { vocabularyOf } from '../vocabulary.ts';

/**
 * The names of the targets in the configuration file; none where that cannot be read, which verbs say when they start, and
 * none of a program: a tab must not run what the folder has.
 */
export async function targetNames(commands: readonly Command[]): Promise<readonly string[]> {
  try {
    const file = findConfiguration(process.cwd());
    return file === undefined || isModule(file)
      ? []
      : [...(await readConfiguration(file, vocabularyOf(commands))).targets.keys()];
  } catch {
    return [];
  }
}
