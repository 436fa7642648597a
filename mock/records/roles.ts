import {
  type Action,
  accountOperation,
  type Further,
  type FurtherRole,
  formUpTo,
  idStem,
  type Operation,
  type Parent,
  pathForm,
  pathParameters,
  type Resource,
  type Singleton,
} from '#spec';
import type { RecordCollection } from './collection.ts';

/** What an operation does, with the records of which collection. */
export interface Role {
  readonly action: FurtherRole;
  readonly collection: RecordCollection;
  /** Its path does not say all that identifies a record. */
  readonly isLost?: boolean;
}

export interface Collections {
  readonly collections: ReadonlyMap<Resource, RecordCollection>;
  readonly singletons: ReadonlyMap<Singleton, RecordCollection>;
}

/** The role of each operation that has one; the first collection that names an operation has it. */
export function rolesOf({ collections, singletons }: Collections): ReadonlyMap<Operation, Role> {
  const roles = new Map<Operation, Role>();
  const add = (operation: Operation, role: Role) => {
    if (!roles.has(operation)) roles.set(operation, role);
  };
  for (const [{ actions, further }, collection] of [...collections, ...singletons]) {
    for (const [action, operation] of Object.entries(actions) as [Action, Operation][])
      add(operation, { action, collection });
    for (const one of further) add(one.operation, furtherRole(one, collection));
  }
  return roles;
}

function furtherRole(further: Further, collection: RecordCollection): Role {
  const seen = seenFrom(collection, further);
  return { action: further.role, collection: seen ?? collection, isLost: !seen };
}

/** What no member of the records says can select them only where all of them are made below it. */
function parentsSaid(
  { actions, further }: Resource,
  { role, operation, parents }: Further,
): readonly Parent[] {
  if (role !== 'view') return parents;
  // Who registers says nothing of what an account belongs to.
  const others = further.flatMap(({ role: own, operation: one }) =>
    (own === 'create' || own === 'createMany') && accountOperation(one)?.role !== 'register' ? one : [],
  );
  const creates = [...(actions.create ? [actions.create] : []), ...others];
  return parents.filter(({ parameter, property }) => {
    const item = `${formUpTo(operation.path, parameter)}/`;
    const isBelow = ({ path }: Operation) =>
      pathForm(path).startsWith(item) || (idStem(parameter) && pathParameters(path).includes(parameter));
    return property !== undefined || creates.every(isBelow);
  });
}

/**
 * A collection as an operation on another path sees it: the same records, selected by the parameters of that path, in the
 * form of its list. Undefined: the path does not say all that identifies a record.
 */
function seenFrom(collection: RecordCollection, further: Further): RecordCollection | undefined {
  const { resource } = collection;
  const scopeFrom = collection.scopeOf({
    path: further.operation.path,
    parents: parentsSaid(resource, further),
  });
  const known = new Set(scopeFrom({}).map(({ key }) => key));
  // What no member of a record says a path has to say.
  const isUnsaid = ({ parameter, property }: Parent) =>
    property === undefined && !known.has(`{${parameter}}`);
  const scope = new Set(collection.scopeFrom({}).map(({ key }) => key));
  const isLost = resource.parents.some((one) => scope.has(`{${one.parameter}}`) && isUnsaid(one));
  // An id that the service makes is that of one record, whatever it is below.
  const isMade = resource.id?.shape.mainType === 'integer';
  if (isLost && further.role !== 'view' && !isMade) return undefined;
  return {
    ...collection,
    resource: {
      ...resource,
      list: further.list,
      id: resource.id && { ...resource.id, parameter: further.parameter },
    },
    scopeFrom,
  };
}
