import type { Operation } from '#spec';
import { headerOf } from '../../contract-tests/send/wire.ts';
import type { ObservedRequest } from './observed.ts';

/** Headers that change from request to request, or with the program that sends it, and not with who sends it. */
const NEUTRAL =
  /^(?::.*|accept|accept-(?:charset|encoding)|access-control-.*|cache-control|connection|content-.*|date|dnt|expect|forwarded|host|idempotency-key|if-.*|keep-alive|origin|pragma|prefer|priority|purpose|range|referer|request-id|sec-.*|te|trace(?:parent|state)|transfer-encoding|upgrade-insecure-requests|user-agent|via|x-amzn-trace-id|x-b3-.*|x-correlation-id|x-forwarded-.*|x-real-ip|x-request-(?:id|start)|x-requested-with)$/i;

/**
 * Who has sent a request, as far as its headers tell: the same text for the same credentials, tenant and language.
 * Undefined: the operation asks for a credential, and none was recorded.
 */
export function principalOf(operation: Operation, request: ObservedRequest): string | undefined {
  if (operation.security.length > 0 && needsOne(operation) && !hasCredential(operation, request))
    return undefined;
  const lines = request.headers.flatMap(([name, value]) =>
    NEUTRAL.test(name) ? [] : [`${name.toLowerCase()}: ${value}`],
  );
  const keys = operation.security
    .flat()
    .flatMap((one) => (one.in === 'query' ? request.url.searchParams.getAll(one.name) : []));
  return [...lines.sort(), ...keys].join('\n');
}

function needsOne({ security }: Operation): boolean {
  return security.every((requirement) => requirement.length > 0);
}

/** Whether anything in a request may be a credential: one that the document describes, or another. */
export function hasCredential({ security }: Operation, request: ObservedRequest): boolean {
  return (
    headerOf(request, 'authorization') !== undefined ||
    headerOf(request, 'cookie') !== undefined ||
    security
      .flat()
      .some(({ in: place, name }) =>
        place === 'query'
          ? request.url.searchParams.has(name)
          : place === 'header' && headerOf(request, name) !== undefined,
      )
  );
}
