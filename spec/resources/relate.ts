import type { Operation } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import { answerShape, bodyShape } from './answer.ts';
import type { Draft, Group } from './draft.ts';
import { memberNamed } from './identity.ts';
import { arrayShape, listForm, listPlace } from './list-form.ts';
import { itemOf, pathParameters, recordName, withoutSuffix } from './paths.ts';
import { schemaKey, sharesMembers, unwrapped } from './record-schema.ts';
import type { Further, FurtherRole, RoleSign, Singleton } from './resource.ts';
import { findSingletons } from './singletons.ts';

interface Related {
  readonly drafts: readonly Draft[];
  readonly further: ReadonlyMap<Draft, readonly Further[]>;
  readonly singletons: readonly Singleton[];
}

/**
 * Finds what operations do with the records of a collection on other paths: by their schemas, looked up in an index, and
 * by the paths above them. The main actions of a collection stay what its own paths say.
 */
export function relate(groups: readonly Group[]): Related {
  const drafts = groups.flatMap(({ draft }) => draft ?? []);
  const index = indexOf(drafts);
  const demoted = new Map(
    drafts.flatMap((draft) => {
      const anchor = anchorOf(draft, index);
      return anchor ? [[draft, anchor]] : [];
    }),
  );
  const kept = drafts.filter((draft) => !demoted.has(draft));
  const context = { index, among: new Set(kept), byPath: new Map(kept.map((draft) => [draft.path, draft])) };
  const further = new Map<Draft, Further[]>();
  const add = (operation: Operation, match: Match) => {
    further.set(match.draft, [...(further.get(match.draft) ?? []), furtherOf(operation, match)]);
  };
  const waiting = groups.flatMap(({ rest }) => rest);
  for (const [{ actions }, draft] of demoted) {
    const { list, ...others } = actions;
    if (list) add(list, { draft, role: 'view', sign: 'schema' });
    waiting.push(...Object.values(others));
  }
  const unmatched = waiting.filter((operation) => {
    const match = viewIn(operation, context) ?? createIn(operation, context);
    if (match) add(operation, match);
    return !match;
  });
  const singletons = findSingletons(unmatched, (shape) => index.has(schemaKey(shape)));
  const taken = new Set(singletons.flatMap(({ actions }) => Object.values(actions)));
  for (const operation of unmatched) {
    const match = taken.has(operation) ? undefined : besides(operation, context);
    if (match) add(operation, match);
  }
  return { drafts: kept, further, singletons };
}

interface Context {
  readonly index: Index;
  readonly among: ReadonlySet<Draft>;
  readonly byPath: ReadonlyMap<string, Draft>;
}

interface Index {
  /** Drafts by the Schema Objects of their records. */
  readonly bySchema: ReadonlyMap<unknown, readonly Draft[]>;
  /** Drafts by the name of what they hold. */
  readonly byName: ReadonlyMap<string, readonly Draft[]>;
  has(key: unknown): boolean;
}

function indexOf(drafts: readonly Draft[]): Index {
  const bySchema = new Map<unknown, Draft[]>();
  for (const draft of drafts) {
    for (const key of draft.keys) bySchema.set(key, [...(bySchema.get(key) ?? []), draft]);
  }
  const byName = Map.groupBy(drafts, ({ path }) => recordName(path));
  return { bySchema, byName, has: (key) => bySchema.has(key) };
}

const isAnchor = ({ actions }: Draft) => actions.read !== undefined;

/**
 * The collection whose records a list shows that has none to read itself: one whose records have the same schema, or the
 * same name and mostly the same members. Undefined: the records are its own.
 */
function anchorOf(draft: Draft, { bySchema, byName }: Index): Draft | undefined {
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
function nearest(path: string, drafts: readonly Draft[]): Draft | undefined {
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

interface Match {
  readonly draft: Draft;
  readonly role: FurtherRole;
  readonly sign: RoleSign;
}

/** A list of records that the index knows. */
function viewIn(operation: Operation, { index, among }: Context): Match | undefined {
  const place = operation.method === 'GET' ? listPlace(operation) : undefined;
  const items = place && arrayShape(place, answerShape(operation))?.items;
  if (!items) return undefined;
  const found = (index.bySchema.get(schemaKey(items)) ?? []).filter((one) => among.has(one));
  const draft = nearest(operation.path, found);
  return draft && { draft, role: 'view', sign: 'schema' };
}

/** A record that the index knows comes from a POST to a path of its collection's name. */
function createIn(operation: Operation, { index, among }: Context): Match | undefined {
  const name = recordName(operation.path);
  const answer = unwrapped(answerShape(operation), name);
  if (operation.method !== 'POST' || !operation.body || !answer || itemOf(operation.path)) return undefined;
  const found = (index.bySchema.get(schemaKey(answer)) ?? []).filter(
    (one) => among.has(one) && isAnchor(one) && recordName(one.path) === name,
  );
  const draft = nearest(operation.path, found);
  return draft && { draft, role: 'create', sign: 'schema' };
}

/** What is not read from a schema alone: the collection is the nearest above in the path. */
function besides(operation: Operation, { byPath }: Context): Match | undefined {
  const above = nearestAbove(withoutSuffix(operation.path), byPath);
  if (!above) return undefined;
  const { draft, below } = above;
  const role = roleBelow(operation, draft, below);
  return role && { draft, ...role };
}

/** The collection with the longest path that begins a path, and the segments after it. */
function nearestAbove(path: string, byPath: ReadonlyMap<string, Draft>) {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    const draft = byPath.get(path.slice(0, end));
    if (draft)
      return {
        draft,
        below: path
          .slice(end + 1)
          .split('/')
          .filter(Boolean),
      };
  }
  return undefined;
}

type Role = Pick<Match, 'role' | 'sign'>;

function roleBelow(operation: Operation, draft: Draft, below: readonly string[]): Role | undefined {
  const { method } = operation;
  const [first] = below;
  if (first?.startsWith('{')) return roleOnItem(operation, draft, below.length);
  const body = bodyShape(operation);
  if (method === 'POST' && isManyOf(body, operation, draft)) return { role: 'createMany', sign: 'schema' };
  if (first !== undefined) return undefined;
  if (method === 'DELETE') return { role: 'removeMany', sign: 'path' };
  if (method !== 'PUT' && method !== 'PATCH') return undefined;
  const isOne = body?.mainType === 'object' && draft.id && body.properties.has(draft.id.property);
  if (isOne && !listPlace(operation))
    return { role: method === 'PUT' ? 'replace' : 'update', sign: 'schema' };
  return { role: 'updateMany', sign: 'path' };
}

function roleOnItem(operation: Operation, draft: Draft, depth: number): Role | undefined {
  const { method } = operation;
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return undefined;
  if (depth > 1) return depth === 2 ? { role: 'action', sign: 'path' } : undefined;
  if (method !== 'POST') return undefined;
  return { role: draft.actions.update || draft.actions.replace ? 'action' : 'update', sign: 'path' };
}

/** An array of what the collection holds, or of what is sent to create one. */
function isManyOf(body: Shape | undefined, operation: Operation, { shape, actions }: Draft): boolean {
  const item = body?.mainType === 'array' ? body.items : undefined;
  if (!item) return false;
  const single = actions.create && bodyShape(actions.create);
  const answer = answerShape(operation);
  return [item, answer?.items].some(
    (one) => one && [shape, single].some((other) => other && sharesMembers(one, other)),
  );
}

function furtherOf(operation: Operation, { draft, role, sign }: Match): Further {
  const place = role === 'view' ? listPlace(operation) : undefined;
  const parameter = parameterOf(operation, draft, role);
  const shape = role === 'view' || role === 'create' ? unwrapped(answerShape(operation)) : operation;
  return {
    role,
    operation,
    list: place && listForm(operation, place, draft.shape),
    parents: pathParameters(operation.path)
      .filter((name) => name !== parameter)
      .map((name) => ({ parameter: name, property: memberNamed(draft.shape, name) })),
    parameter,
    sign,
    because: shape?.spot ?? operation.spot,
  };
}

const ON_ONE = new Set<FurtherRole>(['read', 'replace', 'update', 'remove', 'action']);

function parameterOf({ path }: Operation, draft: Draft, role: FurtherRole): string | undefined {
  if (!ON_ONE.has(role)) return undefined;
  const rest = withoutSuffix(path).slice(draft.path.length);
  if (!withoutSuffix(path).startsWith(draft.path)) return itemOf(path)?.parameter;
  return /^\/\{([^/{}]+)\}/.exec(rest)?.[1];
}
