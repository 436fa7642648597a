import { children, complain, flagAt, rawChild, recordAt, type Spot, textAt } from './document/spot.ts';
import { type MediaType, readContent, readExamples } from './media-type.ts';
import { isVersion30 } from './schema/shape.ts';

/** A Response Object (OpenAPI 3.1 §4.8.17) under its key of the Responses Object. */
export interface DocumentedResponse {
  /** `200`, `4XX` or `default`. */
  readonly key: string;
  readonly content: readonly MediaType[];
  readonly headers: readonly Header[];
  readonly links: readonly Link[];
  readonly spot: Spot;
}

export interface Header {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Spot | undefined;
  readonly examples: ReadonlyMap<string, unknown>;
  readonly spot: Spot;
}

/** A Link Object: the answer's value at a pointer is another operation's parameter. */
export interface Link {
  readonly operationId: string;
  /** Parameter name -> runtime expression, e.g. `$response.body#/id`. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly spot: Spot;
}

export function readResponses(operation: Spot): DocumentedResponse[] {
  const responses = recordAt(operation, 'responses');
  if (!responses) {
    // OpenAPI 3.1 lets an operation go without.
    if (isVersion30(operation)) complain(operation, 'an operation must document its responses ("responses")');
    return [];
  }
  return children(responses).flatMap(([key, spot]) => {
    if (key.startsWith('x-')) return [];
    if (!/^([1-5]\d\d|[1-5]XX|default)$/.test(key))
      complain(spot, `"${key}" is no status: write 200, 4XX or default`);
    return [{ key, content: readContent(spot), headers: readHeaders(spot), links: readLinks(spot), spot }];
  });
}

function readHeaders(response: Spot): Header[] {
  const headers = recordAt(response, 'headers');
  return (headers ? children(headers) : []).map(([name, spot]) => ({
    name: name.toLowerCase(),
    required: flagAt(spot, 'required'),
    schema: rawChild(spot, 'schema'),
    examples: readExamples(spot),
    spot,
  }));
}

function readLinks(response: Spot): Link[] {
  const links = recordAt(response, 'links');
  return (links ? children(links) : []).flatMap(([, spot]) => {
    const operationId = textAt(spot, 'operationId');
    const parameters = recordAt(spot, 'parameters')?.value ?? {};
    return operationId ? [{ operationId, parameters: parameters as Record<string, string>, spot }] : [];
  });
}

/** The response that describes a status: the exact key, then its range, then `default` (OpenAPI 3.1 §4.8.16). */
export function responseFor(
  responses: readonly DocumentedResponse[],
  status: number,
): DocumentedResponse | undefined {
  const keys = [String(status), `${Math.trunc(status / 100)}XX`, 'default'];
  return keys.map((wanted) => responses.find(({ key }) => key === wanted)).find(Boolean);
}

/** The statuses that an operation documents one by one; ranges and `default` are none. */
export function explicitStatuses(responses: readonly DocumentedResponse[]): number[] {
  return responses.flatMap(({ key }) => (/^\d+$/.test(key) ? [Number(key)] : [])).sort((a, b) => a - b);
}
