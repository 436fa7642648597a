import {
  type Action,
  accountOperation,
  type Further,
  type FurtherRole,
  formUpTo,
  idStem,
  type Operation,
  type Parent,
  parentsInBody,
  pathForm,
  pathParameters,
  type Resource,
  type Singleton,
} from '#spec';
import type { RecordCollection } from './collection.ts';

/** What an operation does, and with the records of which collection. */
export interface Role {
  readonly action: FurtherRole;
  readonly collection: RecordCollection;
  /** Its path does not identify a record's parents. */
  readonly isLost?: boolean;
}

export interface Collections {
  readonly collections: ReadonlyMap<Resource, RecordCollection>;
  readonly singletons: ReadonlyMap<Singleton, RecordCollection>;
}

/** The role of each operation that has one; the first collection with the operation has it. */
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

const CREATES: ReadonlySet<FurtherRole> = new Set<FurtherRole>(['create', 'createMany']);

/** The parents that a path selects by. A parent that no member names selects only if all records are created below it. */
function parentsSaid(
  { actions, further }: Resource,
  { role, operation, parents }: Further,
): readonly Parent[] {
  if (role !== 'view') return parents;
  // A registration does not tell the parent of its account.
  const others = further.flatMap(({ role: otherRole, operation: one }) =>
    (otherRole === 'create' || otherRole === 'createMany') && accountOperation(one)?.role !== 'register'
      ? one
      : [],
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
 * A collection as seen by an operation on another path: the same records, selected by the path's parameters, with the
 * path's list form. Undefined: the path does not identify a record's parents.
 */
function seenFrom(collection: RecordCollection, further: Further): RecordCollection | undefined {
  const { resource } = collection;
  // The body of a create names the parents that its path lacks.
  const isToldInBody = CREATES.has(further.role) && parentsInBody(resource, further.operation).size > 0;
  if (isToldInBody) return collection;
  const scopeFrom = collection.scopeOf({
    path: further.operation.path,
    parents: parentsSaid(resource, further),
  });
  const scopeKeys = new Set(scopeFrom({}).map(({ key }) => key));
  // A parent that neither a member nor the path names.
  const isUnsaid = ({ parameter, property }: Parent) =>
    property === undefined && !scopeKeys.has(`{${parameter}}`);
  const scope = new Set(collection.scopeFrom({}).map(({ key }) => key));
  const isLost = resource.parents.some((parent) => scope.has(`{${parent.parameter}}`) && isUnsaid(parent));
  // Generated integer ids are unique across parents.
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
