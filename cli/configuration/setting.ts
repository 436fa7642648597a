/** An option of a verb in a configuration file, derived from the command line. */
export interface Setting {
  /** Its name in camelCase: `maxTime`. */
  readonly key: string;
  /** Its form in the help of the command line: `--max-time <s>`. */
  readonly flags: string;
  readonly description: string;
  readonly form: Form;
  /** It may be given several times: in a file as a list, or as a single item. */
  readonly isList: boolean;
  /** It may not be in a file, which names its variable by {@link variableKey} instead. */
  readonly isSecret: boolean;
  /** The environment variable of the option. */
  readonly variable: string;
  /** Its default. Undefined: none that a file could state. */
  readonly usual: string | number | boolean | undefined;
  /** Keys of settings that this one excludes. */
  readonly excludes: readonly string[];
  /** Parses the text on the command line, if it is more than text. @throws Error with the reason */
  readonly parse: ((text: string) => unknown) | undefined;
}

export type Form = Switch | Whole | Text | Pairs;

/** True or false. */
export interface Switch {
  readonly type: 'switch';
  /** The value that differs from the default. */
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
  /** True and false are allowed, too: the option may have no value. */
  readonly orSwitch?: boolean;
  /** A number may be written without quotes, within JSON Schema limits. */
  readonly orNumber?: { readonly exclusiveMinimum?: number };
  /** As in JSON Schema. */
  readonly pattern?: string;
  /** It is a path relative to the configuration file: always, or after `file:` (a store). */
  readonly path?: 'path' | 'store';
}

/** Names with values: a mapping, or a list of texts as on the command line. */
export interface Pairs {
  readonly type: 'pairs';
  readonly between: '=' | ': ';
  /** The allowed names. Undefined: any. */
  readonly names?: readonly string[] | undefined;
  /** The values are file names. */
  readonly path?: 'path';
}

/** A member below a verb that is no option of the command line: code, or structured data. */
export interface Member {
  readonly description: string;
  /** Its JSON Schema in a file that is no program. Absent: only programs may have it. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Whether a value is this member rather than the option of the same name. Default: always, there is no such option. */
  readonly takes?: (value: unknown) => boolean;
  /** Returns the problem of its value, in a program or a text. Undefined: it is valid. */
  readonly problem: (value: unknown, isProgram: boolean) => string | undefined;
}

/** The member for a value below a verb. Undefined: it can only be an option. */
export function memberAt(
  members: Readonly<Record<string, Member>> | undefined,
  key: string,
  value: unknown,
): Member | undefined {
  const member = members && Object.hasOwn(members, key) ? members[key] : undefined;
  return member?.takes?.(value) === false ? undefined : member;
}

/** The options of all verbs that a configuration file may set. */
export interface Vocabulary {
  readonly verbs: ReadonlyMap<string, readonly Setting[]>;
  /** Further members of verbs, by verb and key. */
  readonly members: ReadonlyMap<string, Readonly<Record<string, Member>>>;
  /** The verbs with a base URL, which may be the name of a target. */
  readonly withTarget: ReadonlySet<string>;
  /** Messages about removed options, by verb and key. */
  readonly removed: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** The key for the name of a secret's variable: `apiKeyEnv`. */
function variableKey({ key }: Setting): string {
  return `${key}Env`;
}

/** A value of the file in the form of the command line: texts, or whether a switch is on. */
export type SettingValue = boolean | readonly string[];

/** Reports a problem of a value's part, at a path below it. */
export type Complain = (path: readonly string[], message: string) => void;

/** The allowed members of one object in a configuration file. */
export interface Scope {
  /** By key; one setting for each verb that uses the option from there. */
  readonly settings: ReadonlyMap<string, readonly Setting[]>;
  /** Secrets, by the key for their variable's name. */
  readonly variables: ReadonlyMap<string, Setting>;
}

/** The allowed members of all objects in a configuration file. */
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

/** Pairs of contradictory keys in one object: `readOnly` and `allowWrites`. */
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
  for (const [setting] of settings.values())
    for (const key of setting?.excludes ?? []) {
      const [other] = settings.get(key) ?? [];
      if (setting && other) yield [setting, other];
    }
}

/** The key of a setting in a file: for a secret that of its variable. */
export function writtenKey(setting: Setting): string {
  return setting.isSecret ? variableKey(setting) : setting.key;
}
