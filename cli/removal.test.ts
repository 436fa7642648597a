import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { check, type Report } from '#contract-tests';
import { createMock, type Mock } from '#mock';
import { forward } from '../quality/testing/forward.ts';
import { resultOf } from '../quality/testing/result-of.ts';

/** The removal of a deprecated operation, with the mock's clock before or after its day. */
const DOCUMENT = new URL('../spec/openapi.yaml', import.meta.url).pathname;
const KEY = 'paddock-dev-key';
const opened: { close(): unknown }[] = [];

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function serve(now?: string): Promise<Mock> {
  const mock = await createMock({ document: DOCUMENT, port: 0, ...(now !== undefined && { now }) });
  opened.push(mock);
  return mock;
}

function run(target: string): Promise<Report> {
  return resultOf(check({ target, document: DOCUMENT, apiKey: KEY, settle: 100 }));
}

const cellsOf = ({ cells }: Report) =>
  Object.fromEntries(
    cells.map(({ operationId, status, verdict, reason }) => [
      `${operationId} ${status}`,
      `${verdict}${reason ? `: ${reason}` : ''}`,
    ]),
  );

test('after the removal the cells of the operation are skipped, and the contract holds', async () => {
  const report = await run((await serve('2030-12-06')).url);
  expect(cellsOf(report)).toEqual({
    'listPets 200': 'covered',
    'listPets 401': 'covered',
    'createPet 201': 'covered',
    'createPet 400': 'covered',
    'createPet 401': 'covered',
    'getPet 200': 'skipped: removed',
    'getPet 401': 'skipped: removed',
    'getPet 404': 'skipped: removed',
  });
  expect({ verdict: report.verdict, exitCode: report.exitCode, findings: report.findings }).toEqual({
    verdict: 'holds',
    exitCode: 0,
    findings: [],
  });
});

test('before the removal every cell is covered', async () => {
  const report = await run((await serve('2030-12-04T12:00:00Z')).url);
  expect(new Set(report.cells.map(({ verdict }) => verdict))).toEqual(new Set(['covered']));
});

test('a 410 with a Date before the removal breaks the contract', async () => {
  const mock = await serve('2030-12-06');
  const early = await forwardTo(mock, 'Wed, 04 Dec 2030 00:00:00 GMT');
  const report = await run(early);
  expect(cellsOf(report)['getPet 200']).toMatch(/^violated: 410/);
  expect(report.exitCode).toBe(1);
});

/** Forwards requests, and replaces the Date of responses. */
async function forwardTo(mock: Mock, date: string): Promise<string> {
  const { port } = new URL(mock.url);
  const server = createServer((asked, answering) => forward(port, asked, answering, { headers: { date } }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}
