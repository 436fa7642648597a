import type { Operation } from '#spec';
import { positionParameter } from '../../contract-tests/laws/list-page.ts';
import type { Role } from '../../contract-tests/laws/operation-role.ts';
import type { RequestInput } from '../../contract-tests/send/plan-request.ts';
import { headerOf, type WireRequest } from '../../contract-tests/send/wire.ts';

/** Headers by which a client asks for something else than the operation as it is documented. */
const OPTIONS = ['prefer', 'range', 'x-http-method-override', 'x-http-method', 'x-method-override'];

/** Whether a request says how it wants to be answered beyond what the document says of any. */
export function hasOptions(request: WireRequest): boolean {
  return OPTIONS.some((name) => headerOf(request, name) !== undefined);
}

/**
 * Whether a request asks for a record, or for a list of records, as they are: no parameter may choose some members
 * alone, try a change without making it, or hide records.
 */
export function isPlainRequest(
  { security }: Operation,
  role: Role | undefined,
  { query = {} }: RequestInput,
  request: WireRequest,
): boolean {
  if (hasOptions(request)) return false;
  const understood = new Set(security.flat().map(({ name }) => name));
  if (role?.action === 'list') {
    const { pageSize, filters = [] } = role.resource.list ?? {};
    const position = positionParameter(role.resource);
    for (const one of [pageSize, position, ...filters.map(({ parameter }) => parameter)])
      if (one) understood.add(one.name);
  }
  return Object.keys(query).every((name) => understood.has(name));
}
