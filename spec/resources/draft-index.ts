import type { Draft } from './draft.ts';
import { recordName } from './paths.ts';

/** Where drafts are found. */
export interface Index {
  /** Drafts by the Schema Objects of their records. */
  readonly bySchema: ReadonlyMap<unknown, readonly Draft[]>;
  /** Drafts by the name of what they hold. */
  readonly byName: ReadonlyMap<string, readonly Draft[]>;
  has(key: unknown): boolean;
}

export function indexOf(drafts: readonly Draft[]): Index {
  const bySchema = new Map<unknown, Draft[]>();
  for (const draft of drafts) {
    for (const key of draft.keys) bySchema.set(key, [...(bySchema.get(key) ?? []), draft]);
  }
  const byName = Map.groupBy(drafts, ({ path }) => recordName(path));
  return { bySchema, byName, has: (key) => bySchema.has(key) };
}

export const isAnchor = ({ actions }: Draft) => actions.read !== undefined;

/**
 * The collection whose records a list shows that has none to read itself: one whose records have the same schema, or the
 * same name and mostly the same members. Undefined: the records are its own.
 */
export function anchorOf(draft: Draft, { bySchema, byName }: Index): Draft | undefined {
  const { actions, path, keys } = draft;
  if (isAnchor(draft)) return undefined;
  const same = [...keys].flatMap((key) => bySchema.get(key) ?? []).filter((one) => one !== draft);
  const alike = (byName.get(recordName(path)) ?? []).filter((one) => one !== draft && isLike(draft, one));
  const anchors = [...same, ...alike].filter(isAnchor);
  if (anchors.length > 0) return nearest(path, anchors);
  // Of several lists of the same records, the one that does more or has the shortest path is the collection.
  const rank = (one: Draft) => Object.keys(one.actions).length * 1000 - one.path.length;
  const isOnlyList = Object.keys(actions).length === 1;
  const best = same.reduce((first, one) => (rank(one) > rank(first) ? one : first), draft);
  return isOnlyList && best !== draft ? best : undefined;
}

/** Whether most members of the one are members of the other as well. */
function isLike({ shape: { properties } }: Draft, { shape }: Draft): boolean {
  const common = [...properties.keys()].filter((name) => shape.properties.has(name));
  return common.length >= MOST_MEMBERS * properties.size && common.length > 1;
}

const MOST_MEMBERS = 0.6;

/** The draft that shares most of the path, the shortest of several. */
export function nearest(path: string, drafts: readonly Draft[]): Draft | undefined {
  const score = (draft: Draft) => commonLength(path, draft.path) * 1000 - draft.path.length;
  return drafts.reduce<Draft | undefined>(
    (best, draft) => (!best || score(draft) > score(best) ? draft : best),
    undefined,
  );
}

function commonLength(left: string, right: string): number {
  const [one, other] = [left.split('/'), right.split('/')];
  const differing = one.findIndex((segment, index) => segment !== other[index]);
  return differing < 0 ? one.length : differing;
}
