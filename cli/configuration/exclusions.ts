import type { Scope } from './scope.ts';
import { type Setting, variableKey } from './setting.ts';

/** Pairs of keys in one object that say contrary things: `readOnly` and `allowWrites`. */
export function exclusions(
  { settings }: Scope,
  entries: readonly (readonly [key: string, value: unknown])[],
): [string, string][] {
  const said = new Map(entries);
  const isSaid = (setting: Setting) => {
    const value = said.get(writtenKey(setting));
    return setting.form.type === 'switch' && setting.form.says !== undefined
      ? value === setting.form.says
      : value !== undefined;
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
