import { essenceOf, explicitStatuses, type Operation, responseFor } from '#spec';
import { isSuccess, type Response } from '../send/response.ts';
import { leavesStatusOpen } from './operation-role.ts';

/**
 * A response that is the service's own: documented for the operation, and JSON by its type or by its text. A broken
 * body or a wrong type breaks a promise, where a page of some other server is no response of the service at all.
 */
export function isUsable(operation: Operation, response: Response): boolean {
  const documented = responseFor(operation.responses, response.status);
  const isNamed =
    explicitStatuses(operation.responses).includes(response.status) || documented?.key === '2XX';
  if (leavesStatusOpen(operation) && isSuccess(response)) return true;
  if (!documented || !isNamed) return false;
  if (documented.content.length === 0 || 'value' in response.json) return true;
  return documented.content.some(({ type }) => essenceOf(type) === essenceOf(response.contentType ?? ''));
}
