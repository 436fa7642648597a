import { type Setting, type Vocabulary, variableKey } from './setting.ts';

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
  /** Below the name of a target, beside its URL. */
  readonly target: Scope;
}

/** All objects of a configuration file, from the options of the verbs. */
export function scopesOf({ verbs, withTarget }: Vocabulary): Scopes {
  const all = [...verbs.values()];
  const shared = [...byKey(all)].filter(([, settings]) => settings.length > 1);
  return {
    top: scopeOf(new Map(shared)),
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
