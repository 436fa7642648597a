import { type MediaType, parseJson, type Resource } from '#spec';
import type { SeedValues } from '../seed/values.ts';
import { compileWrapper } from './around-list.ts';
import { compileExtent } from './page.ts';
import type { PageRequest } from './page-signs.ts';

const NO_RECORDS = { text: '[]', count: 0, total: 0 };

/**
 * The body of a list without records, as the list action of a resource writes it; undefined: it has no JSON.
 * @param request for the list, which links to its pages name
 */
export function emptyList(
  resource: Resource,
  { shape, isJson }: MediaType,
  seeds: SeedValues,
  request: PageRequest,
): unknown {
  const { list } = resource;
  if (!list || !shape || !isJson) return undefined;
  if (list.member === undefined) return [];
  const extent = compileExtent(list)({});
  const text = compileWrapper(shape, resource, seeds).write(NO_RECORDS, extent, request);
  return parseJson(text);
}
