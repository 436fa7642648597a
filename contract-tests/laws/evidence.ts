import {
  arrayShape,
  type Contract,
  compileRequestReader,
  type DocumentedResponse,
  isRecord,
  isXml,
  mediaTypeFor,
  type Operation,
  type ReadRequest,
  type RequestReader,
  type Resource,
  recordPath,
  responseFor,
  type Shape,
  shapeAt,
  valueAt,
} from '#spec';
import { pathTexts } from '../send/plan-request.ts';
import { type Exchange, isSuccess, jsonOf, type Response } from '../send/response.ts';
import type { WireRequest } from '../send/wire.ts';
import { type Page, readPage } from './list-page.ts';
import { type Role, roleOfRequest } from './operation-role.ts';
import { type KnownRecords, type OwnRecord, parentsOf } from './own-record.ts';
import { isProtocolStatus } from './protocol-status.ts';

/** An exchange and what follows from it, the contract and the run so far: all that a law may look at. */
export interface Evidence {
  readonly contract: Contract;
  readonly exchange: Exchange;
  readonly operation: Operation;
  readonly response: Response;
  readonly role: Role | undefined;
  /** What the document says of the status; nothing where the status is {@link protocol}'s own. */
  readonly documented: DocumentedResponse | undefined;
  /** A status of the protocol or a gateway, which the request gave cause for and the operation does not name. */
  readonly protocol: boolean;
  /** The documented success: a 2xx status to a request that bears the run's credential. */
  readonly succeeded: boolean;
  /** The value of the response's body in JSON or XML; undefined where it has none, or a broken one. */
  readonly json: unknown;
  /** What the document says is wrong with the request, read from the wire. */
  readonly request: ReadRequest;
  /** The successful response to a list request. */
  readonly page: Page | undefined;
  /** The run's own records, as they must be now. */
  readonly model: KnownRecords;
  /** The exchanges of the same sequence so far, the latest last. */
  readonly earlier: readonly Evidence[];
}

const CREATED = 201;

export interface Context {
  readonly contract: Contract;
  readonly model: KnownRecords;
  readonly earlier: readonly Evidence[];
}

/** @param request the request as the document reads it, where that is known already */
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

/** A documented body that is neither JSON nor XML, such as a table, does not tell its records. */
function isOtherForm({ operation, response }: Exchange): boolean {
  const { content = [] } = responseFor(operation.responses, response.status) ?? {};
  const media = response.contentType === undefined ? undefined : mediaTypeFor(content, response.contentType);
  return media !== undefined && !media.isJson && response.xml === undefined;
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

/** A list with a schema of its own may show less of a record than the record has. */
export function showsWholeRecords(evidence: Evidence): boolean {
  const { page } = evidence;
  return page !== undefined && itemShape(evidence)?.spot.value === page.resource.shape.spot.value;
}

/** The record that a response shows in whole: to a read, or in the documented echo of a write. */
export function recordOf({ role, operation, json }: Evidence): Record<string, unknown> | undefined {
  if (!role || role.action === 'list' || role.action === 'remove') return undefined;
  return recordIn(role.resource, operation, json);
}

/** The record in the body of a response, which may have a member for it. */
export function recordIn(
  resource: Resource,
  operation: Operation,
  json: unknown,
): Record<string, unknown> | undefined {
  const record = valueAt(json, recordPath(resource, operation));
  return isRecord(record) ? record : undefined;
}

/** The schema of the record that a response shows. */
export function shownShape({ role, operation, documented }: Evidence): Shape | undefined {
  return shapeAt(jsonShape(documented), role ? recordPath(role.resource, operation) : []);
}

/** The run's own record that a request on one record names by its path. */
export function ownRecordOf({ role, exchange, model }: Evidence): OwnRecord | undefined {
  const parameter = role?.resource.id?.parameter;
  if (!role || parameter === undefined || role.action === 'create' || role.action === 'list')
    return undefined;
  const { path } = exchange.input;
  return model.find(role.resource, path?.[parameter], parentsOf(role.resource, path));
}

const readers = new WeakMap<Operation, RequestReader>();

function readRequest(contract: Contract, { operation, input, request }: Exchange): ReadRequest {
  return readWire(contract, operation, pathTexts(operation, input), request);
}

/** @param path the texts of the path parameters, percent-encoded as they were sent */
export function readWire(
  contract: Contract,
  operation: Operation,
  path: Readonly<Record<string, string>>,
  request: Pick<WireRequest, 'url' | 'headers' | 'body'>,
): ReadRequest {
  const reader = readers.get(operation) ?? compileRequestReader(operation, contract.validators);
  readers.set(operation, reader);
  const headers: Record<string, string> = {};
  for (const [name, value] of request.headers) headers[name.toLowerCase()] = value;
  return reader({
    path,
    query: request.url.search.slice(1),
    headers,
    body: request.body,
  });
}
