import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { renderLines } from './report/annotations.ts';
import { renderHtml } from './report/html.ts';
import { renderMarkdown } from './report/markdown.ts';
import type { Report } from './report/report.ts';
import { renderTerminal } from './report/terminal.ts';
import { renderJunit } from './report/test-results.ts';
import type { CheckOptions } from './settings/check-options.ts';
import { runCheckOf } from './testing/run-check.ts';

const text = { type: 'string' };
const BOATS = ['Ada', 'Bo'].map((skipper, index) => ({ id: index + 1, skipper }));

/** A list whose parameter has the name of a member, and a service that ignores it. */
function boats(parameter: object, options: Partial<CheckOptions> = {}, said: object = {}): Promise<Report> {
  const items = {
    type: 'object',
    properties: { id: { type: 'integer' }, skipper: text },
    required: ['id', 'skipper'],
  };
  const content = { 'application/json': { schema: { type: 'array', items } } };
  const skipper = { name: 'skipper', in: 'query', schema: text, ...parameter };
  const get = {
    operationId: 'listBoats',
    parameters: [skipper],
    responses: { 200: { description: '', content } },
    ...said,
  };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Harbour', version: '1' },
    paths: { '/boats': { get } },
  };
  const fetch = async () => Response.json(BOATS);
  return runCheckOf(document, { ...options, fetch, settle: 0 });
}

test('what breaks a presumed fact is worth a look, with the line that settles it, and decides nothing', async () => {
  const report = await boats({});
  expect(report).toMatchObject({ verdict: 'holds', exitCode: 0, totals: { failed: 0 } });
  const worthALook = {
    target: "$.paths['/boats'].get",
    meant: 'x-paddock: { query: { skipper: skipper } }',
    otherwise: 'x-paddock: { query: { skipper: none } }',
  };
  expect(report.findings).toMatchObject([{ law: 'filter', gates: false, worthALook }]);
  expect(report.causes).toMatchObject([{ law: 'filter', gates: false, worthALook }]);
  const reports = [
    renderTerminal(report, false),
    renderMarkdown(report),
    renderJunit(report),
    renderLines(report),
  ];
  for (const shown of [...reports, renderHtml(report)]) {
    expect(shown.toLowerCase()).toContain('worth a look');
    expect(shown.replaceAll('&#39;', "'")).toContain(
      `${worthALook.meant} at ${worthALook.target}, if it is meant`,
    );
  }
});

test('--strict presumed holds a service to it, and a promise does so anyway', async () => {
  const broken = { verdict: 'broken', exitCode: 1 };
  expect(await boats({}, { strict: ['presumed'] })).toMatchObject(broken);
  const promised = await boats({ description: 'Only boats with this skipper.' });
  expect(promised).toMatchObject(broken);
  expect(promised.causes[0]).not.toHaveProperty('worthALook');
});

test('either line settles it', async () => {
  const [cause] = (await boats({})).causes;
  const { meant, otherwise } = cause?.worthALook ?? {};
  expect(await boats({}, {}, parse(meant ?? ''))).toMatchObject({ verdict: 'broken', exitCode: 1 });
  expect(await boats({}, {}, parse(otherwise ?? ''))).toMatchObject({ verdict: 'holds', findings: [] });
});

/** A path without parameters, where nothing is found, beside a list. */
function dump(path: string, schema: object, responses: object = {}): Promise<Report> {
  const ok = (shown: object) => ({ description: '', content: { 'application/json': { schema: shown } } });
  const document = {
    openapi: '3.1.0',
    info: { title: 'Bridge', version: '1' },
    paths: {
      '/rooms': { get: { operationId: 'listRooms', responses: { 200: ok(RECORDS) } } },
      [path]: { get: { operationId: 'dump', responses: { 200: ok(schema), ...responses } } },
    },
  };
  const fetch = async (url: URL | string | Request) =>
    String(url).endsWith('/rooms') ? Response.json([]) : Response.json({ message: 'none' }, { status: 404 });
  return runCheckOf(document, { fetch: fetch as typeof globalThis.fetch, settle: 0 });
}

const VIEW = { type: 'object', properties: { lights: { type: 'integer' } } };
const RECORDS = { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } };

test.each<[string, object]>([
  ['no refusal', {}],
  ['none but of credentials', { 401: { description: 'Log in.' }, 403: { description: 'Ask for it.' } }],
])(
  'that a view is not there is worth a look where the document has %s, and leaves the run incomplete',
  async (_, refusals) => {
    const report = await dump('/plugins/hue/dump', VIEW, refusals);
    expect(report.exitCode).toBe(4);
    expect(new Set(report.findings.map(({ law, gates }) => `${law} ${gates}`))).toEqual(
      new Set(['status false']),
    );
  },
);

test.each<[string, Parameters<typeof dump>]>([
  ['a list', ['/lights', RECORDS]],
  [
    'a view with another refusal',
    ['/plugins/hue/dump', VIEW, { 400: { description: 'No light is known.' } }],
  ],
])('404 of %s is a breach', async (_, given) => {
  const { exitCode, findings } = await dump(...given);
  expect([exitCode, ...new Set(findings.map(({ gates }) => gates))]).toEqual([1, true]);
});

test.each<[string, object, boolean]>([
  ['a credential', { security: [{ key: [] }] }, false],
  ['no credential', {}, true],
])('an undocumented 403 where the document asks for %s', async (_, secured, gates) => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Doors', version: '1' },
    paths: {
      '/doors': { get: { responses: { 200: { description: '' } } } },
      '/keys': { get: { responses: { 200: { description: '' } }, ...secured } },
    },
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'Key' } } },
  };
  const fetch: typeof globalThis.fetch = async (url) =>
    new Response(null, { status: String(url).endsWith('/keys') ? 403 : 200 });
  const report = await runCheckOf(document, { fetch, settle: 0, apiKey: 'k' });
  expect(report.causes.map((one) => [one.law, one.gates])).toEqual([['status', gates]]);
});

/** A create that documents no refusal, in a service that refuses what `isBad` says, and names the member. */
function rigs(isBad: (body: Readonly<Record<string, unknown>>) => string | undefined): Promise<Report> {
  const members = { name: text, sail: text, gear: { type: 'object' } };
  const body = { type: 'object', properties: members, required: ['name', 'sail'] };
  const shown = { ...body, properties: { id: { type: 'integer', readOnly: true }, ...members } };
  const json = (schema: object) => ({ 'application/json': { schema } });
  const document = {
    openapi: '3.1.0',
    info: { title: 'Rigs', version: '1' },
    paths: {
      '/rigs': {
        get: { responses: { 200: { description: '', content: json({ type: 'array', items: shown }) } } },
        post: {
          requestBody: { required: true, content: json(body) },
          responses: { 201: { description: '', content: json(shown) } },
        },
      },
    },
  };
  const kept: object[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const request = new Request(url, init);
    if (request.method === 'GET') return Response.json(kept);
    const rig = (await request.json().catch(() => ({}))) as Readonly<Record<string, unknown>>;
    if (typeof rig.name !== 'string' || typeof rig.sail !== 'string')
      return new Response('', { status: 400 });
    const bad = isBad(rig);
    if (bad !== undefined) return Response.json({ errors: [{ pointer: `/${bad}` }] }, { status: 422 });
    kept.push({ id: kept.length + 1, ...rig });
    return Response.json(kept.at(-1), { status: 201 });
  };
  return runCheckOf(document, { fetch, settle: 0, examples: 5 });
}

const refusals = async (isBad: Parameters<typeof rigs>[0]) =>
  (await rigs(isBad)).causes.flatMap(({ key, gates }) => (key.startsWith('refused/') ? [gates] : []));

test('an undocumented refusal of what the run made up is worth a look', async () => {
  expect(await refusals(({ gear }) => (gear === undefined ? undefined : 'gear'))).toEqual([false]);
  expect(await refusals(({ sail }) => (sail === 'genoa' ? undefined : 'sail'))).toEqual([false]);
});

test('where the service has taken such a value it is a breach', async () => {
  let count = 0;
  expect(await refusals(({ gear }) => (gear && ++count > 2 ? 'gear' : undefined))).toEqual([true]);
});

test('the text of an earlier record may be refused without a word of it in the document', async () => {
  const names = new Set<unknown>();
  expect(await refusals(({ name }) => (names.size === names.add(name).size ? 'name' : undefined))).toEqual(
    [],
  );
});

test.each([
  ['one reason for all of them is none of the requests', 'not reached', () => 'Sharing is not set up'],
  [
    'another reason for valid ones is an accusation',
    'violated',
    (isValid: boolean) => (isValid ? 'No room is left' : 'No url'),
  ],
])('a documented refusal of each request: %s', async (_, verdict, say) => {
  const url = { type: 'object', required: ['url'], properties: { url: { type: 'string', format: 'uri' } } };
  const content = { 'application/json': { schema: url } };
  const paths = {
    '/status': { get: { responses: { 200: { description: '' } } } },
    '/shares': {
      post: {
        requestBody: { required: true, content },
        responses: { 201: { description: '' }, 400: { description: '' } },
      },
    },
  };
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (request.method === 'GET') return new Response(null, { status: 200 });
    const body = (await request.json().catch(() => undefined)) as { url?: unknown } | undefined;
    return Response.json({ error: say(typeof body?.url === 'string') }, { status: 400 });
  };
  const document = { openapi: '3.1.0', info: { title: 'Shares', version: '1' }, paths };
  const { cells } = await runCheckOf(document, { fetch, settle: 0 });
  expect(cells.find(({ status }) => status === 201)?.verdict).toBe(verdict);
});

test('an operation that requires a credential is not reached by a run without one', async () => {
  const security = [{ token: [] }];
  const paths = {
    '/status': { get: { responses: { 200: { description: '' } } } },
    '/me': { get: { security, responses: { 200: { description: '' }, default: { description: '' } } } },
  };
  const components = { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } };
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { url } = new Request(input, init);
    return new Response(null, { status: new URL(url).pathname === '/me' ? 401 : 200 });
  };
  const document = { openapi: '3.1.0', info: { title: 'Me', version: '1' }, paths, components };
  const { causes, cells } = await runCheckOf(document, { fetch, settle: 0 });
  expect(causes).toEqual([]);
  expect(cells.map(({ verdict, reason }) => [verdict, reason])).toEqual([
    ['covered', undefined],
    ['not reached', 'it needs a credential: say --credential token=V'],
  ]);
});

test('what refuses each valid request is the reason for the same refusal of invalid ones', async () => {
  const described = { description: '' };
  const url = {
    type: 'object',
    required: ['url'],
    properties: { url: { type: 'string', enum: ['a', 'b'] } },
  };
  const paths = {
    '/status': { get: { responses: { 200: described } } },
    '/shares': {
      post: {
        requestBody: { required: true, content: { 'application/json': { schema: url } } },
        responses: { 201: described, 400: described, default: described },
      },
    },
  };
  const fetch: typeof globalThis.fetch = async (_, init) =>
    init?.method === 'POST'
      ? Response.json({ error: 'Sharing is not enabled' }, { status: 404 })
      : new Response(null, { status: 200 });
  const document = { openapi: '3.1.0', info: { title: 'Shares', version: '1' }, paths };
  const { causes } = await runCheckOf(document, { fetch, settle: 0 });
  expect(causes.filter(({ law }) => law === 'invalid-refused').map(({ gates }) => gates)).not.toContain(true);
});

test.each([400, 401, 404, 409, 422, 429, 500, 503])(
  'the contract never holds for a service that answers everything with a documented %i',
  async (status) => {
    const ok = { description: '', content: { 'application/json': { schema: RECORDS } } };
    const get = { operationId: 'list', responses: { 200: ok, [status]: { description: 'Error' } } };
    const document = {
      openapi: '3.1.0',
      info: { title: 'Bridge', version: '1' },
      paths: { '/rooms': { get } },
    };
    const fetch = async () => Response.json({ message: 'No bridge is open at this time' }, { status });
    const report = await runCheckOf(document, { fetch, settle: 0, retries: 0 });
    expect(report.exitCode).not.toBe(0);
    expect(report.cells).toContainEqual(
      expect.objectContaining({ status: 200, verdict: expect.not.stringMatching('covered') }),
    );
  },
);
