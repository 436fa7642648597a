import { type ClientRequest, credentialParts, queryText } from '../code/client-request.ts';
import { curlCode, fetchCode, headersCode } from '../code/request-code.ts';
import { scriptObject, scriptText, scriptValue } from '../code/script-value.ts';
import type { ContractView, LoggedRequest, OperationView, SampleBody } from '../wire.ts';

/** A form of a request. */
export const WAYS = [
  { id: 'curl', title: 'curl', language: 'shell' },
  { id: 'fetch', title: 'fetch', language: 'script' },
  { id: 'openapi-fetch', title: 'openapi-fetch', language: 'script' },
] as const;

export type Way = (typeof WAYS)[number]['id'];

/** The first request of a document. Undefined: the document has no GET operation. */
export function firstRequest(served: ContractView, baseUrl: string): ClientRequest | undefined {
  const { first, key, operations } = served;
  const operation = operations.find(({ id }) => id === first?.operation.id);
  if (!first || !operation) return undefined;
  const { query, ...credentials } = credentialParts(operation.security, key);
  const asked = query.length === 0 ? '' : `${first.target.includes('?') ? '&' : '?'}${queryText(query)}`;
  return {
    ...credentials,
    method: 'GET',
    url: baseUrl + first.target + asked,
    headers: [...Object.entries(first.headers), ...credentials.headers],
    body: undefined,
  };
}

/** The request in each form. */
export function firstCalls(served: ContractView, baseUrl: string): Readonly<Record<Way, string>> | undefined {
  const { first, key, operations } = served;
  const operation = operations.find(({ id }) => id === first?.operation.id);
  const request = firstRequest(served, baseUrl);
  if (!first || !operation || !request) return undefined;
  const { query, ...credentials } = credentialParts(operation.security, key);
  const { path, header } = first.parameters;
  const parameters = { path, query: { ...first.parameters.query, ...Object.fromEntries(query) }, header };
  return {
    curl: curlCode(request),
    fetch: `${fetchCode(request)}\nconsole.log(response.status, await response.json());`,
    'openapi-fetch': typedCall(operation, baseUrl, headersCode(credentials), parameters),
  };
}

/** The requests that created a record with a URL, the newest first. */
export function creationsIn(log: readonly LoggedRequest[]): readonly LoggedRequest[] {
  return log.filter(({ status, response }) => status === 201 && response.headers.Location).reverse();
}

/** The operation that creates records of the first collection with one. */
export function creatingOperation({ operations, collections }: ContractView): OperationView | undefined {
  const creates = ({ method, path }: OperationView, name: string) => method === 'POST' && path === name;
  return collections
    .flatMap(({ name }) => operations.find((operation) => creates(operation, name)) ?? [])
    .at(0);
}

/**
 * The second request: reads the last created record, or else creates one.
 * @param body for {@link creatingOperation}
 */
export function nextRequest(
  served: ContractView,
  created: LoggedRequest | undefined,
  body: SampleBody | undefined,
  urlOf: (target: string) => string,
): ClientRequest | undefined {
  const operation = created
    ? served.operations.find(({ id }) => id === created.operation)
    : creatingOperation(served);
  if (!operation || (!created && !body)) return undefined;
  const { query, ...credentials } = credentialParts(operation.security, served.key);
  const { path, basePath = served.basePath } = operation;
  const target = created?.response.headers.Location ?? basePath + path;
  const headers = created || !body ? [] : [['Content-Type', body.type] as const];
  return {
    ...credentials,
    method: created ? 'GET' : 'POST',
    url: urlOf(target) + (query.length > 0 ? `?${queryText(query)}` : ''),
    headers: [...credentials.headers, ...headers],
    body: created ? undefined : body?.text,
  };
}

/** With the types that openapi-typescript generates from the document. */
function typedCall(
  { path, method }: OperationView,
  baseUrl: string,
  headers: ReturnType<typeof headersCode>,
  parameters: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): string {
  const params = Object.entries(parameters).filter(([, values]) => Object.keys(values).length > 0);
  const options = [
    ['baseUrl', scriptText(baseUrl)] as const,
    ...(headers.length > 0 ? [['headers', scriptObject(headers, '  ')] as const] : []),
  ];
  const args = [
    scriptText(path),
    ...(params.length > 0 ? [scriptValue({ params: Object.fromEntries(params) })] : []),
  ];
  return [
    `import createClient from 'openapi-fetch';`,
    `import type { paths } from ${scriptText('./openapi')};`,
    '',
    `const client = createClient<paths>(${scriptObject(options)});`,
    `const { data, error } = await client.${method}(${args.join(', ')});`,
  ].join('\n');
}
