import type { Operation } from '../operation.ts';
import { answerShape } from './answer.ts';
import { type Draft, draftOf, isOnItem } from './draft.ts';
import { listForm } from './list-form.ts';
import { itemOf, pathParameters, withoutSuffix } from './paths.ts';
import { memberShape } from './record-schema.ts';
import { relate } from './relate.ts';
import type { Further, Parent, Resource, Singleton } from './resource.ts';
import { findSingletons } from './singletons.ts';

export interface Inferred {
  readonly resources: readonly Resource[];
  readonly singletons: readonly Singleton[];
}

/** Infers collections and singletons: from paths and methods first, then from schemas across paths. */
export function inferResources(operations: readonly Operation[]): Inferred {
  const groups = [...Map.groupBy(operations, collectionPath)].map(([path, members]) =>
    draftOf(path, members),
  );
  const { drafts, further, left } = relate(groups);
  return {
    resources: drafts.map((draft) => resourceOf(draft, further.get(draft) ?? [])),
    singletons: findSingletons(left),
  };
}

/** A path that ends in a parameter is an item of the collection before it, unless it returns an array. */
function collectionPath(operation: Operation): string {
  const path = withoutSuffix(operation.path);
  return isOnItem(operation, answerShape(operation)) ? (itemOf(path)?.above ?? path) : path;
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
    parents: pathParameters(path).map((parameter): Parent => {
      return { parameter, property: memberShape(shape, parameter) ? parameter : undefined };
    }),
  };
}
