import {
  type Contract,
  expandableMembers,
  familiesOf,
  idStem,
  memberShape,
  namedLists,
  type Operation,
  pathForm,
  type Resource,
  referencesOf,
  type Shape,
  withoutNull,
} from '#spec';
import { isIdName, recordInBody } from '../laws/mark.ts';
import { creatorOf, resourceOf } from '../laws/operation-role.ts';

/** A member by which a new record refers to one record of another collection, or several. */
interface Naming {
  readonly property: string;
  readonly parent: Resource;
  readonly isList: boolean;
}

/** The members by which a new record refers to records of other collections. */
export function referencesIn(contract: Contract, operation: Operation): Naming[] {
  const resource = resourceOf(contract, operation);
  const { kin = [] } = (resource && familiesOf(contract.resources).get(resource)) ?? {};
  const path = pathForm(operation.path);
  const named = kin.flatMap(({ property, inner, parent, address }) => {
    const isSaid = address !== undefined && path.startsWith(pathForm(address.path));
    return property === undefined || inner !== undefined || isSaid
      ? []
      : [{ property, parent, isList: false }];
  });
  const { shape } = recordInBody(resource, operation);
  const several = shape ? namedLists(shape, contract.resources) : [];
  return [...named, ...several.map(({ property, to: parent }) => ({ property, parent, isList: true }))];
}

/** The members that no response shows, with texts in the form of another collection's ids. */
function namedUnseen(contract: Contract, operation: Operation): Naming[] {
  const resource = resourceOf(contract, operation);
  const { shape } = recordInBody(resource, operation);
  if (!resource || !shape) return [];
  return referencesOf(shape, contract.resources).flatMap(
    ({ property, to, shape: embedded, isSole, signs }) => {
      const isOther = to !== resource && to.parents.length === 0 && !memberShape(resource.shape, property);
      const member = memberShape(shape, property);
      const isOne = !embedded && member && withoutNull(member).mainType === 'string';
      return isOther && isOne && isSole && signs?.includes('schema')
        ? [{ property, parent: to, isList: false }]
        : [];
    },
  );
}

/** The members of a schema that refer to records, or embed them. */
function expandableIn({ resources }: Contract, shape: Shape | undefined): Naming[] {
  return (shape ? expandableMembers(shape, resources) : []).map(({ property, to: parent }) => {
    const isList = memberShape(shape as Shape, property)?.mainType === 'array';
    return { property, parent, isList };
  });
}

/** All members of a body that refer to other records. */
export function namedIn(contract: Contract, operation: Operation): Naming[] {
  const { shape } = recordInBody(resourceOf(contract, operation), operation);
  return [
    ...referencesIn(contract, operation),
    ...namedUnseen(contract, operation),
    ...expandableIn(contract, shape),
  ];
}

/** Whether a member of a body refers to another record: services often accept only existing ones. */
export function referringIn(
  contract: Contract,
  operation: Operation,
): (name: string, shape: Shape) => boolean {
  const embedded = expandableIn(contract, resourceOf(contract, operation)?.shape);
  const names = new Set([...namedIn(contract, operation), ...embedded].map(({ property }) => property));
  return (name, shape) => names.has(name) || (isIdName(name) && mayBeId(shape));
}

const mayBeId = ({ values, mainType }: Shape) => !values && (mainType === 'integer' || mainType === 'string');

/** Whether a member has the ids of several other records: `role_ids`, and `roles` if these are a collection. */
export function referringLists(
  contract: Contract,
  operation: Operation,
): (name: string, shape: Shape) => boolean {
  const lists = new Set(
    namedIn(contract, operation).flatMap((naming) => (naming.isList ? [naming.property] : [])),
  );
  return (name, shape) => {
    const { items } = withoutNull(shape);
    return items !== undefined && mayBeId(items) && (lists.has(name) || idStem(name) !== undefined);
  };
}

/** Whether creating a record of one collection first requires one of the other, as a reference or parent. */
export function needsOneOf(contract: Contract, one: Resource, other: Resource): boolean {
  const families = familiesOf(contract.resources);
  const neededBy = (resource: Resource) => {
    const creator = creatorOf(resource);
    const named = creator ? namedIn(contract, creator) : [];
    return [...(families.get(resource)?.kin ?? []), ...named].map(({ parent }) => parent);
  };
  const seen = new Set([one]);
  // Iterating over a set includes the items added meanwhile.
  for (const resource of seen) {
    for (const parent of neededBy(resource)) seen.add(parent);
  }
  return seen.has(other);
}
