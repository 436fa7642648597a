import type { Command } from 'commander';
import { readConfiguration } from '#configuration';
import { findConfiguration } from '#find-configuration';
import { vocabularyOf } from '../vocabulary.ts';

/** The names of the targets in the configuration file; none where that cannot be read, which verbs say when they start. */
export async function targetNames(commands: readonly Command[]): Promise<readonly string[]> {
  try {
    const file = findConfiguration(process.cwd());
    return file === undefined
      ? []
      : [...(await readConfiguration(file, vocabularyOf(commands))).targets.keys()];
  } catch {
    return [];
  }
}
