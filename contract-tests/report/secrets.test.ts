import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readContract } from '#spec';
import type { Ask, Written } from '../../quality/mutants/by-hand/behaviour.ts';
import { correct } from '../../quality/mutants/by-hand/correct.ts';
import { observe } from '../../traffic/observe/observer.ts';
import { reportOf, reportOn } from '../testing/report-on.ts';
import { renderGithub } from './annotations.ts';
import { REPORT_FORMATS, type ReportFormat } from './formats.ts';
import type { Report } from './report.ts';
import { renderTerminal } from './terminal.ts';

const FORMATS: Readonly<Record<string, Pick<ReportFormat, 'render'>>> = {
  ...REPORT_FORMATS,
  github: { render: renderGithub },
  terminal: { render: (report: Report) => renderTerminal(report, true) },
};

/** Encodings in which the service echoes the credential. */
const ECHOES: readonly ((credential: string) => string)[] = [
  (credential) => credential,
  (credential) => Buffer.from(`you sent ${credential} to us`).toString('base64'),
  (credential) => [...credential].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join(''),
  (credential) => Buffer.from(credential).toString('hex'),
];

/** So many consecutive characters of a credential are confidential. */
const TELLING = 8;

test('no report reveals a key that the target echoes, plain or encoded, whole or cut', async () => {
  const keys: string[] = [];
  let asked = 0;
  const write = (answer: Parameters<typeof correct.write>[0], ask: Ask): Written => {
    const credential = ask.headers.authorization ?? '';
    keys.push(credential);
    const spell = ECHOES[asked % ECHOES.length] as (typeof ECHOES)[number];
    // A value is shortened to 240 characters: here it is cut in the midst of the credential, each time elsewhere.
    const echo = '·'.repeat(190 + ((asked++ * 3) % 40)) + spell(credential);
    const written = correct.write({ ...answer, body: withEcho(answer.body, echo) }, ask);
    const header = ['X-Your-Credential', encodeURIComponent(spell(credential))] as const;
    return { ...written, headers: [...written.headers, header] };
  };
  const behaviour = { write, page: <T>(records: T) => records, matches: () => true, idOf: () => 0n };
  const report = await reportOn(behaviour, { recordExchanges: true });
  expect(report.exchanges?.entries.length).toBe(report.totals.requests);
  expect(report.findings.length).toBeGreaterThan(20);
  const key = keys.find((one) => one.startsWith('Bearer '))?.slice('Bearer '.length) ?? '';
  expect(key.length).toBeGreaterThan(TELLING);
  for (const [name, { render }] of Object.entries(FORMATS)) {
    const text = render(report);
    for (const piece of piecesOf(key)) {
      for (const form of [...ECHOES.map((spell) => spell(piece)), ...base64Of(piece)])
        expect({ name, form, at: around(text, form) }).toEqual({ name, form, at: undefined });
    }
  }
});

function withEcho(body: unknown, echo: string): unknown {
  if (Array.isArray(body)) return body.map((item) => withEcho(item, echo));
  return typeof body === 'object' && body !== null ? { echo, ...body } : body;
}

function piecesOf(key: string): string[] {
  return Array.from({ length: key.length - TELLING + 1 }, (_, at) => key.slice(at, at + TELLING));
}

/** The characters that every base64 text with this piece has, at any offset. */
function base64Of(piece: string): string[] {
  return [0, 1, 2].map((offset) => {
    const text = Buffer.from('·'.repeat(offset) + piece, 'latin1').toString('base64');
    return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + piece.length) * 8) / 6));
  });
}

function around(text: string, form: string): string | undefined {
  const at = text.toLowerCase().indexOf(form.toLowerCase());
  return at < 0 ? undefined : text.slice(Math.max(0, at - 40), at + 60);
}

/** A document that says nothing of security, and a service that repeats what it was sent, and issues secrets of its own. */
const OPEN_DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Open', version: '1' },
  paths: {
    '/boats': {
      get: {
        operationId: 'listBoats',
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 5 } }],
        responses: {
          200: {
            description: 'ok',
            headers: {
              'X-Echo': { schema: { type: 'integer' } },
              'Set-Cookie': { schema: { type: 'integer' } },
            },
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { echo: { type: 'integer' }, all: { type: 'object' } },
                },
              },
            },
          },
        },
      },
    },
  },
};

/** By header: the part of the value that is secret. */
const SENT = {
  Authorization: 'Bearer b3arer-Xy77',
  'Proxy-Authorization': `Basic ${btoa('ann:h4rbour-Zq5')}`,
  Cookie: 'sid=s3ss-Kw0p1; theme=t',
  'X-Api-Key': 'k3y-Pv21aa',
  'X-Gateway-Token': 'g4te-Lm88bb',
  'X-Hub-Signature': 'sha=f00dFeed99',
  'X-Client-Secret': 'cl13nt-Rt64',
} as const;
const IN_QUERY = 'access_token=qu3ry-Tt31&api_key=qk3y-Uu42&limit=2';
const ISSUED = 's3t-Cookie-Vv53';
const SECRETS =
  /b3arer-Xy77|h4rbour-Zq5|YW5uOmg0cmJvdXItWnE1|s3ss-Kw0p1|k3y-Pv21aa|g4te-Lm88bb|f00dFeed99|cl13nt-Rt64|qu3ry-Tt31|qk3y-Uu42|s3t-Cookie-Vv53/i;

function echoOf(url: string, headers: Readonly<Record<string, unknown>>) {
  const echo = `${url} ${Object.values(headers).join(' ')}`;
  return {
    headers: {
      'content-type': 'application/json',
      'x-echo': echo,
      'set-cookie': `session=${ISSUED}; Path=/`,
      'x-again': ISSUED,
    },
    body: JSON.stringify({ echo, all: headers, session: ISSUED }),
  };
}

function expectNoSecret(report: Report): void {
  expect(report.findings.length).toBeGreaterThan(0);
  for (const [name, { render }] of Object.entries(FORMATS)) {
    const text = render(report);
    expect({ name, at: SECRETS.exec(text) && around(text, SECRETS.exec(text)?.[0] ?? '') }).toEqual({
      name,
      at: null,
    });
  }
}

test('traffic: a secret is known by the name of its header or parameter, without a security scheme', async () => {
  const observer = observe(await readContract(OPEN_DOCUMENT, 'open.yaml'));
  const url = new URL(`https://boats.example/boats?${IN_QUERY}`);
  const { headers, body } = echoOf(url.href, SENT);
  const request = {
    method: 'GET',
    url,
    headers: Object.entries(SENT),
    body: undefined,
    startedAt: undefined,
  };
  const response = {
    status: 200,
    headers: Object.entries(headers),
    body: Buffer.from(body),
    cut: false,
    ms: 1,
  };
  const good = {
    ...response,
    headers: [['content-type', 'application/json'] as const],
    body: Buffer.from('{}'),
  };
  observer.begin({ ...request, url: new URL('https://boats.example/boats') }).end(good);
  const findings = observer.begin(request).end(response);
  expect(JSON.stringify(findings)).not.toMatch(SECRETS);
  const report = observer.report();
  expectNoSecret(report);
  expect(report.findings[0]?.curl).toContain('-H "Authorization: $PADDOCK_HEADER_AUTHORIZATION"');
  expect(report.findings[0]?.curl).toContain('-H "X-Api-Key: $PADDOCK_HEADER_X_API_KEY"');
});

test('check: so is one that is given with --header, and a command reads it from its environment', async () => {
  const server = createServer((request, response) => {
    const { headers, body } = echoOf(request.url ?? '', request.headers);
    response.writeHead(200, headers).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const document = join(folder, 'openapi.json');
  await writeFile(document, JSON.stringify(OPEN_DOCUMENT));
  const report = await reportOf({
    target: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    document,
    headers: Object.entries(SENT),
    recordExchanges: true,
    settle: 0,
    examples: 3,
  });
  expectNoSecret(report);
  expect(report.exchanges?.entries.length).toBeGreaterThan(1);
  expect(report.findings[0]?.curl).toContain('-H "Authorization: $PADDOCK_HEADER_AUTHORIZATION"');
  expect(report.findings[0]?.curl).not.toContain('redacted');
});
