import { addProblem, type Spot } from '../document/spot.ts';
import type { Sign } from '../meaning/basis.ts';
import { idStem, idWord, sameName } from '../meaning/names.ts';
import { type Operation, pathParameters } from '../operation.ts';
import { explicitStatuses } from '../response.ts';
import type { Shape } from '../schema/shape.ts';
import { accountOperation } from './accounts.ts';
import { linksTo } from './created-id.ts';
import {
  type Draft,
  isDeclared,
  isNamedCreate,
  isOneRecord,
  isPutCreate,
  isSearch,
  isWhole,
  type Verbs,
} from './draft.ts';
import { arrayShape, listPlace } from './list-form.ts';
import { asksForPage } from './page-request.ts';
import { itemOf, recordName, singularPath, withoutSuffix } from './paths.ts';
import { isPresumed } from './presumed-responses.ts';
import {
  answerShape,
  bodyShape,
  memberShape,
  schemaKey,
  sharesMembers,
  successOf,
  unwrapped,
} from './record-schema.ts';
import { declaredRole, type FurtherRole, ON_ONE } from './resource.ts';
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

/**
 * A POST, or a PUT that creates, with a body that has members of a collection, makes one of its records where the success
 * shows it or its id: unless path or body name a record of the same kind, or a token is handed out. That it is called like
 * the collection, and 201, speak for it as well.
 */
export function createIn(operation: Operation, context: Context): Match | undefined {
  const { method, path, body } = operation;
  const sent = bodyShape(operation);
  const success = successOf(operation);
  if ((method !== 'POST' && !isPutCreate(operation)) || !body || !sent || sent.mainType === 'array')
    return undefined;
  if (!success || isPresumed(success) || accountOperation(operation)?.tokens[0]) return undefined;
  if ((context.verbs.get(operation)?.action ?? 'create') !== 'create') return undefined;
  const name = recordName(path);
  const answer = unwrapped(answerShape(operation), name);
  const known = answer ? (context.index.bySchema.get(schemaKey(answer)) ?? []) : [];
  const names = new Set(
    [sent, ...sent.properties.values()].flatMap(({ properties }) => [...properties.keys()]),
  );
  // A body that must have the id is about a record that there is; else it has members of one, unless it is called so.
  const mayBeMade = ({ path: own, shape, id }: Draft) =>
    !sent.required.has(id?.property ?? '') &&
    (recordName(own) === name || [...names].some((one) => memberShape(shape, one)));
  const among = [...context.among].filter(
    (one) => isAnchor(one) && !namesRecord(operation, one, context) && mayBeMade(one),
  );
  const shown = ofOneName(
    among.filter((one) => known.includes(one)),
    name,
  );
  const linked = among.filter(({ actions, id }) => {
    const items = new Set(Object.values(actions).map((one) => one.id));
    return linksTo(items, id?.parameter ?? '', operation).length > 0;
  });
  const like = among.filter((one) => showsOne(answer, recordName(one.path) === name, one));
  const draft = nearest(path, [...linked, ...shown]) ?? nearest(path, like);
  if (!draft) return undefined;
  const signs: Sign[] = [
    linked.length > 0 ? 'said' : shown.length > 0 ? 'schema' : 'name',
    ...(recordName(draft.path) === name ? (['path'] as const) : []),
    ...(explicitStatuses(operation.responses).includes(201) ? (['said'] as const) : []),
  ];
  return { draft, role: 'create', signs };
}

/** What several collections have in their records says of none that it is meant, unless it is called so. */
function ofOneName(drafts: readonly Draft[], name: string): readonly Draft[] {
  const namesakes = drafts.filter(({ path }) => recordName(path) === name);
  if (namesakes.length > 0) return namesakes;
  return new Set(drafts.map(({ path }) => recordName(path))).size === 1 ? drafts : [];
}

/** Whether a response shows the same record in another schema, or the id of one and nothing of other things. */
function showsOne(answer: Shape | undefined, isNamesake: boolean, { shape, id }: Draft): boolean {
  if (!answer || !id) return false;
  if (isNamesake && sameRecord(answer, shape)) return true;
  const ids = [id.property, ...(id.parameter === undefined ? [] : [id.parameter])];
  // Everything has an `id`.
  const isId = (name: string) =>
    ids.some((one) => sameName(name, one)) && (isNamesake ? idWord(name) : idStem(name)) !== undefined;
  const names = [...answer.properties.keys()];
  return names.some(isId) && names.every((name) => isId(name) || memberShape(shape, name));
}

/** Whether a path has the id of a record of the collection, or ends in a parameter and is no list of them. */
function namesRecord({ path }: Operation, draft: Draft, { viewedAt }: Context): boolean {
  const plain = withoutSuffix(path);
  if (plain === draft.path) return false;
  if (itemOf(plain)) return viewedAt.get(plain) !== draft;
  const noun = recordName(draft.path);
  return plain
    .split('/')
    .some((segment, at, all) => segment.startsWith('{') && recordName(all[at - 1] ?? '') === noun);
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
