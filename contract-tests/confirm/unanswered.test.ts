import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createNotes, notesDocument } from '../testing/notes-service.ts';
import { runCheckOf } from '../testing/run-check.ts';

/** How the service treats a request instead of answering it. */
type Habit = (request: IncomingMessage, body: string, server: Server) => 'closes' | undefined;

/** The notes over real connections. */
async function serveNotes(habit: Habit): Promise<string> {
  const { fetch } = createNotes();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (habit(request, body.toString(), server)) return void request.socket.destroy();
    const init = { method: request.method ?? '', ...(body.length > 0 && { body }) };
    const answer = await fetch(new URL(request.url ?? '', 'http://127.0.0.1:1'), init as RequestInit);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function check(habit: Habit) {
  const target = await serveNotes(habit);
  return runCheckOf(notesDocument(), { target, settle: 0, examples: 0, retries: 2 });
}

const isOne = ({ method, url = '' }: IncomingMessage) => method === 'GET' && /^\/notes\/\d+$/.test(url);

test('a valid read whose connection is always closed is a finding', async () => {
  const report = await check((request) =>
    isOne(request) && request.url?.length === 8 ? 'closes' : undefined,
  );
  expect({
    exitCode: report.exitCode,
    causes: report.causes.map(({ title, confirmation }) => [title, confirmation?.outcome]),
  }).toEqual({
    exitCode: 1,
    causes: [['GET /notes/{id} closes the connection of a valid request without a response', 'confirmed']],
  });
});

test('so is a write of which none was ever answered', async () => {
  const report = await check(({ method }) => (method === 'POST' ? 'closes' : undefined));
  expect({ exitCode: report.exitCode, titles: report.causes.map(({ title }) => title) }).toEqual({
    exitCode: 1,
    titles: ['POST /notes closes the connection of a valid request without a response'],
  });
});

test('a connection that is closed now and then is none', async () => {
  let isFirst = true;
  const reads = new Map<string | undefined, number>();
  const report = await check((request) => {
    // The first of all as well, which only looks whether anything is there.
    const number = isFirst ? 0 : isOne(request) ? (reads.get(request.url) ?? 0) : 1;
    isFirst = false;
    reads.set(request.url, number + 1);
    return number % 3 === 0 ? 'closes' : undefined;
  });
  expect(report.findings).toEqual([]);
  expect([0, 4]).toContain(report.exitCode);
});

/** Nothing is answered any more, as after the end of a process. */
const die = (server: Server) => {
  server.close();
  server.closeAllConnections();
};

test('a crash is a finding with the requests that were under way, and is not tried where nothing comes back', async () => {
  const report = await check((_, body, server) => {
    if (!body.includes('"size":9')) return undefined;
    die(server);
    return 'closes';
  });
  const [cause] = report.causes;
  expect({ exitCode: report.exitCode, key: cause?.key, tried: cause?.confirmation }).toMatchObject({
    exitCode: 1,
    key: 'answered/crashed/POST /notes',
    tried: { outcome: 'not tried', reason: 'the target has not come back within 5 s' },
  });
  expect(cause?.steps?.join('\n') ?? cause?.curl).toContain('"size":9');
  expect(report.reason).toMatch(/^the target stopped responding after request \d+/);
});
