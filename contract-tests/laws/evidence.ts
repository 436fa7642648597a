import {
  arrayShape,
  type Contract,
  compileRequestReader,
  type DocumentedResponse,
  isOctets,
  isRecord,
  isXml,
  type MediaType,
  mediaTypeFor,
  type Operation,
  oncePer,
  type ParameterPlace,
  type ReadRequest,
  type RequestViolation,
  type Resource,
  recordPath,
  responseFor,
  type Shape,
  shapeAt,
  valueAt,
} from '#spec';
import { pathTexts } from '../send/plan-request.ts';
import { type Exchange, isSuccess, jsonOf, type Response } from '../send/response.ts';
import { ACCEPTED, CREATED, type WireRequest } from '../send/wire.ts';
import { isProtocolStatus } from './excused-status.ts';
import { type Page, parametersIn, readPage } from './list-page.ts';
import {
  type KnownRecords,
  type OwnRecord,
  parentsOf,
  type Role,
  roleOfRequest,
  showsJob,
} from './operation-role.ts';

/** An exchange with what follows from it, the contract and the run so far: all that a rule may read. */
export interface Evidence {
  readonly contract: Contract;
  readonly exchange: Exchange;
  readonly operation: Operation;
  readonly response: Response;
  readonly role: Role | undefined;
  /** The documented response for the status; undefined where the status is {@link protocol}'s. */
  readonly documented: DocumentedResponse | undefined;
  /** Whether the request gives cause for this status of the protocol or a gateway, which the operation does not document. */
  readonly protocol: boolean;
  /** Whether this is a documented success: a 2xx status to a request with the run's credential. */
  readonly succeeded: boolean;
  /** The parsed JSON or XML body of the response; undefined: no body, or a malformed one. */
  readonly json: unknown;
  /** The request as parsed from the wire, with its violations of the document. */
  readonly request: ReadRequest;
  /** The page of a successful list request. */
  readonly page: Page | undefined;
  /** The run's records in their expected state. */
  readonly model: KnownRecords;
  /** The earlier exchanges of the same sequence, the latest last. */
  readonly earlier: readonly Evidence[];
}

export interface Context {
  readonly contract: Contract;
  readonly model: KnownRecords;
  readonly earlier: readonly Evidence[];
}

/** @param request the parsed request, if it is available already */
export function gatherEvidence(
  exchange: Exchange,
  context: Context,
  request = readRequest(context.contract, exchange),
): Evidence {
  const { contract, model, earlier } = context;
  const { operation, response, input } = exchange;
  const creates = input.creates === true || response.status === CREATED;
  const role = roleOfRequest(contract, operation, creates);
  const json = jsonOf(response);
  const succeeded = isSuccess(response) && input.refused === undefined;
  const page =
    succeeded && role?.action === 'list' && !isOtherForm(exchange)
      ? readPage(role.resource, exchange, request, json)
      : undefined;
  const protocol = isProtocolStatus(exchange, request);
  const documented = protocol ? undefined : responseFor(operation.responses, response.status);
  return {
    contract,
    exchange,
    operation,
    response,
    role,
    documented,
    protocol,
    succeeded,
    json,
    request,
    page,
    model,
    earlier,
  };
}

/** A documented body that is neither JSON nor XML, such as a table, cannot be read as records. */
function isOtherForm(exchange: Exchange): boolean {
  const media = mediaOf(exchange);
  return media !== undefined && !media.isJson && exchange.response.xml === undefined;
}

/** The documented media type of a response. */
function mediaOf({ operation, response }: Exchange): MediaType | undefined {
  const { content = [] } = responseFor(operation.responses, response.status) ?? {};
  return response.contentType === undefined ? undefined : mediaTypeFor(content, response.contentType);
}

/** The schema of a documented JSON body, else of an XML body. */
export function jsonShape(documented: DocumentedResponse | undefined): Shape | undefined {
  const { content = [] } = documented ?? {};
  return (content.find(({ isJson }) => isJson) ?? content.find(isXml))?.shape;
}

/** The schema of the records in a list. */
export function itemShape({ documented, page }: Evidence): Shape | undefined {
  const body = jsonShape(documented);
  return (page ? arrayShape(page.form, body) : body)?.items;
}

/** Whether a list shows all members of its records: one with a schema of its own may show fewer. */
export function showsWholeRecords(evidence: Evidence): boolean {
  const { page } = evidence;
  return (
    page !== undefined &&
    !mayShowLess(evidence) &&
    itemShape(evidence)?.spot.value === page.resource.shape.spot.value
  );
}

/**
 * Whether a query may choose members, such as `fields`, or expand them, such as `expand`: schemas do not state what an
 * optional parameter of unknown meaning does to records.
 */
export function mayShowLess({ page, exchange, operation }: Evidence): boolean {
  const parameters = page && parametersIn(page.form);
  const parts = new Set(page?.form.parts?.map(({ parameter }) => parameter));
  const sent = exchange.input.query ?? {};
  return operation.parameters.some(
    (parameter) =>
      parameter.in === 'query' &&
      sent[parameter.name] !== undefined &&
      !parameter.required &&
      !parameters?.has(parameter) &&
      !parts.has(parameter),
  );
}

/** The whole record in a response to a read, or in the documented echo of a write. */
export function recordOf(evidence: Evidence): Record<string, unknown> | undefined {
  const { role, operation, json, response, exchange } = evidence;
  if (!role || role.action === 'list' || role.action === 'remove') return undefined;
  // A file is no record, even if its content is JSON.
  if (isOctets(mediaOf(exchange)?.shape)) return undefined;
  if (response.status === ACCEPTED && showsJob(role.resource, operation)) return undefined;
  return recordIn(role.resource, operation, json);
}

/** The records of a list, or the one record of a successful response. */
export function recordsShown(evidence: Evidence): readonly Record<string, unknown>[] {
  const record = evidence.succeeded ? recordOf(evidence) : undefined;
  return evidence.page?.records ?? (record ? [record] : []);
}

/** The record in a response body, which may be wrapped in a member. */
export function recordIn(
  resource: Resource,
  operation: Operation,
  json: unknown,
): Record<string, unknown> | undefined {
  const record = valueAt(json, recordPath(resource, operation));
  return isRecord(record) ? record : undefined;
}

/** The schema of the record in a response. */
export function shownShape({ role, operation, documented }: Evidence): Shape | undefined {
  return shapeAt(jsonShape(documented), role ? recordPath(role.resource, operation) : []);
}

/** The run's record that a request names in its path. */
export function ownRecordOf({ role, exchange, model }: Evidence): OwnRecord | undefined {
  const parameter = role?.resource.id?.parameter;
  if (!role || parameter === undefined || role.action === 'create' || role.action === 'list')
    return undefined;
  const { path } = exchange.input;
  return model.find(role.resource, path?.[parameter], parentsOf(role.resource, path));
}

const readerOf = oncePer(compileRequestReader);

/** Parses a request of the run from the wire. */
export function readRequest(
  contract: Contract,
  { operation, input, request }: Pick<Exchange, 'operation' | 'input' | 'request'>,
): ReadRequest {
  return readWire(contract, operation, pathTexts(operation, input), request);
}

/**
 * Parses a request from the wire.
 * @param path the texts of the path parameters, percent-encoded as they were sent
 */
export function readWire(
  contract: Contract,
  operation: Operation,
  path: Readonly<Record<string, string>>,
  request: Pick<WireRequest, 'url' | 'headers' | 'body'>,
): ReadRequest {
  const reader = readerOf(operation, contract.validators);
  const headers: Record<string, string> = {};
  for (const [name, value] of request.headers) headers[name.toLowerCase()] = value;
  return reader({
    path,
    query: request.url.search.slice(1),
    headers,
    body: request.body,
  });
}

/** Circumstances of a breach by which breaches are grouped; they remain when bodies are discarded. */
export interface Circumstance {
  /** The violation in the request; undefined: the request is valid. */
  readonly violation?: Pick<RequestViolation, 'in' | 'name' | 'kind' | 'pointer' | 'keyword' | 'expected'> & {
    /** The offending value is null. */
    readonly isNull?: true;
  };
  /** The form of an error body, in words: `{code, message}`, `a string`. */
  readonly form?: string;
}

const ERRORS = 400;

export function circumstanceOf({ request, response, json }: Evidence): Circumstance {
  const { violations } = request;
  // An id from the service may violate the path's schema: any other violation is the intended one.
  const others = violations.filter(({ in: place }) => place !== 'path');
  const meant = others.length > 0 ? others : violations;
  // The invalid value comes first: a value of the wrong type fails for its type, too.
  const violation = meant.find(({ kind }) => kind === 'schema') ?? meant[0];
  return {
    ...(violation && { violation: wordsOf(violation) }),
    ...(response.status >= ERRORS && json !== undefined && { form: formOf(json) }),
  };
}

function wordsOf({ in: place, name, kind, pointer, keyword, expected, received }: RequestViolation) {
  const words = { in: place, name, kind, pointer, keyword, expected };
  return received === null ? { ...words, isNull: true as const } : words;
}

/** The maximum number of member names that describe a body. */
const MOST_MEMBERS = 6;

function formOf(body: unknown): string {
  if (Array.isArray(body)) return 'a list';
  if (!isRecord(body))
    return body === null ? 'null' : `a ${typeof body === 'bigint' ? 'number' : typeof body}`;
  const names = Object.keys(body);
  const more = names.length - MOST_MEMBERS;
  return `{${names.slice(0, MOST_MEMBERS).join(', ')}${more > 0 ? ` and ${more} more` : ''}}`;
}

/** A part of a request: a parameter, or the target of a JSON Pointer (RFC 6901) in the body, which need not exist. */
export interface SentPart {
  readonly in: ParameterPlace | 'body';
  /** The name of the parameter; empty for the body. */
  readonly name: string;
  readonly pointer: string;
  /** The text of a path parameter in the URL. */
  readonly text?: string;
}

/** The part of a request that violates the document. */
export function sentPart(
  { operation, exchange }: Pick<Evidence, 'operation' | 'exchange'>,
  { in: place, name, pointer }: Pick<RequestViolation, 'in' | 'name' | 'pointer'>,
): SentPart {
  const text = place === 'path' ? pathTexts(operation, exchange.input)[name] : undefined;
  return { in: place, name, pointer, ...(text !== undefined && { text }) };
}

export function ofHeader(name: string): SentPart {
  return { in: 'header', name, pointer: '' };
}
