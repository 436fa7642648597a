import { type Contract, credentialsByScheme, nearest, type Operation, placeOf, showPlace } from '#spec';
import type { UserCode } from '../hooks/user-code.ts';
import { SettingsError } from './check-options.ts';
import { compileChoice, type Settings } from './settings.ts';

/**
 * The settings for a document: the operations of `allow`, `exclude` and the tags of `only` by id.
 * @throws SettingsError for a name of no operation
 */
export function withOperations(
  settings: Settings,
  { operations: read, leftOut, basePaths }: Contract,
): Settings {
  const operations = [...read, ...leftOut.flatMap((one) => one.operations)];
  const resolved = (option: 'allow' | 'exclude') =>
    new Set([...settings[option]].flatMap((name) => operationsNamed(operations, option, name)));
  const bodies = new Map([...settings.bodies].map(([name, body]) => [creatorNamed(operations, name), body]));
  return Object.freeze({
    ...settings,
    basePaths,
    allow: resolved('allow'),
    exclude: resolved('exclude'),
    isChosen: compileChoice(settings.only, (name) => operationsNamed(operations, 'only', name)),
    bodies,
  });
}

/**
 * The settings with the user code's bodies: one that it returns for a create is the base of generated bodies.
 * @throws SettingsError for an operation that the document does not have
 */
export async function withPrepared(
  settings: Settings,
  { operations }: Contract,
  { prepares, prepareAhead }: Pick<UserCode, 'prepares' | 'prepareAhead'>,
): Promise<Settings> {
  const bodies = new Map(settings.bodies);
  for (const name of prepares) {
    const operation = operations.find(({ id }) => id === name);
    if (!operation)
      throw new SettingsError(
        `option hooks: prepare: the document has no operation "${name}"${hintOf(operations, name)}`,
        'hooks',
      );
    if (settings.plan || !operation.body) continue;
    const { body } = await prepareAhead(operation, settings.seed);
    if (body !== undefined) bodies.set(name, body);
  }
  return Object.freeze({ ...settings, bodies, prepares });
}

function hintOf(operations: readonly Operation[], name: string): string {
  const ids = name.startsWith('tag:')
    ? operations.flatMap(({ tags }) => tags.map((tag) => `tag:${tag}`))
    : operations.map(({ id }) => id);
  const like = ids.find((id) => id.toLowerCase() === name.toLowerCase()) ?? nearest(name, ids);
  return like === undefined ? '' : `; did you mean "${like}"?`;
}

/** The single operation of a `--body` name. */
function creatorNamed(operations: readonly Operation[], name: string): string {
  const [only, ...more] =
    name === 'all' || name.startsWith('tag:') ? [] : operationsNamed(operations, 'bodies', name);
  const operation = operations.find(({ id }) => id === only);
  if (!operation || more.length > 0)
    throw new SettingsError(
      `option bodies: "${name}" names no single operation: write its operationId, or METHOD /path`,
      'bodies',
    );
  if (operation.body) return operation.id;
  throw new SettingsError(
    `option bodies: ${showPlace(placeOf(operation.spot))}: ${operation.method} ${operation.path} takes no body; name one that does`,
    'bodies',
  );
}

function operationsNamed(operations: readonly Operation[], option: string, name: string): string[] {
  const ids = operations.filter((operation) => isNamed(operation, name)).map(({ id }) => id);
  if (ids.length > 0 || name === 'all') return ids;
  const forms =
    'an operation is named by its operationId, as METHOD /path, by tag:NAME, or all of them by all';
  throw new SettingsError(
    `option ${option}: the document has no operation "${name}"${hintOf(operations, name)}; ${forms}`,
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
 * The settings for a document: each credential by the documented name of its scheme.
 * @throws SettingsError for a credential of a scheme that the document does not have
 */
export function withSchemes<Given extends Pick<Settings, 'credentials'> & Partial<Pick<Settings, 'sources'>>>(
  settings: Given,
  contract: Contract,
): Given {
  const { credentials, sources } = settings;
  for (const scheme of Object.keys({ ...sources, ...credentials })) demandScheme(scheme, contract);
  return Object.freeze({
    ...settings,
    credentials: credentialsByScheme(credentials, contract),
    ...(sources && { sources: credentialsByScheme(sources, contract) }),
  });
}

function demandScheme(scheme: string, contract: Contract): void {
  try {
    credentialsByScheme({ [scheme]: undefined }, contract);
  } catch (error) {
    if (error instanceof RangeError) throw new SettingsError(error.message, 'credentials', scheme);
    throw error;
  }
}
