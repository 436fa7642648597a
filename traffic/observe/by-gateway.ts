import { explicitStatuses, type Operation } from '#spec';
import { headerOf, type WireRequest, type WireResponse } from '../../contract-tests/send/wire.ts';

/** RFC 9110 §15, RFC 6585, RFC 8470, and what the usual gateways say beyond them: no word of the service itself. */
const OF_GATEWAY = new Set([408, 421, 425, 429, 499, 502, 503, 504, 511]);

/** Whether a status tells of the moment or of the connection, whatever the request is. */
export function isOfMoment(status: number): boolean {
  return OF_GATEWAY.has(status) || (status >= 520 && status <= 530);
}

/** A server in front of the service may find more than this, in bytes, too long, and say 400. */
const LONG_HEADERS = 4096;

/** Whether a response is likely to come from what stands before the service; what the operation documents by name is its own. */
export function isByGateway(operation: Operation, request: WireRequest, response: WireResponse): boolean {
  const { status } = response;
  if (explicitStatuses(operation.responses).includes(status) && status !== 400) return false;
  if (isOfMoment(status)) return true;
  if (status === 400) return isLong(request) && !/json/i.test(headerOf(response, 'content-type') ?? '');
  return status >= 300 && status < 400 && isUpgrade(request, response);
}

function isLong({ headers, url }: WireRequest): boolean {
  return headers.flat().join('').length + url.href.length > LONG_HEADERS;
}

/** The same URL by https. */
function isUpgrade({ url }: WireRequest, response: WireResponse): boolean {
  const target = URL.parse(headerOf(response, 'location') ?? '', url.href);
  return (
    url.protocol === 'http:' &&
    target?.protocol === 'https:' &&
    target.pathname === url.pathname &&
    target.search === url.search
  );
}
