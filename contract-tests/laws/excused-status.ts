import { essenceOf, explicitStatuses, type Operation, type ReadRequest, responseFor } from '#spec';
import { needsKey } from '../send/credentials.ts';
import { type Exchange, isSuccess, type Response } from '../send/response.ts';
import { headerOf, type WireRequest, type WireResponse } from '../send/wire.ts';
import { invalidStatus, leavesStatusOpen } from './operation-role.ts';

/** Whether a request gives cause for a status of the protocol or a gateway. */
type GivesCause = (request: WireRequest, operation: Operation, read: ReadRequest) => boolean;

/** RFC 9110 §4.1 recommends to support request targets of 8000 octets; many gateways support fewer. */
const LONG_URL = 2048;
const LONG_HEADERS = 4096;
/** Any service accepts bodies shorter than this, in bytes. */
const LARGE_BODY = 64 * 1024;

const always: GivesCause = () => true;
const hasHeader = (request: WireRequest, name: string) => headerOf(request, name) !== undefined;

const hasPrecondition: GivesCause = (request) =>
  ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range'].some((name) =>
    hasHeader(request, name),
  );
const hasRange: GivesCause = (request) => hasHeader(request, 'range');

/** RFC 9110 §13, §14, §15.5 and §15.6, RFC 6585. */
const CAUSES: Readonly<Record<number, GivesCause>> = {
  206: hasRange,
  304: hasPrecondition,
  405: (request, { method }) => request.method !== method,
  406: (request, operation) => isUnacceptable({ operation, request }),
  411: ({ chunked }) => chunked,
  412: hasPrecondition,
  413: ({ body }) => (body?.length ?? 0) > 0,
  414: ({ url }) => url.href.length > LONG_URL,
  // §15.5.16: the content itself may be unsupported, too.
  415: (request, _, { violations }) =>
    hasHeader(request, 'content-encoding') ||
    violations.some(({ kind }) => kind === 'media type' || kind === 'syntax'),
  416: hasRange,
  417: (request) => hasHeader(request, 'expect'),
  426: always,
  429: always,
  431: ({ headers }) => headers.flat().join('').length > LONG_HEADERS,
  502: always,
  503: always,
  504: always,
};

/** Whether the client does not accept every media type that the operation documents. */
export function isUnacceptable({ operation, request }: Pick<Exchange, 'operation' | 'request'>): boolean {
  return !acceptsAll(headerOf(request, 'accept'), operation);
}

/** Whether the client accepts each documented media type of the responses or, if none is documented, any type. */
function acceptsAll(accept: string | undefined, { responses }: Operation): boolean {
  if (accept === undefined) return true;
  const ranges = accept.split(',').map((range) => range.split(';', 1)[0]?.trim().toLowerCase() ?? '');
  const types = responses.flatMap(({ content }) => content.map(({ type }) => type.toLowerCase()));
  if (types.length === 0) return ranges.includes('*/*');
  return types.every((type) =>
    ranges.some((range) => range === '*/*' || range === type || range === type.replace(/\/.*/, '/*')),
  );
}

/**
 * Whether the status belongs to the protocol or a gateway, the request gives cause for it, and the operation does not
 * document it by name. It is no finding then, and its body is not held to a range or `default`.
 */
export function isProtocolStatus(
  { operation, request, response: { status } }: Exchange,
  read: ReadRequest,
): boolean {
  if (explicitStatuses(operation.responses).includes(status)) return false;
  if (isOtherMediaType(read) || isUnacceptable({ operation, request })) return status >= 400 && status < 500;
  return CAUSES[status]?.(request, operation, read) === true;
}

/** Whether the request makes a status of the protocol as valid as the documented one. */
export function excusesStatus({ operation, request, response }: Exchange, read: ReadRequest): boolean {
  if (response.status === 413) return (request.body?.length ?? 0) >= LARGE_BODY;
  return CAUSES[response.status]?.(request, operation, read) === true;
}

/** RFC 9110 §15.5.19 reserves 418 without a meaning. */
const UNUSED = 418;

/** No document promises that a body of another media type is rejected, or with which status. */
function isOtherMediaType({ violations }: ReadRequest): boolean {
  return violations.some(({ kind }) => kind === 'media type');
}

/**
 * Whether an error needs no documentation since the request gives cause for it: invalid input, an invalid credential, a
 * path that may name nothing. Other rules apply where the operation documents a status for it.
 */
export function isOrdinaryRefusal(
  { operation, input }: Exchange,
  read: ReadRequest,
  { status }: Response,
): boolean {
  if (input.refused && (status === 401 || status === 403)) return true;
  const mayBeRefused = read.violations.length > 0 || input.expected?.or4xx === true;
  // Nothing guarantees that a guessed path names something.
  if ((mayBeRefused || input.guessed) && (status === 400 || status === 422)) return true;
  // A document without an error status does not state that nothing is rejected.
  const isRefusal = status >= 400 && status < 500 && status !== UNUSED;
  if (isRefusal && input.expected?.or4xx && input.expected.status >= 400) return true;
  if (mayBeRefused && isRefusal && invalidStatus(operation) === undefined) return true;
  return operation.path.includes('{') && (status === 404 || status === 410);
}

/**
 * Whether a response comes from the service: it is documented for the operation, and JSON by its type or text. A malformed
 * body or a wrong type breaks a promise, but the page of another server is no response of the service.
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

/** Whether the operation is past its documented sunset date, by the target's clock, and returns 410. */
export function isRemoved({ sunset }: Operation, response: WireResponse): boolean {
  if (sunset === undefined || response.status !== 410) return false;
  return Date.parse(headerOf(response, 'date') ?? '') >= Date.parse(sunset);
}

/** Whether a request has none of the credentials that its operation requires. */
export function lacksCredential({ operation, request }: Pick<Exchange, 'operation' | 'request'>): boolean {
  return (
    needsKey(operation) &&
    operation.security
      .flat()
      .every(({ in: place, name }) =>
        place === 'query'
          ? !request.url.searchParams.has(name)
          : place === 'header' && headerOf(request, name.toLowerCase()) === undefined,
      )
  );
}
