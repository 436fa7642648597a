import type { Operation, Parameter, Resource } from '#spec';
import { referredTo } from './refine.ts';

/**
 * The parameters that the mock reads and validates, and does nothing with.
 * @param resource as the operation sees it; undefined: it has nothing to do with records
 */
export function parametersWithoutEffect(
  operation: Operation,
  resource: Pick<Resource, 'list' | 'shape'> | undefined,
): readonly Parameter[] {
  const { list } = resource ?? {};
  const referred = resource && list ? referredTo(operation, resource).map(({ name }) => name) : [];
  const { filters = [], bounds = [], search, order, pageSize, page, offset, cursor } = list ?? {};
  const meant = new Set([
    ...[...filters, ...bounds, ...(search ? [search] : []), ...(order ? [order] : [])].map(
      ({ parameter }) => parameter,
    ),
    ...[order?.direction, pageSize, page, offset, cursor],
  ]);
  return operation.parameters.filter(
    (one) =>
      one.in !== 'path' &&
      !meant.has(one) &&
      !(one.in === 'query' && referred.includes(one.name)) &&
      !/^prefer$/i.test(one.name),
  );
}
