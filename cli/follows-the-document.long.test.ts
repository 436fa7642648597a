import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { type CheckOptions, check, type Report } from '#contract-tests';
import { createMock, type Mock } from '#mock';
import { resultOf } from '../quality/testing/result-of.ts';

/** Mock and suite follow a changed document without a change of code. */
const SHIPPED = new URL('../spec/openapi.yaml', import.meta.url);
const KEY = 'paddock-dev-key';
const mocks: Mock[] = [];

afterEach(async () => {
  for (const mock of mocks.splice(0)) await mock.close();
});

// biome-ignore lint/suspicious/noExplicitAny: tests change the parsed text of a document.
type Text = any;

async function changed(change: (document: Text) => void): Promise<string> {
  const document = parse(await readFile(SHIPPED, 'utf8'));
  change(document);
  const file = join(await mkdtemp(join(tmpdir(), 'paddock-')), 'openapi.yaml');
  await writeFile(file, stringify(document));
  return file;
}

async function serve(document: string): Promise<Mock> {
  const mock = await createMock({ document, port: 0 });
  mocks.push(mock);
  return mock;
}

function ask(mock: Mock, path: string, body?: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  return fetch(
    mock.url + path,
    body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) },
  );
}

function run(mock: Mock, document: string, more: Partial<CheckOptions> = {}): Promise<Report> {
  return resultOf(check({ target: mock.url, document, apiKey: KEY, settle: 200, ...more }));
}

const caseIds = (report: Report) => report.cases.map(({ id }) => id);

test('another maximum for a page size', async () => {
  const document = await changed(({ paths }) => {
    paths['/pets'].get.parameters.find(({ name }: Text) => name === 'limit').schema.maximum = 30;
  });
  const mock = await serve(document);
  expect((await ask(mock, '/pets?limit=30')).status).toBe(200);
  expect((await ask(mock, '/pets?limit=31')).status).toBe(400);
  const report = await run(mock, document);
  expect(report.verdict).toBe('holds');
  // The suite requests the new maximum, and finds a service that still has the old one.
  const old = await serve(SHIPPED.pathname);
  expect((await run(old, document)).findings.map(({ law }) => law)).toContain('page-size');
});

test('another value in an enumeration', async () => {
  const document = await changed(({ components }) => components.schemas.PetStatus.enum.push('reserved'));
  const mock = await serve(document);
  expect((await ask(mock, '/pets', { name: 'Rex', categoryId: 1, status: 'reserved' })).status).toBe(201);
  const report = await run(mock, document);
  expect(report.verdict).toBe('holds');
  expect(caseIds(report)).toEqual(
    expect.arrayContaining(['listPets/200/status-reserved', 'createPet/201/status-reserved']),
  );
  const findings = (await run(await serve(SHIPPED.pathname), document)).findings;
  expect(findings.map(({ caseId }) => caseId)).toContain('createPet/201/status-reserved');
});

test('another required member', async () => {
  const document = await changed(({ components }) => {
    components.schemas.NewPet.properties.chip = { type: 'string' };
    components.schemas.NewPet.required.push('chip');
  });
  const mock = await serve(document);
  expect((await ask(mock, '/pets', { name: 'Rex', categoryId: 1 })).status).toBe(400);
  const report = await run(mock, document);
  expect(report.verdict).toBe('holds');
  expect(caseIds(report)).toContain('createPet/400/without-chip');
});

function addOrders({ paths, components }: Text): void {
  components.schemas.Order = {
    type: 'object',
    required: ['id', 'quantity'],
    properties: {
      id: { type: 'integer', format: 'int64', readOnly: true },
      quantity: { type: 'integer', minimum: 1 },
    },
  };
  const json = (schema: Text) => ({ 'application/json': { schema } });
  paths['/store/orders'] = {
    get: {
      operationId: 'listOrders',
      'x-stability': 'experimental',
      responses: {
        200: {
          description: 'Orders',
          content: json({ type: 'array', items: { $ref: '#/components/schemas/Order' } }),
        },
        401: { description: 'No key', content: json({ $ref: '#/components/schemas/UnauthorizedError' }) },
      },
    },
  };
}

test('a new experimental operation is served, checked and reported, and gates with --strict stability only', async () => {
  const document = await changed(addOrders);
  const mock = await serve(document);
  const orders = (await (await ask(mock, '/store/orders')).json()) as { quantity: number }[];
  expect(orders.length).toBeGreaterThan(0);
  expect(orders.every(({ quantity }) => quantity >= 1)).toBe(true);

  const report = await run(mock, document);
  const cells = report.cells.filter(({ operationId }) => operationId === 'listOrders');
  expect(cells.map(({ status, verdict, gates }) => ({ status, verdict, gates }))).toEqual([
    { status: 200, verdict: 'covered', gates: false },
    { status: 401, verdict: 'covered', gates: false },
  ]);
  expect(report.verdict).toBe('holds');

  // A service without that operation: reported, but only a failure with the option.
  const old = await serve(SHIPPED.pathname);
  const notices = await run(old, document);
  expect(notices.cells.find(({ operationId }) => operationId === 'listOrders')?.verdict).toBe('violated');
  expect({ verdict: notices.verdict, exitCode: notices.exitCode }).toEqual({ verdict: 'holds', exitCode: 0 });
  const strict = await run(old, document, { strict: ['stability'] });
  expect({ verdict: strict.verdict, exitCode: strict.exitCode }).toEqual({ verdict: 'broken', exitCode: 1 });
});
