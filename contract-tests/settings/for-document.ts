import { type Contract, credentialsByScheme, type Operation, placeOf, showPlace } from '#spec';
import { SettingsError } from './check-options.ts';
import type { Settings } from './settings.ts';

/**
 * The settings of a run of this document: the operations of `allow` and `exclude` by their ids.
 * @throws SettingsError for a name that no operation of the document has
 */
export function withOperations(settings: Settings, { operations }: Contract): Settings {
  const resolved = (option: 'allow' | 'exclude') =>
    new Set([...settings[option]].flatMap((name) => operationsNamed(operations, option, name)));
  const bodies = new Map([...settings.bodies].map(([name, body]) => [creatorNamed(operations, name), body]));
  return Object.freeze({ ...settings, allow: resolved('allow'), exclude: resolved('exclude'), bodies });
}

/** The one operation of a body of `--body`. */
function creatorNamed(operations: readonly Operation[], name: string): string {
  const [only, ...more] =
    name === 'all' || name.startsWith('tag:') ? [] : operationsNamed(operations, 'bodies', name);
  const found = operations.find(({ id }) => id === only);
  if (!found || more.length > 0)
    throw new SettingsError(
      `option bodies: "${name}" names no single operation: write its operationId, or METHOD /path`,
      'bodies',
    );
  if (found.body) return found.id;
  throw new SettingsError(
    `option bodies: ${showPlace(placeOf(found.spot))}: ${found.method} ${found.path} takes no body; name one that does`,
    'bodies',
  );
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

/**
 * The settings of a run of this document: each credential under the name that the document gives its scheme.
 * @throws SettingsError for a credential of a scheme that the document does not have
 */
export function withSchemes<Given extends Pick<Settings, 'credentials'>>(
  settings: Given,
  contract: Contract,
): Given {
  try {
    return Object.freeze({ ...settings, credentials: credentialsByScheme(settings.credentials, contract) });
  } catch (error) {
    if (error instanceof RangeError) throw new SettingsError(error.message, 'credentials');
    throw error;
  }
}
