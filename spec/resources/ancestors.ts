import { type Operation, pathForm } from '../operation.ts';
import { itemOf, withoutSuffix } from './paths.ts';
import { memberShape } from './record-schema.ts';
import type { Resource } from './resource.ts';

/** A record that a path names before its end. */
export interface Ancestor {
  readonly parent: Resource;
  readonly parameter: string;
}

/** The records that a path names before its end, the outermost first; each by its place in the path, whatever its parameter is called. */
export function ancestorsOf(resources: readonly Resource[], path: string): Ancestor[] {
  const items = itemsOf(resources);
  return [...path.matchAll(/\{([^{}]+)\}/g)].flatMap(({ 0: text, 1: parameter = '', index }) => {
    const prefix = path.slice(0, index + text.length);
    const parent = prefix === path ? undefined : items.get(pathForm(prefix));
    return parent && mayBeId(parameter, parent) ? [{ parent, parameter }] : [];
  });
}

/**
 * The collection of the record that a path parameter names, by its id or by another member: `{name}` of `/pets/{name}/newest`.
 * Undefined: it names none, as one of a few values that only bears the name of a member.
 */
export function recordNamedBy(
  resources: readonly Resource[],
  { path, parameters }: Operation,
  name: string,
): Resource | undefined {
  const start = path.indexOf(`{${name}}`);
  const found =
    start < 0 ? undefined : itemsOf(resources).get(pathForm(path.slice(0, start + name.length + 2)));
  const described = parameters.find((one) => one.in === 'path' && one.name === name);
  return found && !mayBeId(name, found) && described?.shape.values ? undefined : found;
}

/** A parameter with the name of another member is none that is the id: `/stores/{reference}`. */
const mayBeId = (parameter: string, { id, shape }: Resource) =>
  parameter === id?.parameter || parameter === id?.property || !memberShape(shape, parameter);

const items = new WeakMap<readonly Resource[], ReadonlyMap<string, Resource>>();

/** Collections by the paths of their items, without the names of parameters. */
function itemsOf(resources: readonly Resource[]): ReadonlyMap<string, Resource> {
  const found = items.get(resources) ?? new Map(resources.toReversed().flatMap(itemPaths));
  items.set(resources, found);
  return found;
}

function itemPaths(resource: Resource): [string, Resource][] {
  const { id, path, actions } = resource;
  if (id?.parameter === undefined) return [];
  const own = Object.values(actions).filter((one) => itemOf(one.path)?.parameter === id.parameter);
  const paths = [`${path}/{${id.parameter}}`, ...own.map((one) => withoutSuffix(one.path))];
  return paths.map((one) => [pathForm(one), resource]);
}
