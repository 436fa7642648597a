import { nearest } from '#spec';
import { checkFile } from './check-file.ts';
import { ConfigurationError } from './find-configuration.ts';
import { readFile, type SourceOfOptions } from './read-file.ts';
import { readValue } from './read-value.ts';
import {
  memberAt,
  type Setting,
  type SettingValue,
  scopesOf,
  type Vocabulary,
  writtenKey,
} from './setting.ts';

/** A configuration file that has been read and checked. */
export interface Configuration {
  /** Relative to the working directory. */
  readonly name: string;
  /** The base URLs of the targets, by name. */
  readonly targets: ReadonlyMap<string, string>;
  /**
   * The file's settings for a verb.
   * @param target the name of the target whose settings apply, too
   * @param isTaken whether the command line or the environment has a setting already
   * @throws ConfigurationError if the variable of a secret is not set
   */
  choose(verb: string, target: string | undefined, isTaken: (key: string) => boolean): Chosen[];
  /**
   * All documents that a verb may use: those below the verb, else those at the top and of the targets, without repetition.
   */
  documentsOf(verb: string): readonly string[];
  /** Each target with its URL and document, if the file names several documents and the verb none; else empty. */
  judgedTargets(verb: string): readonly JudgedTarget[];
  /** The file's code for a verb. Undefined: it is no program. */
  code(verb: string): ConfiguredCode | undefined;
  /** Members below a verb that are no options: code, and structured data. */
  membersOf(verb: string): Readonly<Record<string, unknown>>;
  /** The target with the most similar name. */
  nearestTarget(name: string): string | undefined;
}

/** A service, and the document that it must fit. */
export interface JudgedTarget {
  readonly name: string;
  readonly url: string;
  readonly document: string;
}

/** The code of a configuration file for one verb. */
export interface ConfiguredCode {
  /** The file's name, relative to the working directory. */
  readonly name: string;
  /** Members below the verb that are no options. */
  readonly members: Readonly<Record<string, unknown>>;
  /** The absolute paths of the file, and of its imports outside `node_modules`. */
  readonly files: readonly string[];
  /** Runs the file again. @throws ConfigurationError with all problems */
  reload(): Promise<ConfiguredCode>;
}

/**
 * Reads and checks a configuration file.
 * @param file absolute path
 * @param reads how often this process has read it
 * @throws ConfigurationError with all problems
 */
export async function readConfiguration(
  file: string,
  vocabulary: Vocabulary,
  environment: NodeJS.ProcessEnv = process.env,
  reads = { count: 0 },
): Promise<Configuration> {
  const source = await readFile(file, reads.count++);
  checkFile(source, scopesOf(vocabulary));
  const { targets } = (source.value ?? {}) as { targets?: Readonly<Record<string, { url: string }>> };
  const urls = new Map(Object.entries(targets ?? {}).map(([name, { url }]) => [name, url]));
  const divided = (verb: string) =>
    divide(objectAt(source.value, [verb]), ([key, value]) =>
      memberAt(vocabulary.members.get(verb), key, value),
    );
  const membersOf = (verb: string) => divided(verb).members;
  const documentsAt = (verb: string, path: readonly string[]): readonly string[] => {
    const setting = vocabulary.verbs.get(verb)?.find(({ key }) => key === 'document');
    const value = objectAt(source.value, path).document;
    const read = value === undefined || !setting ? [] : readValue(setting, value, source.folder, ignore);
    return Array.isArray(read) ? read : [];
  };
  return {
    name: source.name,
    targets: urls,
    choose: (verb, target, isTaken) =>
      chooseSettings(
        { ...source, value: { ...objectAt(source.value, []), [verb]: divided(verb).options } },
        vocabulary.verbs.get(verb) ?? [],
        { verb, target },
        isTaken,
        environment,
      ),
    documentsOf(verb) {
      const documents = documentsAt(verb, [verb]);
      if (documents.length > 0) return documents;
      const named = [...urls.keys()].map((name) => documentsAt(verb, ['targets', name]));
      return [...new Set([documentsAt(verb, []), ...named].flat())];
    },
    judgedTargets(verb) {
      const files = documentsAt(verb, [verb]);
      const all = [...urls].flatMap(([name, url]): readonly JudgedTarget[] => {
        const [document] = [...documentsAt(verb, ['targets', name]), ...documentsAt(verb, [])];
        return document === undefined ? [] : [{ name, url, document }];
      });
      const isSeveral = new Set(all.map(({ document }) => document)).size > 1;
      return files.length === 0 && isSeveral && objectAt(source.value, [verb]).baseUrl === undefined
        ? all
        : [];
    },
    code(verb) {
      const { name, programs } = source;
      if (!programs) return undefined;
      const reload = async () => {
        const next = await readConfiguration(file, vocabulary, environment, reads);
        return next.code(verb) as ConfiguredCode;
      };
      return { name, members: membersOf(verb), files: programs, reload };
    },
    membersOf,
    nearestTarget: (name) => nearest(name, urls.keys()),
  };
}

/** A setting that a file gives to a verb. */
export interface Chosen {
  readonly setting: Setting;
  readonly value: SettingValue;
  /** Its place: `paddock.config.yaml:7:9`. */
  readonly place: string;
}

/**
 * The settings of a checked file for a verb: those below the target take precedence over those below the verb, and these
 * over the top. A setting removes those that it excludes.
 * @param isTaken whether the command line or the environment has a setting already
 * @throws ConfigurationError if the variable of a secret is not set
 */
function chooseSettings(
  file: SourceOfOptions,
  settings: readonly Setting[],
  { verb, target }: { readonly verb: string; readonly target: string | undefined },
  isTaken: (key: string) => boolean,
  environment: NodeJS.ProcessEnv,
): Chosen[] {
  const closed = new Set(settings.map(({ key }) => key).filter(isTaken));
  const excluded = (key: string) => {
    const keys = settings.find((setting) => setting.key === key)?.excludes ?? [];
    return [
      ...keys,
      ...settings.filter((setting) => setting.excludes.includes(key)).map((setting) => setting.key),
    ];
  };
  for (const key of [...closed]) for (const other of excluded(key)) closed.add(other);
  const chosen: Chosen[] = [];
  for (const path of [...(target === undefined ? [] : [['targets', target]]), [verb], []]) {
    const scope = objectAt(file.value, path);
    const matches = settings.filter((setting) => !closed.has(setting.key) && has(scope, writtenKey(setting)));
    for (const setting of matches) closed.add(setting.key);
    for (const setting of matches) {
      const at = [...path, writtenKey(setting)];
      const raw = scope[writtenKey(setting)];
      const place = file.placeOf(at);
      const value = setting.isSecret
        ? secretOf(setting, raw, environment, `${place}: ${at.join('.')}`)
        : (readValue(setting, raw, file.folder, ignore) ?? []);
      if (setting.form.type === 'switch' && value !== setting.form.says) continue;
      for (const other of excluded(setting.key)) closed.add(other);
      chosen.push({ setting, value, place });
    }
  }
  return chosen;
}

type Entry = [key: string, value: unknown];

/** Separates a verb's options from other members. */
function divide(object: object, isMember: (entry: Entry) => unknown) {
  const { options = [], members = [] } = Object.groupBy(Object.entries(object), (entry) =>
    isMember(entry) ? 'members' : 'options',
  );
  return { options: Object.fromEntries(options), members: Object.fromEntries(members) };
}

/** The file has been checked already. */
function ignore(): void {}

function objectAt(value: unknown, path: readonly string[]): Readonly<Record<string, unknown>> {
  let at: unknown = value;
  for (const key of path) at = has(at, key) ? at[key] : undefined;
  return (at ?? {}) as Record<string, unknown>;
}

function has(value: unknown, key: string): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false;
  return (value as Record<string, unknown>)[key] !== undefined;
}

function secretOf(
  { form, isList }: Setting,
  value: unknown,
  environment: NodeJS.ProcessEnv,
  where: string,
): readonly string[] {
  const read = (name: string) => {
    const secret = environment[name];
    if (secret) return secret;
    throw new ConfigurationError(`${where}: the environment variable ${name}, which it names, is not set`);
  };
  if (form.type === 'pairs')
    return Object.entries(value as Record<string, string>).map(([name, one]) => `${name}=${read(one)}`);
  const secret = read(String(value));
  return isList ? secret.split(',') : [secret];
}
