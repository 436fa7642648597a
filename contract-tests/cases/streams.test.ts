import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { runCheckOf } from '../testing/run-check.ts';

const ITEM = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
const EVENT = {
  type: 'object',
  required: ['event', 'data'],
  properties: {
    event: { const: 'item' },
    data: { type: 'string', contentMediaType: 'application/json', contentSchema: ITEM },
  },
};

function documentOf(type: string, media: object, version = '3.2.0') {
  const responses = { 200: { description: 'OK', content: { [type]: media } } };
  return {
    openapi: version,
    info: { title: 'Feed', version: '1' },
    paths: { '/feed': { get: { operationId: 'feed', responses } } },
  };
}

/** Writes the response, and may go on for ever. */
type Serve = (response: ServerResponse) => void;

async function check(document: object, serve: Serve, options = {}) {
  const open = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    open.add(response);
    response.once('close', () => open.delete(response));
    if (request.method === 'GET' && request.url === '/feed') serve(response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const report = await runCheckOf(document, { target, ...options });
  return { report, open };
}

const send =
  (type: string, text: string): Serve =>
  (response) =>
    response.writeHead(200, { 'content-type': type }).end(text);

const SSE = 'text/event-stream';
const LINES = 'application/x-ndjson';
const events = documentOf(SSE, { itemSchema: EVENT });
const plain = documentOf(SSE, { schema: ITEM }, '3.0.3');
const lines = documentOf(LINES, { itemSchema: ITEM });

test.each<[string, object, Serve]>([
  ['events by itemSchema', events, send(SSE, ': hi\n\nevent: item\nid: 1\ndata: {"n":1}\n\nretry: 10\n\n')],
  ['data of several lines', events, send(SSE, 'event: item\ndata: {\ndata: "n":1}\n\n')],
  [
    'data by schema, and a last event that ends it',
    plain,
    send(SSE, 'data: {"n":1}\r\n\r\ndata: [DONE]\r\n\r\n'),
  ],
  ['nothing', plain, send(SSE, '')],
  ['a comment alone', plain, send(`${SSE}; charset=utf-8`, ': nothing yet\n\n')],
  ['lines', lines, send(LINES, '{"n":1}\n{"n":2}')],
  [
    'a list of lines',
    documentOf(LINES, { schema: { type: 'array', items: ITEM } }),
    send(LINES, '{"n":1}\n{"n":2}\n'),
  ],
  [
    'a part of a character at the end of what was read',
    documentOf(SSE, { schema: { type: 'string' } }),
    (response) => {
      response.writeHead(200, { 'content-type': `${SSE}; charset=utf-8` });
      response.write(Buffer.from('data: ü\n\ndata: ü').subarray(0, -1));
    },
  ],
])('a fair stream passes: %s', async (_, document, serve) => {
  const { report } = await check(document, serve);
  expect(report.findings).toEqual([]);
  expect([report.verdict, report.exitCode]).toEqual(['holds', 0]);
});

test.each<[string, object, Serve, RegExp]>([
  [
    'a member that is missing',
    events,
    send(SSE, 'event: item\ndata: {}\n\n'),
    /^message 1: data\.n is missing/,
  ],
  [
    'the third message alone',
    plain,
    send(SSE, 'data: {"n":1}\n\ndata: {"n":2}\n\ndata: {"n":"3"}\n\n'),
    /^message 3: n is "3"/,
  ],
  [
    'an event of another name',
    events,
    send(SSE, 'event: thing\ndata: {"n":1}\n\n'),
    /^message 1: event is "thing"/,
  ],
  ['data that is no JSON', plain, send(SSE, 'data: one\n\n'), /^message 1: the message is "one"/],
  [
    'JSON over several lines',
    plain,
    send(SSE, 'data: {\n  "n": 1\n}\n\n'),
    /^message 1: the message is "\{"/,
  ],
  ['no field at all', plain, send(SSE, '{"n":1}\n\n'), /is no field of an event/],
  ['no empty line at the end', plain, send(SSE, 'data: {"n":1}\n'), /no empty line ends the last event/],
  [
    'a sentinel that is none',
    plain,
    send(SSE, 'data: [DONE]\n\ndata: {"n":1}\n\n'),
    /^message 1: .*"\[DONE\]"/,
  ],
  ['a line that does not fit', lines, send(LINES, '{"n":1}\n{"n":null}\n'), /^message 2: n is null/],
  [
    'one JSON text over several lines',
    lines,
    send(LINES, '[\n{"n":1}\n]\n'),
    /^message 1: the message is "\["/,
  ],
])('a wrong stream is found: %s', async (_, document, serve, received) => {
  const { report } = await check(document, serve);
  const findings = report.findings.filter(({ law }) => law === 'stream-message');
  expect(findings.map((one) => one.received)).toContainEqual(expect.stringMatching(received));
  for (const { at, curl } of findings) {
    expect(at).toMatch(/document\.json:\d+$/);
    expect(curl).toMatch(/^curl -i -N --max-time \d+ /);
  }
  expect(report.exitCode).toBe(1);
});

test('a media type that is no stream is found', async () => {
  const { report } = await check(plain, send('application/json', '{"n":1}'));
  expect(new Set(report.findings.map(({ law }) => law))).toEqual(new Set(['content-type']));
});

test('a stream without an end is left, and its first messages are judged', async () => {
  const started = performance.now();
  const { report, open } = await check(plain, (response) => {
    response.writeHead(200, { 'content-type': SSE });
    let n = 0;
    const timer = setInterval(() => response.write(`data: {"n":${n++ === 2 ? '"two"' : n}}\n\n`), 5);
    response.once('close', () => clearInterval(timer));
  });
  expect(report.findings.map(({ received }) => received)).toEqual(['message 3: n is "two"']);
  expect(performance.now() - started).toBeLessThan(30_000);
  await expect.poll(() => open.size).toBe(0);
});

test('a stream that breaks off is judged by what came before', async () => {
  const { report } = await check(plain, (response) => {
    response.writeHead(200, { 'content-type': SSE });
    response.write('data: {"n":1}\n\ndata: {"n"', () => response.destroy());
  });
  expect([report.findings, report.verdict]).toEqual([[], 'holds']);
});

test('a stream that sends its head and nothing else breaks nothing', async () => {
  const { report } = await check(plain, (response) => {
    response.writeHead(200, { 'content-type': SSE }).flushHeaders();
  });
  expect([report.findings, report.verdict]).toEqual([[], 'holds']);
});

test('a stream that sends not even its head is no finding, and does not hold the run up', async () => {
  const { report } = await check(plain, () => {}, { maxTime: 20 });
  expect(report.findings).toEqual([]);
  expect(report.cells[0]?.reason).toMatch(/the stream sent nothing within/);
  expect(report.totals.ms).toBeLessThan(20_000);
});
