import { oncePer } from '../json/once-per.ts';
import { namesIdOf } from '../meaning/names.ts';
import { formUpTo, type Operation, pathForm, pathParameters } from '../operation.ts';
import { itemOf, recordName } from './paths.ts';
import { memberShape, memberWith, sentShape } from './record-schema.ts';
import type { Resource } from './resource.ts';

/** A record that a path names above its last segment. */
export interface Ancestor {
  readonly parent: Resource;
  readonly parameter: string;
}

/** The records that a path names above its last segment, the outermost first, whatever the parameters are called. */
export function ancestorsOf(resources: readonly Resource[], path: string): Ancestor[] {
  return pathParameters(path).flatMap((parameter) => {
    const item = formUpTo(path, parameter);
    const parent = item === pathForm(path) ? undefined : itemsOf(resources).get(item);
    return parent && mayBeId(parameter, parent) ? [{ parent, parameter }] : [];
  });
}

/**
 * The collection of the record that a path parameter identifies, by id or another member: `{name}` of `/pets/{name}/newest`.
 * Undefined: it identifies none, such as an enumeration with the name of a member.
 */
export function recordNamedBy(
  resources: readonly Resource[],
  { path, parameters }: Operation,
  name: string,
): Resource | undefined {
  const names = pathParameters(path).includes(name)
    ? itemsOf(resources).get(formUpTo(path, name))
    : undefined;
  const described = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name);
  return names && !mayBeId(name, names) && described?.shape.values ? undefined : names;
}

/** Whether a parameter may be the id: not if another member has its name, as in `/stores/{reference}`. */
const mayBeId = (parameter: string, { id, shape }: Resource) =>
  parameter === id?.parameter || parameter === id?.property || !memberShape(shape, parameter);

/** Collections by the paths of their items, without the names of parameters. */
const itemsOf = oncePer((resources: readonly Resource[]): ReadonlyMap<string, Resource> => {
  const paths = (resource: Resource) => {
    const { id, path, actions } = resource;
    const items = Object.values(actions).flatMap((action) => itemOf(action.path) ?? []);
    const paths = items.filter(({ parameter }) => parameter === id?.parameter).map(({ above }) => above);
    for (const { role, operation } of resource.further) {
      const item = role === 'read' ? itemOf(operation.path) : undefined;
      if (item) paths.push(item.above);
    }
    return id?.parameter === undefined
      ? []
      : [path, ...paths].map((one) => [`${pathForm(one)}/{}`, resource] as const);
  };
  return new Map(resources.toReversed().flatMap(paths));
});

/** The members of a body that name the parents which neither the path nor a member of the records says: the `postId` of a comment. */
export function parentsInBody(resource: Resource, operation: Operation): ReadonlyMap<string, string> {
  const sent = sentShape(resource, operation);
  const names = pathParameters(operation.path);
  return new Map(
    resource.parents.flatMap(({ parameter, property }) => {
      if (!sent || property !== undefined || names.includes(parameter)) return [];
      const noun = recordName(resource.path.slice(0, resource.path.indexOf(`{${parameter}}`)));
      const member = memberWith(sent, (name, shape) => namesIdOf(name, noun) && !shape.properties.size);
      return member === undefined ? [] : [[parameter, member] as const];
    }),
  );
}
