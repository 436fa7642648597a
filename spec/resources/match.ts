import { addProblem, type Spot } from '../document/spot.ts';
import type { Sign } from '../meaning/basis.ts';
import { type Operation, pathParameters } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import {
  type Draft,
  isDeclared,
  isNamedCreate,
  isOneRecord,
  isSearch,
  isWhole,
  type Verbs,
} from './draft.ts';
import { arrayShape, listPlace } from './list-form.ts';
import { asksForPage } from './page-request.ts';
import { recordName, singularPath, withoutSuffix } from './paths.ts';
import { answerShape, bodyShape, schemaKey, sharesMembers, unwrapped } from './record-schema.ts';
import { declaredRole, type FurtherRole, ON_ONE } from './resource.ts';
import { sameRecord } from './same-record.ts';

/** Where drafts are found. */
interface Index {
  /** Drafts by the Schema Objects of their records. */
  readonly bySchema: ReadonlyMap<unknown, readonly Draft[]>;
  /** Drafts by the name of what they hold. */
  readonly byName: ReadonlyMap<string, readonly Draft[]>;
}

export function indexOf(drafts: readonly Draft[]): Index {
  const bySchema = new Map<unknown, Draft[]>();
  for (const draft of drafts) {
    for (const key of draft.keys) bySchema.set(key, [...(bySchema.get(key) ?? []), draft]);
  }
  return { bySchema, byName: Map.groupBy(drafts, ({ path }) => recordName(path)) };
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
  readonly verbs: Verbs;
  /** The paths that a GET reads or lists. */
  readonly shown: ReadonlySet<string>;
}

/** What an operation does, with the records of which collection. */
export interface Match {
  readonly draft: Draft;
  readonly role: FurtherRole;
  readonly signs: readonly Sign[];
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
    action === undefined ? roleBelow(operation, draft, above?.below ?? [], context)?.role : roleNamed(action);
  const found = role ?? (listPlace(operation) ? 'view' : /\{/.test(path) ? 'action' : undefined);
  if (found) checkDeclared(operation, draft, found, spot);
  return found && { draft, role: found, signs: ['said'] };
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

/** What the schema of items says is a list of a collection, and what only asks for a page in its body may be one. */
const BY_SCHEMA: readonly Sign[] = ['schema', 'path'];

/** A list of records that the index knows. */
export function viewIn(operation: Operation, { index, among, byPath }: Context): Match | undefined {
  const draftAt = byPath.get(withoutSuffix(operation.path));
  const isAsked =
    operation.method === 'GET' || (draftAt && isSearch(operation, Object.values(draftAt.actions)));
  const place = isAsked || asksForPage(operation) ? listPlace(operation) : undefined;
  const answer = answerShape(operation);
  const items = place && arrayShape(place, answer)?.items;
  if (!items || isOneRecord(place, answer, operation.path)) return undefined;
  const found = (index.bySchema.get(schemaKey(items)) ?? []).filter((one) => among.has(one));
  const draft = nearest(operation.path, found);
  return draft && { draft, role: 'view', signs: isAsked ? BY_SCHEMA : ['schema'] };
}

/** What only a verb in the path, or the name of a PUT on a collection, suggests. */
export function namedIn(operation: Operation, { verbs, byPath }: Context): Match | undefined {
  const verb = verbs.get(operation);
  const draft = byPath.get(verb?.collection ?? withoutSuffix(operation.path));
  if (!draft) return undefined;
  const as = (role: FurtherRole): Match => ({ draft, role, signs: ['name'] });
  if (!verb) return !draft.actions.create && isNamedCreate(operation) ? as('create') : undefined;
  const { action, parameter } = verb;
  if (action === 'list') return listPlace(operation) && as('view');
  if (action === 'create') return operation.body && as(action);
  const isInBody = draft.id && bodyShape(operation)?.properties.has(draft.id.property);
  return parameter !== undefined || isInBody ? as(action) : undefined;
}

/** What is not read from a schema alone: the collection is the nearest above in the path. */
export function besides(operation: Operation, context: Context): Match | undefined {
  const { byPath, viewedAt } = context;
  const viewed = operation.method === 'DELETE' ? viewedAt.get(withoutSuffix(operation.path)) : undefined;
  if (viewed) return { draft: viewed, role: 'removeMany', signs: ['path'] };
  const above = nearestAbove(withoutSuffix(operation.path), byPath);
  if (!above) return undefined;
  const { draft, below } = above;
  const role = roleBelow(operation, draft, below, context);
  return role && { draft, ...role };
}

/** The collection with the longest path that begins a path, and the segments after it. */
function nearestAbove(path: string, byPath: Context['byPath']) {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    const draft = byPath.get(path.slice(0, end)) ?? byPath.get(singularPath(path.slice(0, end)));
    const below = path.slice(end + 1).split('/');
    if (draft) return { draft, below: below.filter(Boolean) };
  }
  return undefined;
}

type Role = Pick<Match, 'role' | 'signs'>;

const BY_PATH: readonly Sign[] = ['path'];

function roleBelow(
  operation: Operation,
  draft: Draft,
  below: readonly string[],
  { shown }: Pick<Context, 'shown'>,
): Role | undefined {
  const { method, path } = operation;
  const [first] = below;
  if (first?.startsWith('{')) {
    const isOther = below.length > 1 && shown.has(withoutSuffix(path));
    return isOther ? undefined : roleOnItem(operation, draft, below.length);
  }
  const body = bodyShape(operation);
  if (method === 'POST' && isManyOf(body, operation, draft)) return { role: 'createMany', signs: BY_SCHEMA };
  // `/files/download/{id}` names one of them.
  const isNamed = draft.actions.read && below[1] === `{${draft.id?.parameter}}` && below.length === 2;
  if (isNamed && method === 'GET') return { role: 'action', signs: BY_PATH };
  if (first !== undefined) return undefined;
  if (method === 'DELETE') return { role: 'removeMany', signs: BY_PATH };
  if (method !== 'PUT' && method !== 'PATCH') return undefined;
  const isOne = body?.mainType === 'object' && draft.id && body.properties.has(draft.id.property);
  if (isOne && !answersList(operation, draft))
    return { role: method === 'PUT' && isWhole(operation, draft) ? 'replace' : 'update', signs: BY_SCHEMA };
  return { role: 'updateMany', signs: BY_PATH };
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
  if (depth > 1) return depth === 2 ? { role: 'action', signs: BY_PATH } : undefined;
  if (method === 'PATCH' && !operation.body) return { role: 'action', signs: BY_PATH };
  if (method !== 'POST') return undefined;
  return { role: draft.actions.update || draft.actions.replace ? 'action' : 'update', signs: BY_PATH };
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
