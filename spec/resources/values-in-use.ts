import { namesSeveral } from '../meaning/names.ts';
import type { Operation } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import { memberShape } from './record-schema.ts';
import type { Resource } from './resource.ts';

/** A member whose values a list of texts shows: `/tags` those of `tagList`, `/products/categories` those of `category`. */
interface ValuesInUse {
  readonly of: Resource;
  readonly property: string;
}

/** The collection whose records have a member with the name of the list: the one above in the path, else the first. */
export function valuesInUse(
  { method, path, said }: Pick<Operation, 'method' | 'path' | 'said'>,
  resources: readonly Resource[],
): ValuesInUse | undefined {
  const { values } = said.facts.in ?? {};
  if (values !== undefined) {
    const of = resources.find((resource) => resource.path === said.facts.of);
    return of && { of, property: values };
  }
  if (method !== 'GET' || path.includes('{')) return undefined;
  // `/tags/popular` lists tags, too.
  const names = path.split('/').slice(1).reverse().slice(0, 2);
  const places = names.flatMap((name) =>
    resources.flatMap((of): ValuesInUse[] => {
      const property = [...of.shape.properties.keys()].find((key) => {
        const member = memberShape(of.shape, key);
        const isText = [member, member?.items].some((text) => text?.mainType === 'string');
        return key !== of.id?.property && isText && namesSeveral(key, name);
      });
      return property === undefined || of.parents.length > 0 ? [] : [{ of, property }];
    }),
  );
  return places.find(({ of }) => path.startsWith(`${of.path}/`)) ?? places[0];
}

/** The path of a list of texts in a response: the response itself, or its only list. */
export function textsIn(answer: Shape | undefined): string[] | undefined {
  const isTexts = (list: Shape | undefined) => list?.items?.mainType === 'string';
  if (answer?.mainType === 'array') return isTexts(answer) ? [] : undefined;
  const [list, ...more] = [...(answer?.properties ?? [])].filter(([, { mainType }]) => mainType === 'array');
  return list && more.length === 0 && isTexts(list[1]) ? [list[0]] : undefined;
}
