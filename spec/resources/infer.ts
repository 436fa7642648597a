import type { Spot } from '../document/spot.ts';
import { basisOf } from '../meaning/basis.ts';
import { idWord } from '../meaning/names.ts';
import { type Operation, pathParameters } from '../operation.ts';
import { createIn } from './creates.ts';
import { type Draft, draftOf, type Group, type Verbs } from './draft.ts';
import { parentMember } from './identity.ts';
import { listForm, listPlace, OF_PAGE, USUAL_MEMBER } from './list-form.ts';
import { anchorsOf, besides, declaredIn, indexOf, type Match, namedIn, viewIn } from './match.ts';
import { withBodyAsQuery } from './page-request.ts';
import { pathVerbs } from './path-verb.ts';
import { collectionPath, itemOf, singularPath, withoutSuffix } from './paths.ts';
import { answerShape, schemaKey, unwrapped } from './record-schema.ts';
import {
  declaredRole,
  type Further,
  type FurtherRole,
  ON_ONE,
  type Parent,
  type Resource,
  type Singleton,
} from './resource.ts';
import { findSingletons, isSingleton } from './singletons.ts';

export interface Inferred {
  readonly resources: readonly Resource[];
  readonly singletons: readonly Singleton[];
}

/** Infers collections and singletons: from paths and methods first, then from schemas across paths. */
export function inferResources(all: readonly Operation[]): Inferred {
  const operations = all.filter((one) => declaredRole(one).resource !== false);
  const verbs = pathVerbs(operations);
  const groups = [...Map.groupBy(operations, collectionsOf(operations, verbs))].map(([path, members]) => {
    // What is at the path itself comes before what is beside it.
    const isBeside = (one: Operation) => Number(!withoutSuffix(one.path).startsWith(path));
    return draftOf(
      path,
      members.toSorted((one, other) => isBeside(one) - isBeside(other)),
      verbs,
    );
  });
  const { drafts, further, singletons } = relate(groups, verbs);
  return {
    resources: drafts.map((draft) => resourceOf(draft, further.get(draft) ?? [])),
    singletons,
  };
}

/**
 * The path of the collection that an operation may belong to: what its own path says, with a verb in it or not, in the
 * singular or the plural: `/silences` and `/silence/{silenceId}`.
 */
function collectionsOf(operations: readonly Operation[], verbs: Verbs): (operation: Operation) => string {
  const above = new Set(operations.flatMap(({ path }) => itemOf(path)?.above ?? []));
  const lists = new Set(operations.flatMap((one) => (isListed(one, above) ? withoutSuffix(one.path) : [])));
  const read = new Set(
    operations.flatMap(({ method, path }) => (method === 'GET' ? withoutSuffix(path) : [])),
  );
  const own = (operation: Operation) => {
    const { resource } = declaredRole(operation);
    if (resource) return withoutSuffix(resource);
    const verb = verbs.get(operation);
    if (verb) return verb.collection;
    const plain = withoutSuffix(operation.path);
    const isPosted = operation.method === 'POST' && above.has(plain) && !read.has(plain);
    return lists.has(plain) || isPosted ? plain : collectionPath(operation.path);
  };
  const paths = new Set(operations.map(own));
  const withItems = Map.groupBy(
    [...paths].filter((path) => above.has(path)),
    singularPath,
  );
  return (operation) => {
    const path = own(operation);
    const [other, ...more] = above.has(path) ? [] : (withItems.get(singularPath(path)) ?? []);
    return other !== undefined && more.length === 0 && !declaredRole(operation).resource ? other : path;
  };
}

/**
 * Whether a path that ends in a parameter is none of an item: it returns an array, or an object around a list that is a page
 * or has items below.
 */
function isListed(operation: Operation, above: ReadonlySet<string>): boolean {
  if (operation.method !== 'GET' || !itemOf(operation.path)) return false;
  const answer = answerShape(operation);
  if (answer?.mainType === 'array') return true;
  const { member } = listPlace(operation) ?? {};
  const hasItems = above.has(withoutSuffix(operation.path));
  const isPage = [...(answer?.properties.keys() ?? [])].some((name) => OF_PAGE.test(name));
  return (
    (hasItems || isPage) && member !== undefined && USUAL_MEMBER.test(member) && !answer?.properties.has('id')
  );
}

function resourceOf(draft: Draft, further: readonly Further[]): Resource {
  const { path, actions, place, shape, id } = draft;
  const { list } = actions;
  return {
    path,
    actions,
    further,
    shape,
    id,
    list: list && place && listForm(list, place, shape),
    parents: pathParameters(path).map((parameter) => parentOf(parameter, draft)),
  };
}

function parentOf(parameter: string, draft: Draft): Parent {
  const operations = Object.values(draft.actions);
  const said = operations.flatMap((operation) => saidParent(operation, parameter) ?? [])[0];
  if (said) return { parameter, ...said };
  const parameters = operations.flatMap((operation) => operation.parameters);
  const member = parentMember(draft, draft.path, parameter, parameters);
  return { parameter, property: member?.property, ...(member?.inner && { inner: member.inner }) };
}

interface Related {
  readonly drafts: readonly Draft[];
  readonly further: ReadonlyMap<Draft, readonly Further[]>;
  readonly singletons: readonly Singleton[];
}

/**
 * Finds what operations do with the records of a collection on other paths: by their schemas, looked up in an index, and
 * by the paths above them. The main actions of a collection stay what its own paths say.
 */
function relate(groups: readonly Group[], verbs: Verbs): Related {
  const all = groups.flatMap(({ draft }) => draft ?? []);
  const byKey = all.filter((draft) => all.some((other) => isReadByKey(draft, other)));
  const drafts = all.filter((draft) => !byKey.includes(draft));
  const index = indexOf(drafts);
  const demoted = anchorsOf(drafts, index);
  const kept = drafts.filter((draft) => !demoted.has(draft));
  const waiting = [
    ...groups.flatMap(({ rest }) => rest),
    ...byKey.flatMap(({ actions }) => actions.read ?? []),
    ...[...demoted.keys()].flatMap(({ actions: { list: _, ...others } }) => Object.values(others)),
  ];
  const shown = new Set(
    groups.flatMap(({ draft, rest }) =>
      [...rest, ...Object.values(draft?.actions ?? {})].flatMap((one) =>
        isGet(one) && answerShape(one) ? withoutSuffix(one.path) : [],
      ),
    ),
  );
  const viewedAt = new Map<string, Draft>();
  const context = { index, among: new Set(kept), byPath: byPathOf(kept), viewedAt, verbs, shown };
  const further = new Map<Draft, Further[]>();
  const add = (operation: Operation, match: Match) => {
    if (match.role === 'view') viewedAt.set(withoutSuffix(operation.path), match.draft);
    const one = furtherOf(operation, match, verbs.get(operation)?.parameter);
    further.set(match.draft, [...(further.get(match.draft) ?? []), one]);
  };
  for (const [{ actions }, draft] of demoted)
    if (actions.list) add(actions.list, { draft, role: 'view', signs: ['schema', 'path'] });
  // What is listed at a path says what a POST to it creates.
  const inOrder = waiting.toSorted((one, other) => Number(isGet(other)) - Number(isGet(one)));
  const unmatched = inOrder.filter((operation) => {
    if (isSingleton(operation)) return true;
    const match =
      declaredIn(operation, context) ??
      viewIn(operation, context) ??
      createIn(operation, context) ??
      namedIn(operation, context);
    if (match) add(operation, match);
    return !match;
  });
  const isFree = ({ path }: Operation) => !context.byPath.has(withoutSuffix(path));
  const singletons = findSingletons(unmatched.filter(isFree), (shape) =>
    index.bySchema.has(schemaKey(shape)),
  );
  const taken = new Set(
    singletons.flatMap(({ actions, further: others }) => [
      ...Object.values(actions),
      ...others.map(({ operation }) => operation),
    ]),
  );
  for (const operation of unmatched) {
    const match = taken.has(operation) ? undefined : besides(operation, context);
    if (match) add(operation, match);
  }
  return { drafts: kept, further, singletons };
}

const isGet = ({ method }: Operation) => method === 'GET';

/** `/tasks/by-index/{index}` reads the records of another collection, by a member that is not their id. */
function isReadByKey({ actions, id, keys }: Draft, other: Draft): boolean {
  const isOnlyRead = actions.read !== undefined && Object.keys(actions).length === 1;
  if (!isOnlyRead || !id || !other.id || id.property === other.id.property || !other.actions.read)
    return false;
  return idWord(other.id.property) !== undefined && !keys.isDisjointFrom(other.keys);
}

function byPathOf(drafts: readonly Draft[]): ReadonlyMap<string, Draft> {
  const exact = drafts.map((draft) => [draft.path, draft] as const);
  return new Map([...drafts.map((draft) => [singularPath(draft.path), draft] as const), ...exact]);
}

/** The role of an operation with what it takes to play it. */
function furtherOf(operation: Operation, { draft, role, signs }: Match, named: string | undefined): Further {
  const place = role === 'view' ? listPlace(operation) : undefined;
  const parameter = named ?? parameterOf(operation, draft, role);
  return {
    role,
    operation,
    list: place && listForm(withBodyAsQuery(operation), place, draft.shape),
    parents: pathParameters(operation.path)
      .filter((name) => name !== parameter)
      .map((name) => ({ parameter: name, ...parentNamed(operation, draft, name) })),
    parameter,
    ...basisOf(signs, evidenceOf(operation, role, signs.includes('said')) ?? operation.spot),
  };
}

/** What `x-paddock` says that a path parameter names. */
function saidParent({ said }: Operation, parameter: string): Pick<Parent, 'property' | 'inner'> | undefined {
  const meaning = said.facts.path?.[parameter];
  if (meaning === undefined || meaning === '$id') return undefined;
  const [property, inner] = meaning.startsWith('$') ? [] : meaning.split('.');
  return { property, ...(inner !== undefined && { inner }) };
}

function parentNamed(operation: Operation, draft: Draft, name: string): Pick<Parent, 'property' | 'inner'> {
  const { path, parameters } = operation;
  const said = saidParent(operation, name);
  return said ?? parentMember(draft, path, name, parameters, true) ?? { property: undefined };
}

function evidenceOf(operation: Operation, role: FurtherRole, isSaid: boolean): Spot | undefined {
  const declared = declaredRole(operation).spot;
  if (isSaid && declared) return declared;
  return role === 'view' || role === 'create' ? unwrapped(answerShape(operation))?.spot : operation.spot;
}

/** The path parameter with the id of the one record that an operation works on. */
function parameterOf({ path, said }: Operation, draft: Draft, role: FurtherRole): string | undefined {
  if (!ON_ONE.has(role)) return undefined;
  const [named] = Object.entries(said.facts.path ?? {}).find(([, meaning]) => meaning === '$id') ?? [];
  if (named !== undefined) return named;
  const rest = withoutSuffix(path).slice(draft.path.length);
  if (!withoutSuffix(path).startsWith(`${draft.path}/`)) return pathParameters(path).at(-1);
  const own = pathParameters(path).find((name) => name === draft.id?.parameter);
  return /^\/\{([^/{}]+)\}/.exec(rest)?.[1] ?? own;
}
