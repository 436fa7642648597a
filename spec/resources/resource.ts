import type { Spot } from '../document/spot.ts';
import type { Basis } from '../meaning/basis.ts';
import type { Order, UsualOrder } from '../meaning/order.ts';
import type { Paging } from '../meaning/paging.ts';
import type { Bound, Filter, Search } from '../meaning/selection.ts';
import type { Operation } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';

/** What an operation does with the records of a resource. */
export type Action = 'list' | 'create' | 'read' | 'replace' | 'update' | 'remove';

/** A collection that operations share, inferred from paths, methods, schemas and links, or declared by extensions. */
export interface Resource {
  /** The collection's path template: `/owners/{ownerId}/dogs`. */
  readonly path: string;
  /** The main operation of each action, by path and method or as `x-paddock` says. */
  readonly actions: Readonly<Partial<Record<Action, Operation>>>;
  /** The roles of other operations on the same records, mostly inferred from schemas. */
  readonly further: readonly Further[];
  /** The schema of one record in a response. */
  readonly shape: Shape;
  readonly id: Identity | undefined;
  readonly list: ListForm | undefined;
  /** The path parameters of the collection itself: they identify the parents of the records. */
  readonly parents: readonly Parent[];
  /** References to records of other documents, as the user says; absent: none. */
  readonly related?: readonly Related[];
}

/** The operations and collections of a document. */
export interface Described {
  readonly operations: readonly Operation[];
  readonly resources: readonly Resource[];
}

/** A member or a path parameter that refers to a record of another document. */
export interface Related {
  readonly name: string;
  readonly parent: Resource;
}

/**
 * What an operation beside the main ones does: `view` lists some of the records, `action` does something else to one of
 * them. `createMany`, `updateMany` and `removeMany` take several at once.
 */
export type FurtherRole = Action | 'view' | 'createMany' | 'updateMany' | 'removeMany' | 'action';

/** The roles of operations on one record. */
export const ON_ONE: ReadonlySet<FurtherRole> = new Set([
  ...(['read', 'replace', 'update', 'remove', 'action'] as const),
]);

export interface Further extends Basis {
  readonly role: FurtherRole;
  readonly operation: Operation;
  /** For a view, and for a read of a record by another member than its id. */
  readonly list: ListForm | undefined;
  /** The operation's path parameters that name members of its records, without the id. */
  readonly parents: readonly Parent[];
  /** The path parameter with the id; undefined: the id is in the body, or the operation is not about one record. */
  readonly parameter: string | undefined;
}

/** One record of state that has no id of its own, such as `/settings`. */
export interface Singleton {
  readonly path: string;
  readonly actions: Readonly<Partial<Record<Exclude<Action, 'list' | 'create'>, Operation>>>;
  /** The operations below its path that respond with it, each an `action`. */
  readonly further: readonly Further[];
  readonly shape: Shape;
  readonly parents: readonly Parent[];
}

/** The member that identifies a record. */
export interface Identity {
  readonly property: string;
  /** The member of that object which is the id, if `x-paddock` says so; undefined: the member itself is the id. */
  readonly inner?: string | undefined;
  /** The path parameter with its value. */
  readonly parameter: string | undefined;
  readonly shape: Shape;
  /** The evidence. */
  readonly sign: IdSign;
  /** The place in the document. */
  readonly because: Spot;
}

/** The evidence for an identity, from the strongest to the weakest. */
export type IdSign =
  | 'said'
  | 'link'
  | 'name of the parameter'
  | 'end of the parameter'
  | 'name id'
  /** No schema has it: only the path parameter is known, and the name of the member is a guess. */
  | 'undeclared';

export interface Parent {
  readonly parameter: string;
  /** The record's member that names the parent, if it has one. */
  readonly property: string | undefined;
  /** The member of that object which is the parent's id; undefined: the member itself is. */
  readonly inner?: string | undefined;
  /** Another word stands for the parent: the `author` of what `/users/{id}/posts` lists. */
  readonly isOtherWord?: boolean;
}

/** How a list is requested and returned. */
export interface ListForm extends Paging {
  /** The member of the response with the records; undefined if the response is an array. */
  readonly member: string | undefined;
  /** The member of the response with the object that has `member`; undefined: the response itself has it. */
  readonly within: string | undefined;
  readonly filters: readonly Filter[];
  /** Lower and upper limits of members. */
  readonly bounds: readonly Bound[];
  readonly search: Search | undefined;
  /** Searches in a single member: `name__icontains`. */
  readonly parts: readonly Search[];
  readonly order: Order | undefined;
  readonly usual: UsualOrder | undefined;
}

/** Where the records of a list are in its response. */
export type ListPlace = Pick<ListForm, 'member' | 'within'>;

/** The role of an operation in a collection, as `x-paddock` says it. */
export interface DeclaredRole {
  /** The path of the collection; false: it has none. */
  readonly resource: string | false | undefined;
  readonly action: FurtherRole | 'singleton' | undefined;
  /** Undefined: `x-paddock` says no role. */
  readonly spot: Spot | undefined;
}

const NOTHING: DeclaredRole = { resource: undefined, action: undefined, spot: undefined };

const ROLES: ReadonlySet<string> = new Set([
  ...(['list', 'view', 'create', 'createMany', 'read', 'replace', 'update', 'updateMany'] as const),
  ...(['remove', 'removeMany', 'action', 'singleton'] as const),
] satisfies DeclaredRole['action'][]);

/** Reads the role that `x-paddock` says; roles for accounts are none in a collection. */
export function declaredRole({ said: { facts, spot, at } }: Operation): DeclaredRole {
  const { does, of } = facts;
  if (does === 'none') return { resource: false, action: undefined, spot };
  if (does === undefined ? of === undefined : !ROLES.has(does)) return NOTHING;
  const action = does as DeclaredRole['action'];
  return { resource: of, action, spot: at(does ?? 'of') };
}
