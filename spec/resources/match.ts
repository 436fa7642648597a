import { addProblem, type Spot } from '../document/spot.ts';
import { type Operation, pathParameters } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import { type Draft, isDeclared, isNamedCreate, isOneRecord, isPutCreate, isSearch } from './draft.ts';
import { arrayShape, listPlace } from './list-form.ts';
import { asksForPage } from './page-request.ts';
import type { PathVerb } from './path-verb.ts';
import { itemOf, recordName, singularPath, withoutSuffix } from './paths.ts';
import { answerShape, bodyShape, schemaKey, sharesMembers, unwrapped } from './record-schema.ts';
import { declaredRole, type FurtherRole, ON_ONE, type RoleSign } from './resource.ts';
import { sameRecord } from './same-record.ts';

/** Where drafts are found. */
interface Index {
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

const isAnchor = ({ actions }: Draft) => actions.read !== undefined;

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
  const alike = (byName.get(recordName(path)) ?? []).filter((one) => sameRecord(draft.shape, one.shape));
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

/** The collections that there are. */
export interface Context {
  readonly index: Index;
  readonly among: ReadonlySet<Draft>;
  /** By the path, and by {@link singularPath}. */
  readonly byPath: ReadonlyMap<string, Draft>;
  /** The collections whose records other paths list. */
  readonly viewedAt: ReadonlyMap<string, Draft>;
  readonly verbs: ReadonlyMap<Operation, PathVerb>;
  /** Whether names alone count that are not used for what is judged, or sent. */
  readonly presumes: boolean;
}

/** What an operation does, with the records of which collection. */
export interface Match {
  readonly draft: Draft;
  readonly role: FurtherRole;
  readonly sign: RoleSign;
}

/** What the document says of an operation; what it leaves open follows from the path. */
export function declaredIn(operation: Operation, context: Context): Match | undefined {
  const { path } = operation;
  const { resource, action, spot } = declaredRole(operation);
  if (!spot) return undefined;
  if ((action === 'list' || action === 'view') && !listPlace(operation))
    return addProblem(spot, `a ${action} is declared, but the response of success holds no array of objects`);
  const named = resource ? withoutSuffix(resource) : undefined;
  const above = nearestAbove(withoutSuffix(path), context.byPath);
  const draft = named === undefined ? above?.draft : context.byPath.get(named);
  if (!draft) {
    const what = named === undefined ? `no collection has a path above ${path}` : `${named} has no operation`;
    const remedy = 'that lists or reads its records';
    return addProblem(
      spot,
      named === undefined ? `${what}; name one, as in x-paddock: { view: /pets }` : `${what} ${remedy}`,
    );
  }
  const role =
    action === undefined ? roleBelow(operation, draft, above?.below ?? [])?.role : roleNamed(action);
  const found = role ?? (listPlace(operation) ? 'view' : /\{/.test(path) ? 'action' : undefined);
  if (found) checkDeclared(operation, draft, found, spot);
  return found && { draft, role: found, sign: 'extension' };
}

/** An action can be declared only where the operation says which records are meant. */
function checkDeclared(operation: Operation, draft: Draft, role: FurtherRole, spot: Spot): void {
  const { path } = operation;
  const id = draft.id?.property;
  const isInBody = id !== undefined && bodyShape(operation)?.properties.has(id);
  if (ON_ONE.has(role) && pathParameters(path).length === 0 && !isInBody)
    addProblem(spot, `"${role}" works on one record, but neither ${path} nor its body has the id of one`);
}

/** A second list is a view. */
function roleNamed(action: FurtherRole | 'singleton'): FurtherRole | undefined {
  if (action === 'singleton') return undefined;
  return action === 'list' ? 'view' : action;
}

/** A list of records that the index knows. */
export function viewIn(operation: Operation, { index, among, byPath, presumes }: Context): Match | undefined {
  const draftAt = byPath.get(withoutSuffix(operation.path));
  const isList =
    operation.method === 'GET' ||
    (draftAt && isSearch(operation, Object.values(draftAt.actions))) ||
    (presumes && asksForPage(operation));
  const place = isList ? listPlace(operation) : undefined;
  const answer = answerShape(operation);
  const items = place && arrayShape(place, answer)?.items;
  if (!items || isOneRecord(place, answer, operation.path)) return undefined;
  const found = (index.bySchema.get(schemaKey(items)) ?? []).filter((one) => among.has(one));
  const draft = nearest(operation.path, found);
  return draft && { draft, role: 'view', sign: 'schema' };
}

/**
 * A record that the index knows comes from a POST, or a PUT that creates, to a path of its collection's name, or to one
 * that ends in a parameter and lists its records: `/tasks/{projectId}`.
 */
export function createIn(operation: Operation, { index, among, viewedAt }: Context): Match | undefined {
  const name = recordName(operation.path);
  const answer = unwrapped(answerShape(operation), name);
  if (operation.method !== 'POST' && !isPutCreate(operation)) return undefined;
  const endsInParameter = itemOf(operation.path) !== undefined;
  const viewed = endsInParameter ? viewedAt.get(withoutSuffix(operation.path)) : undefined;
  if (!operation.body || !answer || (endsInParameter && !viewed)) return undefined;
  const found = (index.bySchema.get(schemaKey(answer)) ?? []).filter(
    (one) => among.has(one) && isAnchor(one) && (one === viewed || recordName(one.path) === name),
  );
  const draft = nearest(operation.path, found);
  return draft && { draft, role: 'create', sign: 'schema' };
}

/** What only a verb in the path, or the name of a PUT on a collection, suggests. */
export function namedIn(operation: Operation, { verbs, byPath }: Context): Match | undefined {
  const verb = verbs.get(operation);
  const path = verb?.collection ?? withoutSuffix(operation.path);
  const draft = byPath.get(path);
  if (!draft) return undefined;
  if (!verb)
    return !draft.actions.create && isNamedCreate(operation)
      ? { draft, role: 'create', sign: 'name' }
      : undefined;
  const { action, parameter } = verb;
  if (action === 'list') return listPlace(operation) && { draft, role: 'view', sign: 'name' };
  if (action === 'create') return operation.body && { draft, role: action, sign: 'name' };
  const isInBody = draft.id && bodyShape(operation)?.properties.has(draft.id.property);
  return parameter !== undefined || isInBody ? { draft, role: action, sign: 'name' } : undefined;
}

/** What is not read from a schema alone: the collection is the nearest above in the path. */
export function besides(operation: Operation, { byPath, viewedAt, presumes }: Context): Match | undefined {
  const viewed = operation.method === 'DELETE' ? viewedAt.get(withoutSuffix(operation.path)) : undefined;
  if (presumes && viewed) return { draft: viewed, role: 'removeMany', sign: 'path' };
  const above = nearestAbove(withoutSuffix(operation.path), byPath);
  if (!above) return undefined;
  const { draft, below } = above;
  const role = roleBelow(operation, draft, below);
  return role && { draft, ...role };
}

/** The collection with the longest path that begins a path, and the segments after it. */
function nearestAbove(path: string, byPath: Context['byPath']) {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    const draft = byPath.get(path.slice(0, end)) ?? byPath.get(singularPath(path.slice(0, end)));
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
  if (isOne && !answersList(operation, draft))
    return { role: method === 'PUT' ? 'replace' : 'update', sign: 'schema' };
  return { role: 'updateMany', sign: 'path' };
}

/** Whether a response shows several: a list in the record itself, or in an object of the kind, is none of records. */
function answersList(operation: Operation, { path, shape }: Draft): boolean {
  const place = listPlace(operation);
  const answer = answerShape(operation);
  const record = unwrapped(answer, recordName(path));
  if (!place || (record && sharesMembers(record, shape))) return false;
  return !isOneRecord(place, answer, path);
}

function roleOnItem(operation: Operation, draft: Draft, depth: number): Role | undefined {
  const { method } = operation;
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return undefined;
  if (depth > 1) return depth === 2 ? { role: 'action', sign: 'path' } : undefined;
  if (method === 'PATCH' && !operation.body) return { role: 'action', sign: 'path' };
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
