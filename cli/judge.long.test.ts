import { execFile, spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROGRAM, runPaddock } from '../quality/testing/paddock.ts';

/** `paddock judge` as a user runs it. */
const judge = (...args: string[]) => runPaddock(['judge', ...args]);
const folderOf = () => mkdtemp(join(tmpdir(), 'paddock-judge-'));

const pet = { id: 7, name: 'Rex', categoryId: 1 };
const BASE = 'https://pets.example/v1';

interface Given {
  readonly url?: string;
  readonly method?: string;
  readonly status?: number;
  readonly json?: unknown;
  readonly second?: number;
  readonly body?: unknown;
}

function entry({
  url = `${BASE}/pets/7`,
  method = 'GET',
  status = 200,
  json = pet,
  second = 0,
  body,
}: Given) {
  const text = JSON.stringify(json);
  return {
    startedDateTime: `2030-01-01T00:00:${String(second).padStart(2, '0')}.000Z`,
    time: 12,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [
        { name: 'Authorization', value: 'Bearer secret-1a2b3c4d' },
        ...(body === undefined ? [] : [{ name: 'Content-Type', value: 'application/json' }]),
      ],
      queryString: [],
      ...(body !== undefined && { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
      headersSize: -1,
      bodySize: 0,
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      content: { size: text.length, mimeType: 'application/json', text },
      redirectURL: '',
      headersSize: -1,
      bodySize: text.length,
    },
    cache: {},
    timings: { send: 0, wait: 12, receive: 0 },
  };
}

const har = (...entries: Given[]) =>
  JSON.stringify({
    log: { version: '1.2', creator: { name: 'x', version: '1' }, entries: entries.map(entry) },
  });

async function fileOf(text: string, name = 'traffic.har'): Promise<string> {
  const path = join(await folderOf(), name);
  await writeFile(path, text);
  return path;
}

test('0: what the traffic shows is as documented, and which cells it has reached', async () => {
  const { code, output } = await judge(await fileOf(har({}, { url: `${BASE}/pets`, json: [pet] })));
  expect(output).toMatch(
    /^The contract holds for 2 of 8 documented responses \(2 of 3 operations\)\. \(exit 0\)\n/,
  );
  expect(output).toMatch(/getPet +200 +covered/);
  expect(output).toContain('Not reached: 6 responses: 6 no exchange of the traffic\n');
  expect(output).toContain('2 of 8 responses covered; 2 exchanges, 2 judged');
  expect(code).toBe(0);
});

test('1: a broken promise, with the line of the document, and without the credential', async () => {
  const folder = await folderOf();
  const file = await fileOf(har({ json: { ...pet, name: 7 } }, { json: { ...pet, name: 8 } }));
  const names = ['json', 'junit', 'html', 'sarif', 'markdown', 'ctrf', 'codequality', 'lines'];
  const { code, output } = await judge(
    file,
    ...names.flatMap((name) => ['--report', `${name}=${join(folder, name)}`]),
  );
  expect(code).toBe(1);
  expect(output).toMatch(/received +name is 7\n +documented +name must be a string, at \S+openapi\.yaml:\d+/);
  expect(output).toContain('seen        2 times');
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  for (const text of [...texts, output]) {
    expect(text).toContain('getPet');
    expect(text).not.toContain('secret-1a2b3c4d');
  }
  expect(JSON.parse(texts[0] ?? '')).toMatchObject({
    verdict: 'broken',
    target: BASE,
    findings: [{ law: 'schema', times: 2, caseId: 'getPet/200/traffic' }],
    traffic: { exchanges: 2, judged: 2 },
  });
});

test('several files are one traffic, in the order of its time', async () => {
  const gone = await fileOf(har({ second: 30, status: 404, json: { code: 'x', message: 'x', status: 404 } }));
  const made = await fileOf(
    har({
      second: 10,
      method: 'POST',
      url: `${BASE}/pets`,
      status: 201,
      body: { name: 'Rex', categoryId: 1 },
    }),
  );
  const { code, output } = await judge(gone, made, '--exclusive');
  expect(output).toContain('1. GET /pets/{petId} does not show a record that was made');
  expect(code).toBe(1);
  const open = await judge(gone, made);
  expect(open.output).toContain('unless another client has changed the record');
  expect(open.code).toBe(0);
});

test('standard input is a file', async () => {
  const child = spawn(process.execPath, [PROGRAM, 'judge', '-'], { stdio: ['pipe', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  createReadStream(await fileOf(har({}))).pipe(child.stdin);
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(out).toContain('1 judged');
  expect(code).toBe(0);
});

test('4: a file that is broken in between: what could be read is judged', async () => {
  const whole = har({}, {}, {});
  const { code, output } = await judge(await fileOf(whole.slice(0, whole.length - 400)));
  expect(output).toContain('2 judged');
  expect(output).toContain('traffic.har is not complete');
  expect(code).toBe(4);
  const broken = har({ json: { ...pet, name: 7 } }, {});
  expect((await judge(await fileOf(broken.slice(0, broken.length - 400)))).code).toBe(1);
});

test('4: a cell that was not reached, where cells are to gate', async () => {
  const { code, output } = await judge(await fileOf(har({})), '--strict', 'cells');
  expect(output).toContain('Incomplete');
  expect(code).toBe(4);
});

test('4: entries that cannot be read; the others are judged', async () => {
  const { log } = JSON.parse(har({}, {}, {}));
  log.entries[0].request.method = 'G E T';
  log.entries[2] = 'nonsense';
  const { code, output } = await judge(await fileOf(JSON.stringify({ log })));
  expect(output).toContain('1 judged');
  expect(output).toContain('entries without a usable method or URL: 2');
  expect(output).toContain('traffic.har is not complete');
  expect(code).toBe(4);
});

/** A recording without the bodies of some responses. */
const withoutBodies = (count: number, ...entries: Given[]) => {
  const { log } = JSON.parse(har(...entries));
  for (const { response } of log.entries.slice(0, count)) delete response.content.text;
  return fileOf(JSON.stringify({ log }));
};

test('4: no body was recorded, so that none could be judged', async () => {
  const { code, output } = await judge(await withoutBodies(2, {}, { url: `${BASE}/pets`, json: [pet] }));
  expect(output).not.toContain('The contract holds');
  expect(output).toContain('Bodies judged: 0 of 2 (exit 4)');
  expect(output).toContain('0 of 8 responses covered');
  expect(output).toContain(
    'Not reached: 8 responses: 6 no exchange of the traffic; 2 bodies judged: 0 of 1\n',
  );
  expect(code).toBe(4);
});

test('4: every body is cut off, and none could be judged', async () => {
  const { log } = JSON.parse(har({}, {}));
  for (const { response } of log.entries) response.content.text = response.content.text.slice(0, 9);
  const { code, output } = await judge(await fileOf(JSON.stringify({ log })));
  expect(output).toContain('Bodies judged: 0 of 2 (exit 4)');
  expect(code).toBe(4);
});

test('3: pages, and no exchange', async () => {
  const page = { url: 'https://pets.example/index.html', json: '<html>' };
  expect((await judge(await fileOf(har(page, page)))).code).toBe(3);
  expect((await judge(await fileOf(har()))).code).toBe(3);
});

test('0: some bodies were recorded, and the verdict says of how many responses', async () => {
  const { code, output } = await judge(await withoutBodies(1, {}, {}, {}));
  expect(output).toMatch(
    /^The contract holds for 1 of 8 documented responses \(1 of 3 operations\)\. Bodies judged: 2 of 3 \(exit 0\)\n/,
  );
  expect(output).toContain('3 exchanges, 3 judged, 1 of them without a whole body; bodies judged: 2 of 3\n');
  expect(code).toBe(0);
});

test('3: nothing in common with the document, and where the traffic went', async () => {
  const { code, output } = await judge(await fileOf(har({ url: 'http://localhost:5173/api/pets' })));
  expect(output).toContain('GET http://localhost:5173/api/pets');
  expect(output).toContain('the document has /v1/pets, /v1/pets/{petId}; --base-url URL says where');
  expect(code).toBe(3);
  const { code: found } = await judge(
    await fileOf(har({ url: 'http://localhost:5173/api/pets', json: [pet] })),
    '--base-url',
    'http://localhost:5173/api',
  );
  expect(found).toBe(0);
});

test.for<[string, () => Promise<string[]>, RegExp]>([
  ['no JSON', async () => [await fileOf('<html>')], /error: .*traffic\.har/],
  ['no HAR', async () => [await fileOf('{"openapi":"3.1.0"}')], /error: .*traffic\.har/],
  ['no file', async () => ['no-such.har'], /error: no-such\.har cannot be read/],
  ['standard input twice', async () => ['-', '-'], /error: -: standard input can be read only once/],
  [
    'no document',
    async () => [await fileOf(har({})), '--document', 'no-such.yaml'],
    /error: .*no-such\.yaml/,
  ],
  ['no base URL', async () => [await fileOf(har({})), '--base-url', 'pets'], /error: "pets" is no base URL/],
  ['no pattern', async () => [await fileOf(har({})), '--only', '('], /error: --only: /],
])('2: %s', async ([, args, message]) => {
  const { code, output } = await judge(...(await args()));
  expect(output).toMatch(message);
  expect(output).not.toContain('bug of Paddock');
  expect(code).toBe(2);
});

test('help has examples, and the program lists the verb', async () => {
  const { output } = await judge('--help');
  expect(output).toContain('paddock judge traffic.har --document openapi.yaml');
  expect(output).toContain('Exit codes:');
  const help = await new Promise<string>((resolve) => {
    execFile(process.execPath, [PROGRAM, '--help'], (_, out) => resolve(out));
  });
  expect(help).toMatch(/judge \[options\] <har\.\.\.>/);
});
