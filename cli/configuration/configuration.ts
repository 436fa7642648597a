import { checkFile } from './check-file.ts';
import { type Chosen, chooseSettings } from './choose.ts';
import { nearest } from './nearest.ts';
import { readFile } from './read-file.ts';
import { scopesOf } from './scope.ts';
import type { Vocabulary } from './setting.ts';

/** A configuration file that has been read and checked. */
export interface Configuration {
  /** Relative to the working directory. */
  readonly name: string;
  /** The base URLs of the targets, by name. */
  readonly targets: ReadonlyMap<string, string>;
  /**
   * What the file gives to a verb.
   * @param target the name of a target, for what stands below it
   * @param isTaken whether the command line or the environment has a setting already
   * @throws ConfigurationError when a variable that holds a secret is not set
   */
  choose(verb: string, target: string | undefined, isTaken: (key: string) => boolean): Chosen[];
  /** The name of a target that was probably meant. */
  nearestTarget(name: string): string | undefined;
}

/**
 * Reads a configuration file, and checks all of it.
 * @param file absolute path
 * @throws ConfigurationError with all that is wrong
 */
export async function readConfiguration(
  file: string,
  vocabulary: Vocabulary,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Configuration> {
  const source = await readFile(file);
  checkFile(source, scopesOf(vocabulary));
  const { targets } = (source.value ?? {}) as { targets?: Readonly<Record<string, { url: string }>> };
  const urls = new Map(Object.entries(targets ?? {}).map(([name, { url }]) => [name, url]));
  return {
    name: source.name,
    targets: urls,
    choose: (verb, target, isTaken) =>
      chooseSettings(source, vocabulary.verbs.get(verb) ?? [], { verb, target }, isTaken, environment),
    nearestTarget: (name) => nearest(name, urls.keys()),
  };
}
