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
  /** The value that says more than the default. */
  readonly says: boolean;
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
  /** Or true and false: the option may stand without a value. */
  readonly orSwitch?: boolean;
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

/** A member below a verb that is no option of the command line: code, or data with a form of its own. */
export interface Member {
  readonly description: string;
  /** It may stand in a file that is no program; then in this form: JSON Schema. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** An option has the same name: the values that are this member. Default: all, no option has it. */
  readonly takes?: (value: unknown) => boolean;
  /** What is wrong with a value of it, of a program or of a text; undefined: nothing. */
  readonly problem: (value: unknown, isProgram: boolean) => string | undefined;
}

/** The member that a value below a verb is; undefined: it is none, and an option at most. */
export function memberAt(
  members: Readonly<Record<string, Member>> | undefined,
  key: string,
  value: unknown,
): Member | undefined {
  const member = members && Object.hasOwn(members, key) ? members[key] : undefined;
  return member?.takes?.(value) === false ? undefined : member;
}

/** The options of all verbs that take them from a file. */
export interface Vocabulary {
  readonly verbs: ReadonlyMap<string, readonly Setting[]>;
  /** What else stands below a verb, by verb and key. */
  readonly members: ReadonlyMap<string, Readonly<Record<string, Member>>>;
  /** The verbs that have a base URL, which may be the name of a target. */
  readonly withTarget: ReadonlySet<string>;
  /** What is said of options that went, by verb and key. */
  readonly removed: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** The key for the name of the variable that holds a secret: `apiKeyEnv`. */
function variableKey({ key }: Setting): string {
  return `${key}Env`;
}

/** A value of the file as the command line has it: texts, or whether a switch is on. */
export type SettingValue = boolean | readonly string[];

/** Says what is wrong with the part of a value at a path below it. */
export type Complain = (path: readonly string[], message: string) => void;

/** What may stand in one object of a configuration file. */
export interface Scope {
  /** By key; one for each verb that has the option and takes it from there. */
  readonly settings: ReadonlyMap<string, readonly Setting[]>;
  /** Secrets by the key under which the name of their variable stands. */
  readonly variables: ReadonlyMap<string, Setting>;
}

/** What may stand in the objects of a configuration file. */
export interface Scopes {
  /** At the top: what several verbs share. */
  readonly top: Scope;
  readonly verbs: ReadonlyMap<string, Scope>;
  readonly members: Vocabulary['members'];
  readonly removed: Vocabulary['removed'];
  /** Below the name of a target, beside its URL. */
  readonly target: Scope;
}

/** All objects of a configuration file, from the options of the verbs. */
export function scopesOf({ verbs, members, withTarget, removed }: Vocabulary): Scopes {
  const all = [...verbs.values()];
  const shared = [...byKey(all)].filter(([, settings]) => settings.length > 1);
  return {
    top: scopeOf(new Map(shared)),
    members,
    removed,
    verbs: new Map([...verbs].map(([verb, settings]) => [verb, scopeOf(byKey([settings]))])),
    target: scopeOf(byKey([...withTarget].map((verb) => verbs.get(verb) ?? []))),
  };
}

function byKey(verbs: readonly (readonly Setting[])[]): Map<string, Setting[]> {
  return Map.groupBy(verbs.flat(), ({ key }) => key);
}

function scopeOf(settings: ReadonlyMap<string, readonly Setting[]>): Scope {
  const secrets = [...settings.values()].flatMap(([first]) => (first?.isSecret ? [first] : []));
  return { settings, variables: new Map(secrets.map((secret) => [variableKey(secret), secret])) };
}

/** Pairs of keys in one object that say contrary things: `readOnly` and `allowWrites`. */
export function exclusions(
  { settings }: Scope,
  entries: readonly (readonly [key: string, value: unknown])[],
): [string, string][] {
  const values = new Map(entries);
  const isSaid = (setting: Setting) => {
    const value = values.get(writtenKey(setting));
    return setting.form.type === 'switch' ? value === setting.form.says : value !== undefined;
  };
  return [...excluding({ settings })].flatMap(([one, other]): [string, string][] =>
    isSaid(one) && isSaid(other) ? [[writtenKey(other), writtenKey(one)]] : [],
  );
}

/** Settings of a scope that exclude each other, each pair once. */
export function* excluding({ settings }: Pick<Scope, 'settings'>): Generator<[Setting, Setting]> {
  for (const [one] of settings.values())
    for (const key of one?.excludes ?? []) {
      const [other] = settings.get(key) ?? [];
      if (one && other) yield [one, other];
    }
}

/** The key under which a setting stands in a file: for a secret, that of its variable. */
export function writtenKey(setting: Setting): string {
  return setting.isSecret ? variableKey(setting) : setting.key;
}
