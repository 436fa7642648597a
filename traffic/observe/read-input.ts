import { type Contract, type Operation, percentDecode, type ReadRequest, type RequestViolation } from '#spec';
import { readWire } from '../../contract-tests/laws/evidence.ts';
import { MASK } from '../../contract-tests/report/redact.ts';
import type { RequestInput } from '../../contract-tests/send/plan-request.ts';
import { headerOf, type WireRequest } from '../../contract-tests/send/wire.ts';
import type { Found } from './find-operation.ts';
import type { ObservedRequest } from './observed.ts';

/** A request of somebody else, as the suite knows its own ones. */
export interface ReadInput {
  readonly input: RequestInput;
  readonly read: ReadRequest;
  readonly wire: WireRequest;
  /** What of the body was sent is not known. */
  readonly bodyMissing: boolean;
}

/**
 * Reads the values of a request by the document, as they would have to be given to send it again.
 * @param isWhole nothing was left out when the request was recorded
 */
export function readInput(
  contract: Contract,
  { operation, path }: Found,
  request: ObservedRequest,
  isWhole: boolean,
): ReadInput {
  const { method, url, headers } = request;
  // Many exporters leave bodies out, and say nothing of it.
  const isLeftOut = !isWhole && request.body === undefined && operation.body !== undefined;
  const bodyMissing = request.bodyMissing === true || isLeftOut || isEncoded(request);
  const body = bodyMissing || request.body?.length === 0 ? undefined : request.body;
  const chunked = /chunked/i.test(headerOf(request, 'transfer-encoding') ?? '');
  const wire: WireRequest = { method, url, headers, body, chunked };
  const read = readWire(contract, operation, path, wire);
  const violations = read.violations.filter(
    (one) => !(one.in === 'body' ? bodyMissing : isMasked(request, one)),
  );
  const known = { ...read, violations, ...(bodyMissing && { body: undefined }) };
  const input: RequestInput = {
    path: Object.fromEntries(
      Object.entries(path).map(([name, text]) => [name, known.parameters.path[name] ?? percentDecode(text)]),
    ),
    query: sentQuery(operation, url, known),
    ...(known.body !== undefined && { body: known.body }),
  };
  return { input, read: known, wire, bodyMissing };
}

/** A recording of the suite has a mask in the place of each secret: whether that was as documented, nobody knows. */
function isMasked({ headers, url }: ObservedRequest, { in: place, name }: RequestViolation): boolean {
  const texts =
    place === 'query'
      ? url.searchParams.getAll(name)
      : [headerOf({ headers }, place === 'cookie' ? 'cookie' : name.toLowerCase()) ?? ''];
  return texts.some((text) => text.includes(MASK));
}

/** The reader takes a body without its coding. */
function isEncoded({ headers, body }: ObservedRequest): boolean {
  const coding = headerOf({ headers }, 'content-encoding')?.trim().toLowerCase();
  return body !== undefined && coding !== undefined && coding !== '' && coding !== 'identity';
}

/** What was sent, by name; a credential says nothing about a list. */
function sentQuery(operation: Operation, { searchParams, search }: URL, read: ReadRequest) {
  if (search === '') return {};
  const secret = new Set(operation.security.flat().flatMap((one) => (one.in === 'query' ? [one.name] : [])));
  const names = [...new Set(searchParams.keys())].filter((name) => !secret.has(name));
  const { query } = read.parameters;
  return Object.fromEntries(
    names.map((name) => [name, Object.hasOwn(query, name) ? query[name] : searchParams.getAll(name).join()]),
  );
}
