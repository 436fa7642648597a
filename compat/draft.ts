import {
  type Credential,
  encodeBody,
  encodeParameter,
  escapeText,
  type MediaType,
  type Operation,
  type Parameter,
  pathParameters,
  percentEncode,
  queryPairs,
  type RawRequest,
  type RequestViolation,
  type Requirement,
  sentType,
} from '#spec';

/** The values of a request to an operation of OLD. */
export interface Draft {
  /** Values by {@link keyOf} the parameter; others are not sent. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly body: { readonly media: MediaType; readonly value: unknown } | undefined;
  readonly requirement: Requirement | undefined;
  /** The only media type that the client accepts; undefined: any. */
  readonly accept?: string | undefined;
}

/** A request of a client. */
export interface Sent {
  readonly method: string;
  /** Undefined: that of the document. */
  readonly basePath: string | undefined;
  /** Without the base path. */
  readonly path: string;
  /** Without the `?`. */
  readonly query: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | undefined;
}

/**
 * The credential that both mocks accept, in a form that is also valid for Basic. Reports redact both of its parts, so that
 * neither may be a word of a document.
 */
export const KEY = 'client-7Qx3vN0c:secret-Zp41kUe8';

export function keyOf(parameter: Pick<Parameter, 'in' | 'name'>): string {
  const { in: place, name } = parameter;
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
}

export function sentFor(operation: Operation, { values, body, requirement, accept }: Draft): Sent {
  const parameters = operation.parameters.filter((parameter) => values.has(keyOf(parameter)));
  const of = (place: Parameter['in']) => parameters.filter((parameter) => parameter.in === place);
  const textsOf = (parameter: Parameter) => encodeParameter(parameter, values.get(keyOf(parameter)));
  const path = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const parameter = of('path').find((one) => one.name === name);
    return parameter ? textsOf(parameter).join(',') : 'x';
  });
  // A credential that is also documented as a parameter has the parameter's value.
  const isGiven = (credential: Credential) => values.has(keyOf({ in: credential.in, name: credential.name }));
  const keys = credentialsOf(requirement?.filter((credential) => !isGiven(credential)));
  const query = of('query').flatMap((parameter) => queryPairs(parameter, values.get(keyOf(parameter))));
  const cookies = of('cookie').flatMap((parameter) =>
    textsOf(parameter).map((text) => `${parameter.name}=${text}`),
  );
  const encoded = body && encodeBody(body.media, body.value);
  return {
    basePath: operation.basePaths[0],
    method: operation.method,
    path,
    query: [...query, ...keys.query].map(([name, text]) => `${name}=${text}`).join('&'),
    headers: [
      ['Accept', accept ?? '*/*'],
      ...keys.headers,
      ...of('header').flatMap((parameter) =>
        textsOf(parameter).map((text) => [parameter.name, text] as const),
      ),
      ...[[...keys.cookies, ...cookies].join('; ')].filter(Boolean).map((text) => ['Cookie', text] as const),
      ...(encoded && body ? [['Content-Type', encoded.type || sentType(body.media)] as const] : []),
    ],
    body: encoded?.bytes,
  };
}

/** Whether a violation is about the credential: a made-up one need not match the parameter's schema. */
export function isCredential(
  requirement: Requirement = [],
  { in: place, name }: Pick<RequestViolation, 'in' | 'name'>,
): boolean {
  return (
    place !== 'body' && requirement.some((credential) => keyOf(credential) === keyOf({ in: place, name }))
  );
}

function credentialsOf(requirement: Requirement = []) {
  const [headers, query, cookies] = [[] as [string, string][], [] as [string, string][], [] as string[]];
  for (const { kind, in: place, name } of requirement) {
    if (kind === 'bearer') headers.push(['Authorization', `Bearer ${KEY}`]);
    else if (kind === 'basic')
      headers.push(['Authorization', `Basic ${Buffer.from(KEY).toString('base64')}`]);
    else if (place === 'header') headers.push([name, KEY]);
    else if (place === 'query') query.push([percentEncode(name), percentEncode(KEY)]);
    else cookies.push(`${name}=${percentEncode(KEY)}`);
  }
  return { headers, query, cookies };
}

/** A request as parsed for an operation whose path it matches. */
export function rawOf(operation: Operation, sent: Sent): RawRequest {
  return {
    path: pathValues(operation, sent.path) ?? {},
    query: sent.query,
    headers: Object.fromEntries(sent.headers.map(([name, value]) => [name.toLowerCase(), value])),
    body: sent.body,
  };
}

/** The texts of the path parameters, whatever precedes the path; undefined: it does not match. */
export function pathValues(operation: Operation, path: string): Record<string, string> | undefined {
  const pattern = operation.path
    .split(/\{[^}]+\}/)
    .map(escapeText)
    .join('([^/]*)');
  const texts = new RegExp(`${pattern}$`).exec(path)?.slice(1);
  if (!texts) return undefined;
  return Object.fromEntries(pathParameters(operation.path).map((name, index) => [name, texts[index] ?? '']));
}
