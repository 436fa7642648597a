import { essenceOf, explicitStatuses, type Operation, type ReadRequest, responseFor } from '#spec';
import { type Exchange, isSuccess, type Response } from '../send/response.ts';
import { headerOf, type WireRequest, type WireResponse } from '../send/wire.ts';
import { invalidStatus, leavesStatusOpen } from './operation-role.ts';

/** What a status of the protocol, or of a gateway, is judged by: whether the request gave cause for it. */
type GivesCause = (request: WireRequest, operation: Operation, read: ReadRequest) => boolean;

/** RFC 9110 §4.1 recommends to support request targets of 8000 octets; many gateways support fewer. */
const LONG_URL = 2048;
const LONG_HEADERS = 4096;
/** A body shorter than this, in bytes, is small to any service. */
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
  // §15.5.16: the content itself may be what is not supported, too.
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

/** The client does not accept every media type that the operation documents. */
export function isUnacceptable({ operation, request }: Pick<Exchange, 'operation' | 'request'>): boolean {
  return !acceptsAll(headerOf(request, 'accept'), operation);
}

/** Each documented media type of a response is acceptable to the client; where none is documented, any type. */
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
 * The status is one of the protocol or of what stands before the service, the request gave cause for it, and the
 * operation does not document it by name. Neither is it a finding then, nor is its body held to a range or `default`.
 */
export function isProtocolStatus(
  { operation, request, response: { status } }: Exchange,
  read: ReadRequest,
): boolean {
  if (explicitStatuses(operation.responses).includes(status)) return false;
  if (isOtherMediaType(read) || isUnacceptable({ operation, request })) return status >= 400 && status < 500;
  return CAUSES[status]?.(request, operation, read) === true;
}

/** Whether the request is such that a status of the protocol is as right as the one that is documented for it. */
export function excusesStatus({ operation, request, response }: Exchange, read: ReadRequest): boolean {
  if (response.status === 413) return (request.body?.length ?? 0) >= LARGE_BODY;
  return CAUSES[response.status]?.(request, operation, read) === true;
}

/** RFC 9110 §15.5.19 reserves 418, and gives it no meaning. */
const UNUSED = 418;

/** No document promises that a body of another media type is refused, or with which status. */
function isOtherMediaType({ violations }: ReadRequest): boolean {
  return violations.some(({ kind }) => kind === 'media type');
}

/**
 * Refusals that need not be documented, since the request gave cause for them: invalid input, a credential that is
 * none, a path that may name nothing. Where the operation documents a status for it, that one is for other laws.
 */
export function isOrdinaryRefusal(
  { operation, input }: Exchange,
  read: ReadRequest,
  { status }: Response,
): boolean {
  if (input.refused && (status === 401 || status === 403)) return true;
  const mayBeRefused = read.violations.length > 0 || input.expected?.or4xx === true;
  // Of a guessed path nothing says that it names something.
  if ((mayBeRefused || input.guessed) && (status === 400 || status === 422)) return true;
  // A document that names no status for a refusal does not say that nothing is refused.
  const isRefusal = status >= 400 && status < 500 && status !== UNUSED;
  if (isRefusal && input.expected?.or4xx && input.expected.status >= 400) return true;
  if (mayBeRefused && isRefusal && invalidStatus(operation) === undefined) return true;
  return operation.path.includes('{') && (status === 404 || status === 410);
}

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

/** 410 from the day on that the document names, by the target's own clock: nobody promised more than that. */
export function isRemoved({ sunset }: Operation, response: WireResponse): boolean {
  if (sunset === undefined || response.status !== 410) return false;
  return Date.parse(headerOf(response, 'date') ?? '') >= Date.parse(sunset);
}
