import { createdIds, type Resource } from '#spec';
import { isAbsent } from '../send/plan-request.ts';
import type { Exchange } from '../send/response.ts';
import { isSuccess, jsonOf } from '../send/response.ts';
import { headerOf } from '../send/wire.ts';

/** The id of what a successful create has made; undefined: the response does not show it. */
export function createdIdOf(resource: Resource, exchange: Exchange): unknown {
  const { operation, request, response, input } = exchange;
  if (!isSuccess(response)) return undefined;
  const shown = {
    path: input.path,
    url: request.url.href,
    body: jsonOf(response),
    header: (name: string) => headerOf(response, name),
  };
  return createdIds(resource, operation, shown).find(isId);
}

/** Whether a value can be the id of a record. */
export const isId = (value: unknown) =>
  ['string', 'number', 'bigint'].includes(typeof value) && !isAbsent(value);
