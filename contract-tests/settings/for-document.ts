import type { Contract, Operation } from '#spec';
import type { Settings } from './settings.ts';
import { SettingsError } from './settings-error.ts';

/**
 * The settings of a run of this document: the operations of `allow` and `exclude` by their ids.
 * @throws SettingsError for a name that no operation of the document has
 */
export function withOperations(settings: Settings, { operations }: Contract): Settings {
  const resolved = (option: 'allow' | 'exclude') =>
    new Set([...settings[option]].flatMap((name) => operationsNamed(operations, option, name)));
  return Object.freeze({ ...settings, allow: resolved('allow'), exclude: resolved('exclude') });
}

function operationsNamed(operations: readonly Operation[], option: string, name: string): string[] {
  const found = operations.filter((operation) => isNamed(operation, name)).map(({ id }) => id);
  if (found.length > 0 || name === 'all') return found;
  const forms =
    'an operation is named by its operationId, as METHOD /path, by tag:NAME, or all of them by all';
  const like = operations.find(({ id }) => id.toLowerCase() === name.toLowerCase());
  const hint = like ? `; it has "${like.id}"` : '';
  throw new SettingsError(
    `option ${option}: the document has no operation "${name}"${hint}; ${forms}`,
    option,
  );
}

function isNamed({ id, method, path, tags }: Operation, name: string): boolean {
  if (name === 'all' || name === id) return true;
  if (name.startsWith('tag:')) return tags.includes(name.slice('tag:'.length));
  const [, verb = '', template] = /^([A-Za-z]+)\s+(\/.*)$/.exec(name) ?? [];
  return verb.toUpperCase() === method && template === path;
}
