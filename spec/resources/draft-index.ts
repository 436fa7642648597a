import { type Draft, isDeclared } from './draft.ts';
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
 * The collections whose records are read elsewhere, by the lists that show the same ones without a way to read them: the
 * schema is the same, or the name is and most of the members are. Of several lists of the same records, and no way to read
 * them, the one that does more or has the shortest path is the collection.
 */
export function anchorsOf(drafts: readonly Draft[], index: Index): ReadonlyMap<Draft, Draft> {
  const anchors = new Map<Draft, Draft>();
  const add = (draft: Draft, anchor: Draft | undefined) => anchor && anchors.set(draft, anchor);
  const alone = drafts.filter(
    ({ actions }) => !actions.read && !Object.values(actions).some((operation) => isDeclared(operation)),
  );
  for (const draft of alone) add(draft, readElsewhere(draft, index));
  const left = alone.filter((draft) => !anchors.has(draft) && Object.keys(draft.actions).length === 1);
  for (const draft of left) add(draft, listedElsewhere(draft, index, anchors));
  // A list that is an anchor may have one itself; each of them does more, or has the shorter path.
  const lastOf = (draft: Draft): Draft => {
    const next = anchors.get(draft);
    return next ? lastOf(next) : draft;
  };
  return new Map([...anchors.keys()].map((draft) => [draft, lastOf(draft)]));
}

function readElsewhere(draft: Draft, { bySchema, byName }: Index): Draft | undefined {
  const { path, keys } = draft;
  const same = [...keys].flatMap((key) => bySchema.get(key) ?? []);
  const alike = (byName.get(recordName(path)) ?? []).filter((one) => isLike(draft, one));
  return nearest(path, [...same, ...alike].filter(isAnchor));
}

function listedElsewhere(
  draft: Draft,
  { bySchema }: Index,
  elsewhere: ReadonlyMap<Draft, Draft>,
): Draft | undefined {
  const rank = (one: Draft) => Object.keys(one.actions).length * 1000 - one.path.length;
  const same = [...draft.keys].flatMap((key) => bySchema.get(key) ?? []).filter((one) => !elsewhere.has(one));
  const best = same.reduce((first, one) => (rank(one) > rank(first) ? one : first), draft);
  return best === draft ? undefined : best;
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
