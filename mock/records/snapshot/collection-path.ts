import { decodeParameter, encodeParameter, type Parameter, percentDecode, percentEncode } from '#spec';
import { onFirstCall } from '../../http/memoize.ts';
import type { Condition, Entry } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';

/** Converts between a record and the path of its collection for clients: `/shelves/3/books`. */
export interface CollectionPath {
  /** Percent-encoded, without the base path. */
  pathOf(entry: Entry): string;
  /** Undefined: the path is another collection's. */
  scopeOf(path: string): readonly Condition[] | undefined;
}

export function compileCollectionPath(collection: RecordCollection): CollectionPath {
  const { keys } = collection;
  const main = compileAddress(collection);
  const others = collection.addresses.map((address) => {
    const hidden = address.scopeFrom({}).flatMap(({ key }) => (key.startsWith('{') ? keys.indexOf(key) : []));
    return { ...compileAddress(address), hidden };
  });
  if (others.length === 0) return main;
  return {
    // The path must keep parents that only paths name.
    pathOf: (entry) =>
      (others.find(({ hidden }) => hidden.every((at) => entry.keys[at] !== undefined)) ?? main).pathOf(entry),
    scopeOf: (path) =>
      main.scopeOf(path) ?? others.map((one) => one.scopeOf(path)).find((scope) => scope !== undefined),
  };
}

/** A collection by its path: a nested one by its template, or by a path with the parents. */
export interface AtPath extends CollectionPath {
  readonly collection: RecordCollection;
  /** Empty for the template. */
  readonly scope: readonly Condition[];
}

/** Compiles finding a collection by its path. Returns text with the possible paths if there is none. */
export function compileFindCollection(
  collections: readonly RecordCollection[],
): (path: string) => AtPath | string {
  const compiled = onFirstCall(() => {
    const all = collections.map((collection) => ({ collection, ...compileCollectionPath(collection) }));
    return (path: string) => {
      const match =
        all.find(({ collection }) => collection.name === path) ??
        all.find(({ scopeOf }) => scopeOf(path) !== undefined);
      if (match)
        return { ...match, scope: match.collection.name === path ? [] : (match.scopeOf(path) ?? []) };
      const names = collections.map(({ name }) => name).join(', ') || 'none';
      return `no collection at ${JSON.stringify(path)}; there are ${names}`;
    };
  });
  return compiled;
}

function compileAddress({ resource, prefix, keys, scopeFrom }: RecordCollection): CollectionPath {
  const parameters = resource.parents.map(({ parameter }) => findParameter(resource, parameter));
  const places = scopeFrom({}).map(({ key }) => keys.indexOf(key));
  const pieces = (prefix + resource.path).split(/\{[^}]+\}/);
  const pattern = new RegExp(
    `^${pieces.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('([^/]+)')}$`,
  );
  return {
    pathOf: (entry) =>
      pieces.reduce((path, piece, index) => {
        const value = entry.keys[places[index - 1] as number];
        const parameter = parameters[index - 1];
        return (
          path + (parameter ? encodeParameter(parameter, value).join() : percentEncode(String(value))) + piece
        );
      }),
    scopeOf(path) {
      const match = pattern.exec(path);
      if (!match) return undefined;
      const values = resource.parents.map(({ parameter: name }, index) => {
        const text = match[index + 1] as string;
        const parameter = parameters[index];
        return [name, parameter ? decodeParameter(parameter, [text]) : percentDecode(text)];
      });
      return scopeFrom(Object.fromEntries(values));
    },
  };
}

function findParameter({ actions }: RecordCollection['resource'], name: string): Parameter | undefined {
  const parameters = Object.values(actions).flatMap((operation) => operation.parameters);
  return parameters.find((parameter) => parameter.in === 'path' && parameter.name === name);
}
