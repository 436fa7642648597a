/** An option of a verb as a configuration file has it: derived from the command line, which the file cannot differ from. */
export interface Setting {
  /** Its name in camelCase: `maxTime`. */
  readonly key: string;
  /** As the help of the command line shows it: `--max-time <s>`. */
  readonly flags: string;
  readonly description: string;
  readonly form: Form;
  /** It may be given several times: a list, of which a single item may be written alone. */
  readonly isList: boolean;
  /** It has no place in a file: the file names the variable that holds it, by {@link variableKey}. */
  readonly isSecret: boolean;
  /** The environment variable of the option. */
  readonly variable: string;
  /** What it is without being given; undefined: nothing that the file could say. */
  readonly usual: string | number | boolean | undefined;
  /** Keys of settings that this one cannot stand beside. */
  readonly excludes: readonly string[];
  /** What the command line reads from a text, if it does more than keep it. @throws Error with the reason */
  readonly parse: ((text: string) => unknown) | undefined;
}

export type Form = Switch | Whole | Text | Pairs;

/** True or false. */
export interface Switch {
  readonly type: 'switch';
  /** The only value that says more than the default; undefined: both do. */
  readonly says: boolean | undefined;
}

/** A whole number from `low` to `high`. */
export interface Whole {
  readonly type: 'whole';
  readonly low: number;
  readonly high: number;
}

export interface Text {
  readonly type: 'text';
  readonly choices?: readonly string[] | undefined;
  /** `false` stands for the negated option. */
  readonly orFalse?: boolean;
  /** A number may be written without quotes; its limits are those of JSON Schema. */
  readonly orNumber?: { readonly exclusiveMinimum?: number };
  /** As in JSON Schema. */
  readonly pattern?: string;
  /** It names a file beside the configuration file: always, or behind `file:` (a store). */
  readonly path?: 'path' | 'store';
}

/** Names with values: a mapping, or a list of texts as on the command line. */
export interface Pairs {
  readonly type: 'pairs';
  readonly between: '=' | ': ';
  /** All names that there are; undefined: any. */
  readonly names?: readonly string[] | undefined;
  /** The values name files. */
  readonly path?: 'path';
}

/** The options of all verbs that take them from a file. */
export interface Vocabulary {
  readonly verbs: ReadonlyMap<string, readonly Setting[]>;
  /** The verbs that have a base URL, which may be the name of a target. */
  readonly withTarget: ReadonlySet<string>;
}

/** The key for the name of the variable that holds a secret: `apiKeyEnv`. */
export function variableKey({ key }: Setting): string {
  return `${key}Env`;
}
