import type { Contract, Operation, Resource } from '#spec';
import { type Named, type NamedCollection, rolesOf } from './named-collections.ts';

/** What Paddock recognises in a document, held against what a person names. */
export interface Comparison {
  readonly document: string;
  /** Collections that the person names. */
  readonly named: number;
  /** Paths of the named collections that Paddock has as one. */
  readonly found: readonly string[];
  readonly missed: readonly string[];
  /** Paths of Paddock's collections that are none. */
  readonly falselyFound: readonly string[];
  /** Paths of Paddock's collections with operations of several that the person names. */
  readonly mixed: readonly string[];
  /** How many collections of Paddock's are judged. */
  readonly recognised: number;
  /** Operations with the same role on both sides, and those that have a role on either. */
  readonly sameRole: number;
  readonly anyRole: number;
  /** `GET /x: list, not view` */
  readonly otherRoles: readonly string[];
}

type Roles = ReadonlyMap<string, string>;

export function compareCollections(contract: Contract, named: Named): Comparison {
  const isJudged = isJudgedBy(named);
  const own = contract.resources
    .map((resource) => ({ path: resource.path, roles: ownRoles(resource, isJudged) }))
    .filter(({ roles }) => roles.size > 0);
  const theirs = named.collections.map((one) => ({ path: one.path, roles: new Map(rolesOf(one)) }));
  const sharedBy = (roles: Roles) =>
    theirs.filter((one) => [...roles.keys()].some((operation) => one.roles.has(operation)));
  const isFound = (collection: (typeof theirs)[number]) =>
    own.some(({ roles }) => sharedBy(roles).length === 1 && showsOneOf(roles, collection.roles));
  const singletons = new Set((named.singletons ?? []).flatMap(rolesOf).map(([operation]) => operation));
  const isFalse = (roles: Roles) =>
    sharedBy(roles).length === 0 && ![...roles.keys()].some((operation) => singletons.has(operation));

  return {
    document: named.document,
    named: theirs.length,
    found: theirs.filter(isFound).map(({ path }) => path),
    missed: theirs.filter((one) => !isFound(one)).map(({ path }) => path),
    falselyFound: own.filter(({ roles }) => isFalse(roles)).map(({ path }) => path),
    mixed: own.filter(({ roles }) => sharedBy(roles).length > 1).map(({ path }) => path),
    recognised: own.length,
    ...compareRoles(allOwn(contract, isJudged), allNamed(named)),
  };
}

function showsOneOf(roles: Roles, named: Roles): boolean {
  return [...named].some(([operation, role]) => (role === 'list' || role === 'read') && roles.has(operation));
}

function isJudgedBy({ within, either = [] }: Named): (operation: Operation) => boolean {
  const isOpen = new Set(either);
  return (operation) => {
    const { path } = operation;
    const isWithin = !within || within.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
    return isWithin && !isOpen.has(nameOf(operation));
  };
}

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

/** A person calls a view a list. */
function ownRoles({ actions, further }: Resource, isJudged: (operation: Operation) => boolean): Roles {
  const pairs = [
    ...Object.entries(actions).map(([role, operation]) => ({ role, operation })),
    ...further.map(({ role, operation }) => ({ role: role === 'view' ? 'list' : role, operation })),
  ];
  return new Map(
    pairs
      .filter(({ operation }) => isJudged(operation))
      .map(({ role, operation }) => [nameOf(operation), role]),
  );
}

function allOwn({ resources, singletons }: Contract, isJudged: (operation: Operation) => boolean): Roles {
  const ofSingletons = singletons.flatMap(({ actions }) =>
    Object.entries(actions).flatMap(([role, operation]): [string, string][] =>
      isJudged(operation) ? [[nameOf(operation), `singleton ${role}`]] : [],
    ),
  );
  return new Map([...ofSingletons, ...resources.flatMap((one) => [...ownRoles(one, isJudged)])]);
}

function allNamed({ collections, singletons = [], actions = [] }: Named): Roles {
  const of = (several: readonly NamedCollection[], prefix = '') =>
    several.flatMap(rolesOf).map(([operation, role]): [string, string] => [operation, prefix + role]);
  const done = actions.map((operation): [string, string] => [operation, 'action']);
  return new Map([...of(collections), ...of(singletons, 'singleton '), ...done]);
}

function compareRoles(own: Roles, named: Roles): Pick<Comparison, 'sameRole' | 'anyRole' | 'otherRoles'> {
  const operations = [...new Set([...named.keys(), ...own.keys()])];
  const others = operations.filter((operation) => own.get(operation) !== named.get(operation));
  return {
    sameRole: operations.length - others.length,
    anyRole: operations.length,
    otherRoles: others.map(
      (operation) => `${operation}: ${named.get(operation) ?? 'none'}, not ${own.get(operation) ?? 'none'}`,
    ),
  };
}
