import type { Spot } from '../document/spot.ts';
import { wordsOf } from '../meaning/names.ts';
import { type Method, type Operation, pathParameters } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import { type Draft, draftOf, type Group } from './draft.ts';
import { parentMember } from './identity.ts';
import { joined } from './joined.ts';
import { listForm, listPlace, OF_PAGE, USUAL_MEMBER } from './list-form.ts';
import {
  anchorsOf,
  besides,
  type Context,
  createIn,
  declaredIn,
  indexOf,
  type Match,
  namedIn,
  viewIn,
} from './match.ts';
import { withBodyAsQuery } from './page-request.ts';
import { pathVerbs } from './path-verb.ts';
import { collectionPath, itemOf, singularPath, withoutSuffix } from './paths.ts';
import { answerShape, bodyShape, memberShape, schemaKey, sharesMembers, unwrapped } from './record-schema.ts';
import {
  declaredRole,
  type Further,
  type FurtherRole,
  ON_ONE,
  type Parent,
  type Resource,
  type Singleton,
} from './resource.ts';

export interface Inferred {
  readonly resources: readonly Resource[];
  readonly singletons: readonly Singleton[];
}

/**
 * Infers collections and singletons: from paths and methods first, then from schemas across paths.
 * @param presumes also what names alone suggest that nobody else may be held to, or be sent anything for
 */
export function inferResources(all: readonly Operation[], presumes = false): Inferred {
  const operations = all.filter((one) => declaredRole(one).resource !== false);
  const lists = listPaths(operations);
  const verbs = pathVerbs(operations, presumes);
  const collectionOf = (operation: Operation) => {
    const { path } = operation;
    const { resource } = declaredRole(operation);
    if (resource) return withoutSuffix(resource);
    const verb = verbs.get(operation);
    if (verb) return verb.collection;
    const plain = withoutSuffix(path);
    return lists.has(plain) ? plain : collectionPath(path);
  };
  const groups = [...Map.groupBy(operations, collectionOf)].map(([path, members]) =>
    draftOf(path, members, verbs, presumes),
  );
  const { drafts, further, singletons } = relate(joined(groups), verbs, presumes);
  return {
    resources: drafts.map((draft) => resourceOf(draft, further.get(draft) ?? [])),
    singletons,
  };
}

/**
 * Paths that end in a parameter and are not those of an item: they return an array, or an object around a list that is a page
 * or has items below.
 */
function listPaths(operations: readonly Operation[]): ReadonlySet<string> {
  const above = new Set(operations.flatMap(({ path }) => itemOf(path)?.above ?? []));
  const isList = (operation: Operation) => {
    const answer = answerShape(operation);
    if (answer?.mainType === 'array') return true;
    const { member } = listPlace(operation) ?? {};
    const hasItems = above.has(withoutSuffix(operation.path));
    const isPage = [...(answer?.properties.keys() ?? [])].some((name) => OF_PAGE.test(name));
    return (
      (hasItems || isPage) &&
      member !== undefined &&
      USUAL_MEMBER.test(member) &&
      !answer?.properties.has('id')
    );
  };
  const found = operations.filter((one) => one.method === 'GET' && itemOf(one.path) && isList(one));
  return new Set(found.map(({ path }) => withoutSuffix(path)));
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
function relate(groups: readonly Group[], verbs: Context['verbs'], presumes: boolean): Related {
  const all = groups.flatMap(({ draft }) => draft ?? []);
  const byKey = all.filter((draft) => readsByKey(draft, all));
  const drafts = all.filter((draft) => !byKey.includes(draft));
  const index = indexOf(drafts);
  const demoted = anchorsOf(drafts, index);
  const kept = drafts.filter((draft) => !demoted.has(draft));
  const viewedAt = new Map<string, Draft>();
  const context = { index, among: new Set(kept), byPath: byPathOf(kept), viewedAt, verbs, presumes };
  const further = new Map<Draft, Further[]>();
  const add = (operation: Operation, match: Match) => {
    if (match.role === 'view') viewedAt.set(withoutSuffix(operation.path), match.draft);
    further.set(match.draft, [
      ...(further.get(match.draft) ?? []),
      furtherOf(operation, match, verbs.get(operation)?.parameter, presumes),
    ]);
  };
  const waiting = [
    ...groups.flatMap(({ rest }) => rest),
    ...byKey.flatMap(({ actions }) => actions.read ?? []),
  ];
  for (const [{ actions }, draft] of demoted) {
    const { list, ...others } = actions;
    if (list) add(list, { draft, role: 'view', sign: 'schema' });
    waiting.push(...Object.values(others));
  }
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
  const singletons = findSingletons(unmatched.filter(isFree), (shape) => index.has(schemaKey(shape)));
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

const isSingleton = (operation: Operation) => declaredRole(operation).action === 'singleton';

const isGet = ({ method }: Operation) => method === 'GET';

/** `/tasks/by-index/{index}` reads the records of another collection, by another member. */
function readsByKey({ actions, path, keys }: Draft, drafts: readonly Draft[]): boolean {
  const isOnlyRead = actions.read !== undefined && Object.keys(actions).length === 1;
  if (!isOnlyRead || wordsOf(path.slice(path.lastIndexOf('/') + 1))[0] !== 'by') return false;
  return drafts.some((one) => one.path !== path && one.actions.read && !keys.isDisjointFrom(one.keys));
}

function byPathOf(drafts: readonly Draft[]): ReadonlyMap<string, Draft> {
  const exact = drafts.map((draft) => [draft.path, draft] as const);
  return new Map([...drafts.map((draft) => [singularPath(draft.path), draft] as const), ...exact]);
}

/** The role of an operation with what it takes to play it. */
function furtherOf(
  operation: Operation,
  { draft, role, sign }: Match,
  named: string | undefined,
  presumes: boolean,
): Further {
  const place = role === 'view' ? listPlace(operation) : undefined;
  const asked = presumes ? withBodyAsQuery(operation) : operation;
  const parameter = named ?? parameterOf(operation, draft, role);
  return {
    role,
    operation,
    list: place && listForm(asked, place, draft.shape),
    parents: pathParameters(operation.path)
      .filter((name) => name !== parameter)
      .map((name) => ({ parameter: name, ...parentNamed(operation, draft, name, presumes) })),
    parameter,
    sign,
    because: evidenceOf(operation, { role, sign }) ?? operation.spot,
  };
}

/** What `x-paddock` says that a path parameter names. */
function saidParent({ said }: Operation, parameter: string): Pick<Parent, 'property' | 'inner'> | undefined {
  const meaning = said.facts.path?.[parameter];
  if (meaning === undefined || meaning === '$id') return undefined;
  const [property, inner] = meaning.startsWith('$') ? [] : meaning.split('.');
  return { property, ...(inner !== undefined && { inner }) };
}

/** An object around the parent's id is left out, unless it is presumed: nobody else selects by it. */
function parentNamed(
  operation: Operation,
  draft: Draft,
  name: string,
  presumes: boolean,
): Pick<Parent, 'property' | 'inner'> {
  const { path, parameters } = operation;
  const said = saidParent(operation, name);
  if (said) return said;
  const member = parentMember(draft, path, name, parameters, presumes);
  return member && (presumes || member.inner === undefined) ? member : { property: undefined };
}

function evidenceOf(operation: Operation, { role, sign }: Pick<Match, 'role' | 'sign'>): Spot | undefined {
  if (sign === 'extension') return declaredRole(operation).spot;
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

const ACTIONS: Partial<Record<Method, keyof Singleton['actions']>> = {
  GET: 'read',
  PUT: 'replace',
  PATCH: 'update',
  POST: 'update',
  DELETE: 'remove',
};

/**
 * Single records of state among the operations that belong to no collection: what a path reads, and writes likewise or
 * shares its schema with the records of a collection (`/me`), or with what is done below it (`/cart/add/{id}`).
 */
function findSingletons(operations: readonly Operation[], isRecord: (shape: Shape) => boolean): Singleton[] {
  const reads = new Set(operations.flatMap(({ method, path }) => (method === 'GET' ? [path] : [])));
  return [...Map.groupBy(operations, ({ path }) => path)].flatMap(([path, members]) => {
    if (itemOf(path) && !members.some(isSingleton)) return [];
    const below = operations.filter((one) => one.path.startsWith(`${path}/`) && !reads.has(one.path));
    return singletonAt(path, members, below, isRecord) ?? [];
  });
}

function singletonAt(
  path: string,
  operations: readonly Operation[],
  below: readonly Operation[],
  isRecord: (shape: Shape) => boolean,
): Singleton | undefined {
  const read = operations.find(({ method }) => method === 'GET');
  const shape = unwrapped(answerShape(read));
  if (!read || shape?.mainType !== 'object') return undefined;
  const actions: Partial<Record<keyof Singleton['actions'], Operation>> = { read };
  for (const operation of operations) {
    const action = ACTIONS[operation.method];
    if (action && !actions[action] && (action === 'remove' || writes(operation))) actions[action] = operation;
  }
  const isSaid = operations.some(isSingleton);
  const further = below.flatMap((operation): Further[] => {
    const answer = unwrapped(answerShape(operation));
    if (!answer || !shows(answer)) return [];
    const ofNone = { list: undefined, parents: [], parameter: undefined };
    return [{ role: 'action', operation, ...ofNone, sign: 'schema', because: answer.spot }];
  });
  const isState = Object.keys(actions).length > 1 || further.length > 0;
  if (!isState && !isSaid && !isRecord(shape)) return undefined;
  const parents = pathParameters(path).map((parameter) => {
    return { parameter, property: memberShape(shape, parameter) ? parameter : undefined };
  });
  return { path, actions, further, shape, parents };

  function shows(answer: Shape | undefined): boolean {
    return answer !== undefined && shape !== undefined && sharesMembers(answer, shape);
  }

  /** A PUT or PATCH of the same path; a POST only with the same members. */
  function writes(operation: Operation): boolean {
    const [body, answer] = [bodyShape(operation), unwrapped(answerShape(operation))];
    if (operation.method !== 'POST') return body?.mainType === 'object';
    return [body, answer].some(shows);
  }
}
