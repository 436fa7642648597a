import { addWarning, children, isVersion30, recordAt, type Spot, textAt } from './document/spot.ts';
import { isRecord, parseFragment } from './json/json-value.ts';
import { oncePer } from './json/once-per.ts';
import { type MediaType, readContent } from './media-type.ts';
import { type Header, readHeader } from './parameter.ts';

/** A Response Object (OpenAPI 3.1 §4.8.17) with its key in the Responses Object. */
export interface DocumentedResponse {
  /** `200`, `4XX` or `default`. */
  readonly key: string;
  readonly content: readonly MediaType[];
  readonly headers: readonly Header[];
  readonly links: readonly Link[];
  readonly spot: Spot;
}

/** A Link Object (OpenAPI 3.1 §4.8.20) to an operation of the same document. */
export interface Link {
  /** The id of the operation, also if the link has an `operationRef`. */
  readonly operationId: string;
  /** By parameter name, a runtime expression such as `$response.body#/id`. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly spot: Spot;
}

export function readResponses(operation: Spot): DocumentedResponse[] {
  const responses = recordAt(operation, 'responses');
  // OpenAPI 3.1 made them optional.
  if (!responses && isVersion30(operation))
    addWarning(operation, 'an operation must document its responses ("responses"); none is checked');
  return children(responses).flatMap(([written, spot]) => {
    if (written.startsWith('x-')) return [];
    const key = statusKey(written, spot);
    if (key === undefined || !isUsable(key, spot)) return [];
    const headers = children(recordAt(spot, 'headers')).map(([name, header]) => readHeader(name, header));
    return [{ key, content: contentOf(key, spot), headers, links: readLinks(spot), spot }];
  });
}

function contentOf(key: string, response: Spot): MediaType[] {
  const content = readContent(response);
  if (content.length === 0 || !hasNoContent(Number(key))) return content;
  addWarning(response, `a response with the status ${key} has no content; what is documented is ignored`);
  return [];
}

/** Statuses whose responses have no content: 1xx, 204, 205 and 304 (RFC 9110 §6.4.1, §15.3.6). */
export function hasNoContent(status: number): boolean {
  return status < 200 || status === 204 || status === 205 || status === 304;
}

/** The key if it is a status, a range or `default`; undefined for any other key, which is ignored. */
function statusKey(written: string, spot: Spot): string | undefined {
  if (/^([1-5]\d\d|[1-5]XX|default)$/.test(written)) return written;
  const range = /^[1-5]xx$/i.test(written) ? written.toUpperCase() : undefined;
  const reading = range ? `it is read as ${range}` : 'it is ignored';
  addWarning(spot, `"${written}" is no status: write 200, 4XX or default; ${reading}`);
  return range;
}

function isUsable(key: string, { value, ...rest }: Spot): boolean {
  if (isRecord(value)) return true;
  addWarning({ ...rest, value }, `the response "${key}" must be an object; it is ignored`);
  return false;
}

function readLinks(response: Spot): Link[] {
  return children(recordAt(response, 'links')).flatMap(([, spot]) => {
    const operationId = textAt(spot, 'operationId') ?? referredOperation(spot);
    const parameters = recordAt(spot, 'parameters')?.value ?? {};
    return operationId ? [{ operationId, parameters: parameters as Record<string, string>, spot }] : [];
  });
}

/** The id of the operation that an `operationRef` within the document refers to: `#/paths/~1pets~1{petId}/get`. */
function referredOperation(link: Spot): string | undefined {
  const [, fragment] = textAt(link, 'operationRef')?.split('#') ?? [];
  const [root, path, method = '', ...more] = (fragment && parseFragment(fragment)) || [];
  if (root !== 'paths' || path === undefined || more.length > 0) return undefined;
  const paths = recordAt(link.document.root, 'paths');
  const item = paths && recordAt(paths, path);
  const operation = item && recordAt(item, method);
  return operation && (textAt(operation, 'operationId') ?? `${method.toUpperCase()} ${path}`);
}

/** The response for a status: by the exact key, else its range, else `default` (OpenAPI 3.1 §4.8.16). */
export function responseFor(
  responses: readonly DocumentedResponse[],
  status: number,
): DocumentedResponse | undefined {
  const keys = [String(status), `${Math.trunc(status / 100)}XX`, 'default'];
  return keys.map((wanted) => responses.find(({ key }) => key === wanted)).find(Boolean);
}

type Responses = readonly DocumentedResponse[];

/** If no refusal of an operation is documented, the document says nothing about refusals. */
export const describesRefusal = (responses: Responses): boolean =>
  responses.some(({ key }) => /^(?:4|default)/.test(key));

/** The statuses with a key of their own, ascending; without ranges and `default`. */
export const explicitStatuses = oncePer((responses: Responses): readonly number[] =>
  responses.flatMap(({ key }) => (/^\d+$/.test(key) ? [Number(key)] : [])).sort((a, b) => a - b),
);
