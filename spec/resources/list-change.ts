import { singularName } from '../meaning/names.ts';
import type { Operation } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import { arrayShape } from './list-form.ts';
import { verbAndNoun } from './path-verb.ts';
import { itemOf, recordName } from './paths.ts';
import { answerShape, schemaKey } from './record-schema.ts';
import type { Resource } from './resource.ts';

/** What an operation does to a record with a list of others in it: `POST /cart/add-product/{id}` adds a product to `products`. */
export interface ListChange {
  readonly change: 'add' | 'remove';
  /** The member with the list. */
  readonly property: string;
  /** The collection of what is in it. */
  readonly of: Resource;
  /** The path parameter with the id of one. */
  readonly parameter: string;
}

/**
 * Reads the change of a list from the names in a path, which only suggest it.
 * @param shape of the record with the list
 * @returns undefined: the names suggest none
 */
export function listChange(
  operation: Operation,
  shape: Shape,
  resources: readonly Resource[],
): ListChange | undefined {
  const { above, parameter } = itemOf(operation.path) ?? {};
  if (above === undefined || parameter === undefined) return undefined;
  const { kind, noun } = verbAndNoun(above.slice(above.lastIndexOf('/') + 1));
  const change = changeOf(operation, kind);
  const wanted = singularName(noun.join(''));
  const found = [...shape.properties].flatMap(([property, member]) => {
    const of = resources.find((one) => one.id && one.parents.length === 0 && holds(one, member.items));
    const isNamed =
      of && (noun.length === 0 || [singularName(property), recordName(of.path)].includes(wanted));
    return isNamed ? [{ property, of }] : [];
  });
  const [only, ...more] = found;
  return change && only && more.length === 0 ? { change, parameter, ...only } : undefined;
}

function changeOf({ method }: Operation, kind: string | undefined): ListChange['change'] | undefined {
  if (kind === 'remove' || (kind === undefined && method === 'DELETE')) return 'remove';
  const isAdding = kind === undefined && (method === 'PUT' || method === 'POST');
  return kind === 'create' || isAdding ? 'add' : undefined;
}

/** Whether items are records of a collection, as they are read or listed. */
function holds({ actions, shape, list }: Resource, items: Shape | undefined): boolean {
  const key = items && schemaKey(items);
  const listed = list && arrayShape(list, answerShape(actions.list))?.items;
  return key !== undefined && [shape, listed].some((one) => one !== undefined && schemaKey(one) === key);
}
