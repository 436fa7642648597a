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
  const { headers, query, cookies, basic } = credentialsOf(operation, key);
  const all = { ...first.headers, ...headers, ...(cookies !== '' && { Cookie: cookies }) };
  const target =
    query.length === 0
      ? first.target
      : first.target + (first.target.includes('?') ? '&' : '?') + query.join('&');
  const url = baseUrl + target;
  const flags = Object.entries({ ...first.headers, ...headers }).map(
    ([name, value]) => `-H ${quoted(`${name}: ${value}`)}`,
  );
  if (basic !== undefined) flags.push(`-u ${quoted(basic)}`);
  if (cookies !== '') flags.push(`-b ${quoted(cookies)}`);
  const scripted = {
    ...all,
    ...(basic !== undefined && { Authorization: `Basic ${basic.includes('$') ? basic : btoa(basic)}` }),
  };
  return {
    curl: ['curl', ...flags, quoted(url)]
      .join(flags.length > 0 ? ' \\\n  ' : ' ')
      .replace('curl \\\n  ', 'curl '),
    fetch: `const response = await fetch(${literal(url)}${
      Object.keys(scripted).length > 0 ? `, {\n  headers: ${objectOf(scripted, 2)},\n}` : ''
    });\nconsole.log(response.status, await response.json());`,
    'openapi-fetch': typedCall(
      operation,
      served,
      baseUrl,
      { ...headers, ...scriptedCredentials(scripted, first.headers) },
      query,
    ),
  };
}

/** With the types that openapi-typescript makes of the document. */
function typedCall(
  { path, method }: OperationView,
  { first }: ContractView,
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
  query: readonly string[],
): string {
  const given = first?.parameters ?? { path: {}, query: {}, header: {} };
  const named = Object.fromEntries(query.map((pair) => pair.split('=') as [string, string]));
  const parts = Object.entries({ ...given, query: { ...given.query, ...named } }).filter(
    ([, values]) => Object.keys(values).length > 0,
  );
  const params = parts.map(([place, values]) => `    ${place}: ${objectOf(values, 4)},\n`).join('');
  const options = [
    `  baseUrl: ${literal(baseUrl)},\n`,
    Object.keys(headers).length > 0 ? `  headers: ${objectOf(headers, 2)},\n` : '',
  ].join('');
  const target = params === '' ? literal(path) : `${literal(path)}, {\n  params: {\n${params}  },\n}`;
  return [
    `import createClient from ${literal('openapi-fetch')};`,
    `import type { paths } from ${literal('./openapi')};`,
    '',
    `const client = createClient<paths>({\n${options}});`,
    `const { data, error } = await client.${method}(${target});`,
  ].join('\n');
}

function scriptedCredentials(
  all: Readonly<Record<string, string>>,
  ofParameters: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => !Object.hasOwn(ofParameters, name)));
}

interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: readonly string[];
  readonly cookies: string;
  /** User and password. */
  readonly basic: string | undefined;
}

/** What the first alternative of an operation's security wants. */
function credentialsOf({ security }: OperationView, key: string): Credentials {
  const headers: Record<string, string> = {};
  const query: string[] = [];
  const cookies: string[] = [];
  let basic: string | undefined;
  for (const { kind, in: place, name } of security) {
    if (kind === 'bearer') headers.Authorization = `Bearer ${key}`;
    else if (kind === 'basic') basic = key.includes(':') ? key : `${key}:`;
    else if (place === 'header') headers[name] = key;
    else if (place === 'query') query.push(`${encodeURIComponent(name)}=${key}`);
    else cookies.push(`${name}=${key}`);
  }
  return { headers, query, cookies: cookies.join('; '), basic };
}

/** For a POSIX shell, which replaces the name of a variable. */
function quoted(text: string): string {
  return `"${text.replace(/["\\`]|\$(?!PADDOCK_API_KEY)/g, '\\$&')}"`;
}

/** A text in a script, where the name of a variable of the shell becomes one of Node. */
function literal(text: string): string {
  if (text.includes('$PADDOCK_API_KEY'))
    return `\`${text.replace(/[`\\]/g, '\\$&').replaceAll('$PADDOCK_API_KEY', () => `\${process.env.PADDOCK_API_KEY}`)}\``;
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}

function objectOf(values: Readonly<Record<string, unknown>>, indent: number): string {
  const margin = ' '.repeat(indent);
  const rows = Object.entries(values).map(([name, value]) => {
    const own = /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
    return `${margin}  ${own}: ${typeof value === 'string' ? literal(value) : scripted(value)},\n`;
  });
  return `{\n${rows.join('')}${margin}}`;
}

function scripted(value: unknown): string {
  return typeof value === 'bigint'
    ? `${value}`
    : JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one));
}
