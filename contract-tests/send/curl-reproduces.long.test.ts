import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { credentialVariable } from '#spec';
import { runCheck, SHIPPED_DOCUMENT } from '../testing/run-check.ts';

/** Operations that take credentials wherever OpenAPI has them: two for each security. */
const documentOf = (securities: Readonly<Record<string, string>>) => `
openapi: 3.1.0
info: { title: Credentials everywhere, version: "1" }
paths:
${Object.entries(securities)
  .map(
    ([name, security]) => `  /${name}:
    get:
      operationId: ${name}
      security: [${security}]
      parameters: [{ name: page, in: query, schema: { type: integer } }]
      responses:
        "200": { description: OK, content: { application/json: { schema: { type: string } } } }
        "401": { description: Unauthorised }
    post:
      operationId: ${name}Post
      security: [${security}]
      requestBody: { content: { application/json: { schema: { type: object, required: [a], properties: { a: { type: string } } } } } }
      responses:
        "201": { description: Created }
        "400": { description: Bad request }
        "401": { description: Unauthorised }`,
  )
  .join('\n')}
components:
  securitySchemes:
    bearer: { type: http, scheme: bearer }
    basic: { type: http, scheme: basic }
    header: { type: apiKey, in: header, name: X-Key }
    query: { type: apiKey, in: query, name: key }
    cookie: { type: apiKey, in: cookie, name: sid }
    tenant-Id: { type: apiKey, in: cookie, name: tenant }
`;

const DOCUMENTS: Readonly<Record<string, string>> = {
  everywhere: documentOf(
    Object.fromEntries(
      ['bearer', 'basic', 'header', 'query', 'cookie'].map((scheme) => [scheme, `{ ${scheme}: [] }`]),
    ),
  ),
  combined: documentOf({
    basic: '{ basic: [] }',
    header: '{ header: [] }',
    combined: '{ basic: [], header: [], query: [], cookie: [], tenant-Id: [] }',
    either: '{ bearer: [], cookie: [] }, { basic: [], tenant-Id: [] }',
  }),
};

const FIXTURES = new URL('../../fixtures/specs/', import.meta.url).pathname;

/** What a service sees of a request, without what curl adds. */
async function seenOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const { method, url, headers } = request;
  const own = ['authorization', 'content-type', 'accept', 'x-key', 'cookie', 'x-api-key', 'x-auth-token'];
  const query = [...new URL(url ?? '', 'http://h').searchParams];
  const told = own.map((name) => headers[name] ?? null);
  return JSON.stringify([method, url?.split('?')[0], query, told, Buffer.concat(chunks).toString()]);
}

let runs = 0;

test.for([
  ['x', 'shipped'],
  ['pet', 'shipped'],
  ['Bearer', 'shipped'],
  ["$HOME'`id`", 'shipped'],
  ['an-ordinary-key_17', 'shipped'],
  ['me:pet', 'everywhere'],
  ['a+b&c/e?f', 'everywhere'],
  ['x', 'dispatches'],
  ['me:', 'combined', { bearer: 'token-1', cookie: "it's", 'tenant-Id': 'T-1' }],
] as const)(
  'a shell sends each reported request again: the key %s, the document %s',
  async ([key, name, credentials = {}]) => {
    const seen: string[] = [];
    let reads = 0;
    const server = createServer((request, response) => {
      void seenOf(request).then((text) => {
        seen.push(text);
        // Without any response of the service the run would end: the base URL is wrong. The first read only knocks.
        const isService = request.method === 'GET' && ++reads % 5 === 2;
        const type = isService ? 'application/json' : 'text/plain';
        response.writeHead(isService ? 200 : 299, { 'content-type': type }).end('[]');
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    onTestFinished(() => void server.close().closeAllConnections());

    const folder = await mkdtemp(join(tmpdir(), 'paddock-'));
    const file = join(folder, 'everywhere.yaml');
    await writeFile(file, DOCUMENTS[name] ?? '');
    const report = await runCheck({
      target: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      document: fileOf(name) ?? file,
      ...(name === 'dispatches' && { only: 'placeOrder|filePaper|writeMemo' }),
      apiKey: key,
      credentials,
      settle: 0,
      retries: 0,
    });
    const all = [...new Set(report.findings.map(({ curl }) => curl))];
    // A process for each line takes most of the time: each run sends another quarter of them.
    const quarter = runs++ % 4;
    const lines = all.filter((_, index) => index % 4 === quarter);
    expect(lines.length).toBeGreaterThan(10);

    const sent = new Set(seen);
    seen.length = 0;
    const script = lines.map((line) => line.replace('curl -i', 'curl -sS -o /dev/null')).join('\n');
    // An argument has a greatest length.
    const scriptFile = join(folder, 'script.sh');
    await writeFile(scriptFile, script);
    await promisify(execFile)('bash', [scriptFile], {
      env: { PATH: process.env.PATH, PADDOCK_API_KEY: key, ...variables(credentials) },
    });
    expect(seen.filter((text) => !sent.has(text))).toEqual([]);
    expect(seen).toHaveLength(lines.length);
  },
);

function fileOf(name: string): string | undefined {
  if (name === 'shipped') return SHIPPED_DOCUMENT;
  return name === 'dispatches' ? `${FIXTURES}dispatches.yaml` : undefined;
}

function variables(credentials: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(credentials).map(([name, value]) => [credentialVariable(name), value]),
  );
}
