import { pagingOf } from '../meaning/paging.ts';
import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import { bodyShape } from './record-schema.ts';

/** Whether the body of a POST asks for a page of a list, as names suggest: `{ "page": 1, "pageSize": 20 }`. */
export function asksForPage(operation: Operation): boolean {
  if (operation.method !== 'POST') return false;
  const { pageSize, page, offset } = pagingOf({ parameters: membersAsQuery(operation) });
  return pageSize !== undefined && (page ?? offset) !== undefined;
}

/** The operation with what its body asks for among the parameters of the query. */
export function withBodyAsQuery(operation: Operation): Operation {
  if (!asksForPage(operation)) return operation;
  return { ...operation, parameters: [...operation.parameters, ...membersAsQuery(operation)] };
}

function membersAsQuery(operation: Operation): Parameter[] {
  const { properties, required } = bodyShape(operation) ?? {};
  return [...(properties ?? [])].map(([name, shape]) => ({
    ...{ name, in: 'query', style: 'form', explode: true },
    ...{ required: required?.has(name) ?? false, schema: shape.spot, shape, spot: shape.spot },
  }));
}
