// Dredd makes a row of each documented response. These hooks bring the service into the state that a row
// speaks of and shape the request to suit; what the row expects is never touched. Everything follows from
// the row and from the document. CommonJS, because Dredd hands out `hooks` through a patched `require`.
import type { IncomingHttpHeaders } from 'node:http';

type Row = {
  request: { method: string; uri: string; headers: IncomingHttpHeaders; body: string };
  expected: { statusCode: string; body?: string };
  origin: { filename: string; resourceName: string };
  protocol: string;
  host: string;
  port: string;
  fullPath: string;
  skip: boolean;
  fail?: string;
};
type Done = () => void;
type Hooks = {
  beforeAll(hook: (rows: Row[], done: Done) => void): void;
  beforeEach(hook: (row: Row, done: Done) => void): void;
  afterAll(hook: (rows: Row[], done: Done) => void): void;
  log(message: string): void;
};
type Link = { operationId?: string; parameters?: Record<string, string> };
type Response = {
  content?: Record<string, { examples?: Record<string, { value: unknown }> }>;
  links?: Record<string, Link>;
};
type Operation = { operationId?: string; responses: Record<string, unknown> };
type Document = { paths: Record<string, Record<string, Operation>> };

const { readFileSync } = require('node:fs') as typeof import('node:fs');
const { isDeepStrictEqual } = require('node:util') as typeof import('node:util');
const { parse } = require('yaml') as typeof import('yaml');
const hooks: Hooks = require('hooks');

const key = process.env.PADDOCK_API_KEY || 'paddock-dev-key';
// Absent: the endpoint of dredd.yml.
const baseUrl = process.env.PADDOCK_BASE_URL;
// The largest int64. As text, because a double cannot hold it.
const unassignedId = '9223372036854775807';

let document: Document;
let kept: Row[] = [];

hooks.beforeAll((rows, done) => {
  try {
    document = parse(readFileSync(rows[0]?.origin.filename ?? '', 'utf8'));
    for (const row of rows) {
      if (baseUrl) aim(row, baseUrl);
      row.skip = isDefaultRow(row);
    }
    kept = rows.filter((row) => !row.skip);
    demandOneRowPerCell();
  } catch (error) {
    // Dredd would only log an error thrown here, and go on without the arrangements.
    for (const row of rows) fail(row, error);
  }
  done();
});

hooks.beforeEach((row, done) => {
  if (row.skip || row.fail) return done();
  arrange(row)
    .catch((error) => fail(row, error))
    .then(done);
});

hooks.afterAll((rows, done) => {
  const skipped = rows.filter((row) => row.skip).length;
  hooks.log(`${rows.length - skipped} cells judged, ${skipped} rows of \`default\` responses skipped`);
  done();
});

async function arrange(row: Row): Promise<void> {
  const status = Number(row.expected.statusCode);
  if (status !== 401) row.request.headers.Authorization = `Bearer ${key}`;
  if (status === 400) row.request.body = '{}';
  if (status === 404) setPathVariables(row, () => unassignedId);
  if (status >= 200 && status < 300 && row.request.method === 'GET') await arrangeRecord(row);
}

/** A record to read: the item named by the document's link, or one in the list, so that its shape is judged. */
async function arrangeRecord(row: Row): Promise<void> {
  const isItem = row.origin.resourceName.includes('{');
  if (!isItem) {
    const adds = kept.find(
      (other) => samePath(other, row) && other.request.method === 'POST' && isSuccess(other),
    );
    if (adds) await send(adds);
    return;
  }
  for (const creator of kept.filter(isSuccess)) {
    const link = Object.values(documented(creator)?.links ?? {}).find(
      (candidate) => candidate.operationId === operationOf(row).operationId,
    );
    if (!link) continue;
    const created = await send(creator);
    return setPathVariables(row, (name) => evaluate(link.parameters?.[name] ?? '', created));
  }
  throw new Error(`no documented link leads to ${row.request.method} ${row.origin.resourceName}`);
}

async function send(row: Row): Promise<unknown> {
  const { method, body } = row.request;
  const url = `${row.protocol}//${row.host}${row.port ? `:${row.port}` : ''}${row.fullPath}`;
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` };
  const answer = await fetch(url, { method, headers, body, signal: AbortSignal.timeout(10_000) }).catch(
    (error) => {
      throw new Error(`arranging failed: ${method} ${url}: ${error.cause?.message ?? error.message}`);
    },
  );
  if (!answer.ok) throw new Error(`arranging failed: ${method} ${url} answered ${answer.status}`);
  return JSON.parse(await answer.text(), keepDigits);
}

/** Numbers stay the text that was received: an int64 does not fit a double. */
function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' ? (context?.source ?? String(value)) : value;
}

/** A runtime expression of a link, of the one form needed: `$response.body#/pointer`. */
function evaluate(expression: string, body: unknown): string {
  const pointer = /^\$response\.body#(\/.*)$/.exec(expression)?.[1];
  const value = pointer === undefined ? undefined : lookUp(body, pointer);
  if (typeof value !== 'string') throw new Error(`the link's ${expression || 'parameter'} gives no value`);
  return value;
}

function setPathVariables(row: Row, valueFor: (name: string) => string): void {
  const { pathname, search } = new URL(row.request.uri, 'http://document.invalid');
  const base = row.fullPath.slice(0, row.fullPath.length - (pathname + search).length);
  const path = row.origin.resourceName.replace(/\{([^}]+)\}/g, (_, name) =>
    encodeURIComponent(valueFor(name)),
  );
  row.fullPath = base + path + search;
}

function aim(row: Row, target: string): void {
  if (!/^https?:\/\//.test(target)) throw new Error(`PADDOCK_BASE_URL is no http(s) URL: ${target}`);
  const { protocol, hostname, port, pathname } = new URL(target);
  row.protocol = protocol;
  row.host = hostname;
  row.port = port;
  row.fullPath = pathname.replace(/\/$/, '') + row.request.uri;
}

/**
 * Dredd gives a `default` response the status 200, and so the name of the 200 row. It is told by its body: no
 * example of the response that the document has for the row's status.
 */
function isDefaultRow(row: Row): boolean {
  if (!('default' in operationOf(row).responses)) return false;
  const body = JSON.parse(row.expected.body || 'null');
  const examples = Object.values(documented(row)?.content ?? {}).flatMap((media) =>
    Object.values(media.examples ?? {}),
  );
  return !examples.some((example) => isDeepStrictEqual(example.value, body));
}

/** Guards the rule above: no cell may fall out of the judgement unseen. */
function demandOneRowPerCell(): void {
  const cells = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      Object.keys(operation.responses ?? {})
        .filter((status) => /^\d{3}$/.test(status))
        .map((status) => `${method.toUpperCase()} ${path} ${status}`),
    ),
  );
  const judged = kept.map(
    (row) => `${row.request.method} ${row.origin.resourceName} ${row.expected.statusCode}`,
  );
  if (!isDeepStrictEqual(cells.toSorted(), judged.toSorted())) {
    throw new Error(
      `Dredd's rows are not the document's cells: ${judged.join(', ')} instead of ${cells.join(', ')}`,
    );
  }
}

function operationOf(row: Row): Operation {
  const operation = document.paths[row.origin.resourceName]?.[row.request.method.toLowerCase()];
  if (!operation) throw new Error(`not in the document: ${row.request.method} ${row.origin.resourceName}`);
  return operation;
}

function documented(row: Row): Response | undefined {
  const response = operationOf(row).responses[row.expected.statusCode] as { $ref?: string } | undefined;
  return (response?.$ref ? lookUp(document, response.$ref.replace(/^#/, '')) : response) as
    | Response
    | undefined;
}

/** RFC 6901. */
function lookUp(value: unknown, pointer: string): unknown {
  const tokens = pointer.split('/').slice(1);
  return tokens.reduce<unknown>((at, token) => {
    const name = decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
    return (at as Record<string, unknown> | null | undefined)?.[name];
  }, value);
}

function isSuccess(row: Row): boolean {
  return row.expected.statusCode.startsWith('2');
}

function samePath(one: Row, other: Row): boolean {
  return one.origin.resourceName === other.origin.resourceName;
}

function fail(row: Row, reason: unknown): void {
  row.fail = reason instanceof Error ? reason.message : String(reason);
}
