import { expect, test } from 'vitest';
import { compileFindingLine } from './log.ts';
import { run, started } from './testing/run-mock.ts';

const headers = { authorization: 'Bearer paddock-dev-key', 'content-type': 'application/json' };

/** The mock's output for two requests after its start. */
async function logOf(options: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const mock = run(['--port', '0', ...options], env);
  const { url, out } = await started(mock);
  await fetch(`${url}/pets?page=2`, { headers });
  const body = '{"name":7,"status":"gone"}';
  await fetch(`${url}/pets`, { method: 'POST', headers, body });
  await fetch(`${url}/toys`, { headers });
  await mock.stop();
  return mock
    .output()
    .out.slice(out.length)
    .replace(/\d+\.\d ms/g, 'N ms');
}

test('below a refusal the log says what was wrong, and at which line of the document', async () => {
  const lines = (await logOf([])).split('\n');
  expect(lines).toEqual([
    expect.stringMatching(/^the query parameter "page" is ignored: listPets .*spec\/openapi\.yaml:\d+\)$/),
    'GET /v1/pets?page=2 200 N ms (50 records, page 1 of limit 20)',
    '  ignored: query.page',
    'POST /v1/pets 400 N ms',
    expect.stringMatching(/^ {2}body\.categoryId is required \(spec\/openapi\.yaml:\d+\)$/),
    expect.stringMatching(/^ {2}body\.name must be a string, not 7 \(spec\/openapi\.yaml:\d+\)$/),
    expect.stringMatching(/^ {2}body\.status must be one of .*, not "gone" \(spec\/openapi\.yaml:\d+\)$/),
    'GET /v1/toys 404 N ms',
    expect.stringMatching(/^ {2}No such path: \/v1\/toys\. Base URL: http:\S+\/v1$/),
    '',
  ]);
});

test('--log quiet prints no line for a request', async () => {
  for (const option of ['--log=quiet'])
    expect(await logOf([option])).toMatch(/^the query parameter "page".*\n$/);
});

test('colours on a terminal only, or where FORCE_COLOR asks for them', async () => {
  const plain = { NO_COLOR: '', FORCE_COLOR: '0' };
  expect(await logOf([], plain)).not.toContain('\x1b');
  expect(await logOf([], { NO_COLOR: '1', FORCE_COLOR: '' })).toContain('\x1b[32m200\x1b[39m');
});

test('--log json prints an object on each line from the start', async () => {
  const mock = run(['--port', '0', '--log', 'json']);
  while (!mock.output().out.includes('\n'))
    await new Promise((resolve) => mock.child.stdout?.once('data', resolve));
  const { type, url } = JSON.parse(mock.output().out);
  expect(type).toBe('started');
  await fetch(`${url}/pets?limit=0&page=1`, { headers });
  await fetch(`${url}/pets/1`, { headers });
  await mock.stop();
  const [start, ...others] = mock
    .output()
    .out.trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(Object.keys(start)).toEqual(['type', 'at', 'title', 'version', 'url', 'controlUrl', 'operations']);
  const at = expect.stringMatching(/^\d{4}-.*Z$/);
  const ms = expect.any(Number);
  expect(others).toEqual([
    { type: 'notice', at, message: expect.stringContaining('"page"') },
    {
      type: 'request',
      at,
      method: 'GET',
      target: '/v1/pets?limit=0&page=1',
      status: 400,
      ms,
      operation: 'listPets',
      code: 'invalid_request',
      message: 'query.limit must be at least 1, not 0',
      violations: [
        {
          where: 'query.limit',
          message: 'must be at least 1, not 0',
          at: expect.stringMatching(/openapi\.yaml:\d+$/),
        },
      ],
      trace: expect.objectContaining({ validated: { result: 'invalid', parts: ['query.limit'], errors: 1 } }),
    },
    {
      type: 'request',
      at,
      method: 'GET',
      target: '/v1/pets/1',
      status: 200,
      ms,
      operation: 'getPet',
      remark: 'deprecated, removed on 2030-12-05',
      trace: expect.objectContaining({ answered: expect.objectContaining({ by: 'record', record: '1' }) }),
    },
  ]);
});

test('another form is refused', async () => {
  const mock = run(['--log', 'xml']);
  expect(await mock.ended).toBe(2);
  expect(mock.output().err).toMatch(/^error: .*text, json, quiet/);
});

test('a line on a finding names its operation, also by method and path', () => {
  const laws = { status: 'the status is documented' } as unknown as Parameters<typeof compileFindingLine>[0];
  const finding = {
    ...{ caseId: 'GET /pets/{id}/200/traffic', operationId: 'GET /pets/{id}', law: 'status', gates: true },
    ...{ received: '500', documented: '200', at: 'a.yaml:1' },
  } as unknown as Parameters<ReturnType<typeof compileFindingLine>>[0];
  expect(compileFindingLine(laws, false)(finding)).toBe(
    'broken GET /pets/{id} 200: the status is documented: received 500; documented 200 (a.yaml:1)',
  );
});
