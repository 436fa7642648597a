import type { Spot } from '../document/spot.ts';
import type { Operation } from '../operation.ts';
import type { FurtherRole } from './resource.ts';

/** What is said of the role of an operation in a collection. */
export interface DeclaredRole {
  /** The path of the collection; false: it has none. */
  readonly resource: string | false | undefined;
  readonly action: FurtherRole | 'singleton' | undefined;
  /** Undefined: nothing is said of its role. */
  readonly spot: Spot | undefined;
}

const NOTHING: DeclaredRole = { resource: undefined, action: undefined, spot: undefined };

const ROLES: ReadonlySet<string> = new Set([
  ...(['list', 'view', 'create', 'createMany', 'read', 'replace', 'update', 'updateMany'] as const),
  ...(['remove', 'removeMany', 'action', 'singleton'] as const),
] satisfies DeclaredRole['action'][]);

/** What `x-paddock` says; a role of accounts is none in a collection. */
export function declaredRole({ said: { facts, spot, at } }: Operation): DeclaredRole {
  const { does, of } = facts;
  if (does === 'none') return { resource: false, action: undefined, spot };
  if (does === undefined ? of === undefined : !ROLES.has(does)) return NOTHING;
  const action = does as DeclaredRole['action'];
  return { resource: of, action, spot: at(does ?? 'of') };
}
