import type { Operation } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import { answerShape, bodyShape } from './answer.ts';
import type { Draft, Group } from './draft.ts';
import { memberNamed } from './identity.ts';
import { arrayShape, listForm, listPlace } from './list-form.ts';
import { itemOf, lastSegment, pathParameters, withoutSuffix } from './paths.ts';
import { schemaKey, sharesMembers, unwrapped } from './record-schema.ts';
import type { Further, FurtherRole, RoleSign } from './resource.ts';

interface Related {
  readonly drafts: readonly Draft[];
  readonly further: ReadonlyMap<Draft, readonly Further[]>;
  /** Operations that belong to no collection. */
  readonly left: readonly Operation[];
}

/**
 * Finds what operations do with the records of a collection on other paths: by their schemas, looked up in an index, and
 * by the paths above them. The main actions of a collection stay what its own paths say.
 */
export function relate(groups: readonly Group[]): Related {
  const drafts = groups.flatMap(({ draft }) => draft ?? []);
  const index = indexOf(drafts);
  const demoted = drafts.filter((draft) => anchorOf(draft, index));
  const kept = drafts.filter((draft) => !demoted.includes(draft));
  const waiting = [
    ...groups.flatMap(({ rest }) => rest),
    ...demoted.flatMap(({ actions }) => Object.values(actions)),
  ];
  const context = { index, among: new Set(kept), byPath: new Map(kept.map((draft) => [draft.path, draft])) };
  const further = new Map<Draft, Further[]>();
  const left = waiting.filter((operation) => {
    const found = viewIn(operation, context) ?? createIn(operation, context) ?? besides(operation, context);
    if (!found) return true;
    further.set(found.draft, [...(further.get(found.draft) ?? []), furtherOf(operation, found)]);
    return false;
  });
  return { drafts: kept, further, left };
}

interface Context {
  readonly index: Index;
  readonly among: ReadonlySet<Draft>;
  readonly byPath: ReadonlyMap<string, Draft>;
}

type Index = ReadonlyMap<unknown, readonly Draft[]>;

/** Drafts by the Schema Objects of their records: of what is read, listed and answered to a create. */
function indexOf(drafts: readonly Draft[]): Index {
  const index = new Map<unknown, Draft[]>();
  for (const draft of drafts) {
    for (const key of keysOf(draft)) index.set(key, [...(index.get(key) ?? []), draft]);
  }
  return index;
}

function keysOf({ shape, place, actions }: Draft): Set<unknown> {
  const items = place && arrayShape(place, answerShape(actions.list))?.items;
  const shapes = [shape, items].filter((one) => one !== undefined);
  return new Set(shapes.map(schemaKey).filter((key) => key !== undefined));
}

const isAnchor = ({ actions }: Draft) => actions.read !== undefined;
const hasItems = ({ actions: { read, replace, update, remove } }: Draft) =>
  [read, replace, update, remove].some(Boolean);

/** The collection whose records a list without items of its own shows; undefined: they are its own. */
function anchorOf(draft: Draft, index: Index): Draft | undefined {
  if (hasItems(draft)) return undefined;
  return nearest(
    draft.path,
    [...keysOf(draft)].flatMap((key) => index.get(key) ?? []).filter((one) => one !== draft && isAnchor(one)),
  );
}

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
  const place = listPlace(operation);
  const items = place && arrayShape(place, answerShape(operation))?.items;
  if (!items || operation.method !== 'GET') return undefined;
  const found = (index.get(schemaKey(items)) ?? []).filter((one) => among.has(one));
  const draft = nearest(operation.path, found);
  return draft && { draft, role: 'view', sign: 'schema' };
}

/** A record that the index knows comes from a POST to a path of its collection's name. */
function createIn(operation: Operation, { index, among }: Context): Match | undefined {
  const answer = unwrapped(answerShape(operation));
  if (operation.method !== 'POST' || !operation.body || !answer || itemOf(operation.path)) return undefined;
  const name = singular(lastSegment(operation.path));
  const found = (index.get(schemaKey(answer)) ?? []).filter(
    (one) => among.has(one) && isAnchor(one) && singular(lastSegment(one.path)) === name,
  );
  const draft = nearest(operation.path, found);
  return draft && { draft, role: 'create', sign: 'schema' };
}

/** As far as it takes to see that `/pet` and `/pets` name one collection. */
const singular = (name = '') => name.replace(/ies$/i, 'y').replace(/s$/i, '').toLowerCase();

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
  const own = new Set(pathParameters(draft.path));
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
