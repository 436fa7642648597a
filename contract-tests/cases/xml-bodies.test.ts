import { expect, test } from 'vitest';
import { runCheckOf } from '../testing/run-check.ts';

const PRINT = {
  type: 'object',
  required: ['id', 'name'],
  xml: { name: 'print' },
  properties: {
    id: { type: 'integer', readOnly: true, xml: { attribute: true } },
    name: { type: 'string', maxLength: 60 },
  },
};
const XML = 'application/xml';
const content = (...types: string[]) => ({
  content: Object.fromEntries(types.map((type) => [type, { schema: PRINT }])),
});

function documentOf(sent: readonly string[], shown: readonly string[]) {
  const answer = { description: '', ...content(...shown) };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  return {
    openapi: '3.1.1',
    info: { title: 'Prints', version: '1' },
    paths: {
      '/prints': {
        post: {
          operationId: 'pull',
          requestBody: { required: true, ...content(...sent) },
          responses: { 201: answer },
        },
      },
      '/prints/{id}': { parameters: [id], get: { operationId: 'show', responses: { 200: answer } } },
    },
  };
}

/** A service of prints. @param nameIn what it takes for the name in XML; undefined: it takes no XML */
function serviceOf(type: string, nameIn?: (xml: string) => string | undefined) {
  const names: string[] = [];
  const received: { type: string; accept: string; body: string }[] = [];
  const show = (id: number, status: number) => {
    const name = names[id - 1];
    const body =
      type === XML ? `<print id="${id}"><name>${name}</name></print>` : JSON.stringify({ id, name });
    return new Response(body, { status, headers: { 'content-type': type } });
  };
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const id = Number(/\d+$/.exec(new URL(request.url).pathname)?.[0] ?? 0);
    if (request.method === 'GET')
      return id in [0, ...names] && id > 0 ? show(id, 200) : new Response('', { status: 404 });
    const given = {
      type: request.headers.get('content-type') ?? '',
      accept: request.headers.get('accept') ?? '',
    };
    const body = await request.text();
    received.push({ ...given, body });
    const name = given.type === XML ? nameIn?.(body) : JSON.parse(body).name;
    if (name === undefined) return new Response('', { status: 415 });
    return show(names.push(name), 201);
  };
  return { fetch, received };
}

const nameOf = (xml: string) => /<name>(.*)<\/name>/.exec(xml)?.[1];
const BOTH = ['application/json', XML] as const;
const check = (document: object, { fetch }: ReturnType<typeof serviceOf>, only = '/as-xml$') =>
  runCheckOf(document, { fetch, only, settle: 0, apiKey: 'k' });

test('a body that JSON and XML are documented for is sent as XML, and XML is preferred', async () => {
  const service = serviceOf(XML, nameOf);
  const report = await check(documentOf(BOTH, BOTH), service);
  expect(report.causes).toEqual([]);
  expect(report.totals.passed).toBe(1);
  expect(service.received[0]).toMatchObject({ type: XML, accept: `${XML}, */*;q=0.5` });
  expect(service.received[0]?.body).toMatch(/<print><name>.*paddock/);
});

test('a service may answer in JSON all the same', async () => {
  const report = await check(documentOf(BOTH, BOTH), serviceOf('application/json', nameOf));
  expect([report.causes, report.totals.passed]).toEqual([[], 1]);
});

test.for([
  ['refuses it', undefined, 'status'],
  ['reads something else in it', () => 'Untitled', 'created-equals-sent'],
] as const)('a service that %s breaks its contract', async ([, read, law]) => {
  const report = await check(
    documentOf(BOTH, BOTH),
    serviceOf('application/json', read),
    '^pull/201/(ordinary|as-xml)$',
  );
  expect(report.causes.map((cause) => cause.law)).toEqual([law]);
});

test('a document without both has no such case', async () => {
  for (const types of [[XML], ['application/json'], ['application/json', 'text/csv']]) {
    const report = await check(
      documentOf(types, types),
      serviceOf(types[0] ?? '', nameOf),
      '/as-xml$|ordinary',
    );
    expect(report.cases.map(({ id }) => id).filter((id) => id.includes('xml'))).toEqual([]);
  }
});

test('what XML says of a record is held against what was sent', async () => {
  const service = serviceOf(XML, nameOf);
  const whole = await check(documentOf([XML], [XML]), service, '^pull/201/ordinary$');
  expect([whole.causes, whole.totals.passed]).toEqual([[], 1]);
  const other = await check(
    documentOf([XML], [XML]),
    serviceOf(XML, () => 'Untitled'),
    '^pull/201/ordinary$',
  );
  expect(other.causes.map((cause) => cause.law)).toEqual(['created-equals-sent']);
});
