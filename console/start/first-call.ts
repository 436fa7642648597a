import { type ClientRequest, credentialParts, queryText } from '../code/client-request.ts';
import { curlCode, fetchCode, headersCode } from '../code/request-code.ts';
import { scriptObject, scriptText, scriptValue } from '../code/script-value.ts';
import type { ContractView, OperationView } from '../wire.ts';

/** A way to write a request. */
export const WAYS = [
  { id: 'curl', title: 'curl', language: 'shell' },
  { id: 'fetch', title: 'fetch', language: 'script' },
  { id: 'openapi-fetch', title: 'openapi-fetch', language: 'script' },
] as const;

export type Way = (typeof WAYS)[number]['id'];

/** The first request of a document, in each way; undefined: the document has no GET operation. */
export function firstCalls(served: ContractView, baseUrl: string): Readonly<Record<Way, string>> | undefined {
  const { first, key, operations } = served;
  const operation = operations.find(({ id }) => id === first?.operation.id);
  if (!first || !operation) return undefined;
  const { query, ...credentials } = credentialParts(operation.security, key);
  const asked = query.length === 0 ? '' : `${first.target.includes('?') ? '&' : '?'}${queryText(query)}`;
  const request: ClientRequest = {
    ...credentials,
    method: 'GET',
    url: baseUrl + first.target + asked,
    headers: [...Object.entries(first.headers), ...credentials.headers],
    body: undefined,
  };
  const { path, header } = first.parameters;
  const parameters = { path, query: { ...first.parameters.query, ...Object.fromEntries(query) }, header };
  return {
    curl: curlCode(request),
    fetch: `${fetchCode(request)}\nconsole.log(response.status, await response.json());`,
    'openapi-fetch': typedCall(operation, baseUrl, headersCode(credentials), parameters),
  };
}

/** With the types that openapi-typescript makes of the document. */
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
  const given = [
    scriptText(path),
    ...(params.length > 0 ? [scriptValue({ params: Object.fromEntries(params) })] : []),
  ];
  return [
    `import createClient from 'openapi-fetch';`,
    `import type { paths } from ${scriptText('./openapi')};`,
    '',
    `const client = createClient<paths>(${scriptObject(options)});`,
    `const { data, error } = await client.${method}(${given.join(', ')});`,
  ].join('\n');
}
