import type { Operation } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import { answerShape } from './answer.ts';
import { type Draft, draftOf } from './draft.ts';
import { listForm, listPlace, USUAL_MEMBER } from './list-form.ts';
import { parentMember } from './parent-member.ts';
import { itemOf, pathParameters, withoutSuffix } from './paths.ts';
import { relate } from './relate.ts';
import type { Further, Identity, Parent, Resource, Singleton } from './resource.ts';

export interface Inferred {
  readonly resources: readonly Resource[];
  readonly singletons: readonly Singleton[];
}

/** Infers collections and singletons: from paths and methods first, then from schemas across paths. */
export function inferResources(all: readonly Operation[]): Inferred {
  const operations = all.filter(({ declared }) => declared.resource !== false && declared.action !== 'none');
  const lists = listPaths(operations);
  const collectionPath = ({ path, declared }: Operation) => {
    if (declared.resource) return withoutSuffix(declared.resource);
    const plain = withoutSuffix(path);
    return lists.has(plain) ? plain : (itemOf(path)?.above ?? plain);
  };
  const groups = [...Map.groupBy(operations, collectionPath)].map(([path, members]) =>
    draftOf(path, members),
  );
  const { drafts, further, singletons } = relate(groups);
  return {
    resources: drafts.map((draft) => resourceOf(draft, further.get(draft) ?? [])),
    singletons,
  };
}

/**
 * Paths that end in a parameter and are not those of an item: they return an array, or an object around a list while
 * there are items below.
 */
function listPaths(operations: readonly Operation[]): ReadonlySet<string> {
  const above = new Set(operations.flatMap(({ path }) => itemOf(path)?.above ?? []));
  const isList = (operation: Operation) => {
    const answer = answerShape(operation);
    if (answer?.mainType === 'array') return true;
    const { member } = listPlace(operation) ?? {};
    const hasItems = above.has(withoutSuffix(operation.path));
    return hasItems && member !== undefined && USUAL_MEMBER.test(member) && !answer?.properties.has('id');
  };
  const found = operations.filter((one) => one.method === 'GET' && itemOf(one.path) && isList(one));
  return new Set(found.map(({ path }) => withoutSuffix(path)));
}

function resourceOf({ path, actions, place, shape, id }: Draft, further: readonly Further[]): Resource {
  const { list } = actions;
  return {
    path,
    actions,
    further,
    shape,
    id,
    list: list && place && listForm(list, place, shape),
    parents: pathParameters(path).map((parameter) => parentOf(parameter, path, actions, shape, id)),
  };
}

function parentOf(
  parameter: string,
  path: string,
  actions: Draft['actions'],
  shape: Shape,
  id: Identity | undefined,
): Parent {
  const described = Object.values(actions)
    .flatMap(({ parameters }) => parameters)
    .find((one) => one.in === 'path' && one.name === parameter);
  const member = parentMember(shape, path, parameter, described, id?.property);
  return { parameter, property: member?.property, ...(member?.inner && { inner: member.inner }) };
}
