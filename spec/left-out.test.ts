import { createServer } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Contract } from './contract.ts';
import { contractOf, documentOf, type Files, problemsOf } from './testing/contract-of.ts';

const to = ($ref: unknown) => ({ $ref });
const schema = (name: string) => to(`#/components/schemas/${name}`);
const json = (of: object) => ({ content: { 'application/json': { schema: of } } });
const ok = (more: object = {}) => ({ description: 'Done', ...more });
const OTHER = { get: { responses: { 200: ok() } } };
const GONE = schema('Gone');

/** The names of what is omitted from a document with this part at `/a`, beside an operation without references. */
function leftOut({ leftOut: all }: Contract): string[] {
  return all.map(({ name }) => name);
}

type Case = [name: string, item: object, components?: object, files?: Files];

const deep = { type: 'array', items: { type: 'array', items: { properties: { a: { oneOf: [GONE, {}] } } } } };

const NEEDED: Case[] = [
  ['a schema', { get: { responses: { 200: ok(json(GONE)) } } }],
  ['an empty name', { get: { responses: { 200: ok(json(to('#/components/schemas/'))) } } }],
  ['items of items', { get: { responses: { 200: ok(json(deep)) } } }],
  ['a parameter', { get: { parameters: [to('#/components/parameters/Gone')], responses: { 200: ok() } } }],
  ['a parameter of the path', { ...OTHER, parameters: [to('#/components/parameters/Gone')] }],
  ['a response', { get: { responses: { 200: to('#/components/responses/Gone') } } }],
  ['a request body', { get: { requestBody: to('#/components/requestBodies/Gone'), responses: {} } }],
  ['a header', { get: { responses: { 200: ok({ headers: { 'X-A': to('#/components/headers/G') } }) } } }],
  ['a callback', { get: { responses: {}, callbacks: { done: to('#/components/callbacks/Gone') } } }],
  [
    'the body of a callback',
    {
      get: {
        responses: {},
        callbacks: { done: { '{$url}': { post: { requestBody: json(GONE), responses: {} } } } },
      },
    },
  ],
  [
    'a security scheme',
    { get: { responses: {}, security: [{ key: [] }] } },
    { securitySchemes: { key: to('#/x') } },
  ],
  ['no text', { get: { responses: { 200: ok(json(to(5))) } } }],
  ['no URL', { get: { responses: { 200: ok(json(to('http://['))) } } }],
  ['another anchor', { get: { responses: { 200: ok(json(to('#gone'))) } } }],
  ['a missing file', { get: { responses: { 200: ok(json(to('gone.yaml#/A'))) } } }],
  [
    'a file that is broken',
    { get: { responses: { 200: ok(json(to('b.yaml#/A'))) } } },
    {},
    { 'b.yaml': 'a: [' },
  ],
  [
    'a missing place in a file',
    { get: { responses: { 200: ok(json(to('b.yaml#/B'))) } } },
    {},
    { 'b.yaml': 'A: {}' },
  ],
  [
    'a file that leads nowhere',
    { get: { responses: { 200: ok(json(to('b.yaml#/A'))) } } },
    {},
    { 'b.yaml': 'A: {$ref: "#/B"}\nC: {}' },
  ],
  ['a file that may not be read', { get: { responses: { 200: ok(json(to('../a.yaml'))) } } }],
  [
    'a circle',
    { get: { responses: { 200: ok(json(schema('A'))) } } },
    { schemas: { A: schema('B'), B: schema('A') } },
  ],
  [
    'a chain',
    { get: { responses: { 200: ok(json(schema('A'))) } } },
    { schemas: { A: schema('B'), B: GONE } },
  ],
  [
    'what a discriminator leads to',
    { get: { responses: { 200: ok(json(schema('Pet'))) } } },
    {
      schemas: {
        Pet: { type: 'object', properties: { kind: {} }, discriminator: { propertyName: 'kind' } },
        Dog: { allOf: [schema('Pet'), { properties: { a: GONE } }] },
      },
    },
  ],
  [
    'an extension to which a schema leads',
    { get: { responses: { 200: ok(json(to('#/components/x-all/A'))) } } },
    { 'x-all': { A: GONE } },
  ],
];

const NOT_NEEDED: Case[] = [
  [
    'an example',
    { get: { responses: { 200: ok({ content: { 'application/json': { examples: { a: to('#/x') } } } }) } } },
  ],
  ['a link', { get: { responses: { 200: ok({ links: { a: to('#/components/links/Gone') } }) } } }],
  ['a component that nobody uses', OTHER, { schemas: { A: { properties: { a: GONE } } } }],
  ['a definition that nobody uses', { get: { responses: { 200: ok(json({ $defs: { A: GONE } })) } } }],
];

const documentWith = ([, item, components = {}, files = {}]: Case): Files => ({
  'a.json': JSON.stringify(documentOf({ '/a': item, '/b': OTHER }, { components }), undefined, 1),
  ...files,
});

describe('a reference that leads nowhere', () => {
  test.for(NEEDED)('leaves out what needs it, and nothing else: %s', async (one) => {
    const contract = await contractOf(documentWith(one));
    expect(leftOut(contract)).toEqual(['GET /a']);
    expect(contract.operations.map(({ id }) => id)).toEqual(['GET /b']);
    const [first] = contract.warnings;
    expect(first?.message).toMatch(/^GET \/a is left out: the \$ref /);
    expect(first?.source).toContain('$ref');
    expect(first).toMatchObject({
      uri: expect.stringMatching(/[ab]\.(json|yaml)$/),
      column: expect.any(Number),
    });
  });

  test.for(NOT_NEEDED)('that nothing needs is ignored with a warning: %s', async (one) => {
    const contract = await contractOf(documentWith(one));
    expect(contract.operations).toHaveLength(2);
    expect(contract.warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/leads nowhere.*; it is ignored, since no request or response depends on it$/),
    ]);
  });

  test.for([...NEEDED, ...NOT_NEEDED])('refuses the document where it is read strictly: %s', async (one) => {
    const [problem] = await problemsOf(documentWith(one));
    expect(problem?.message).toMatch(/the \$ref/);
  });
});

test('of a path that leads nowhere every operation is left out', async () => {
  const contract = await contractOf(documentWith(['', to('#/components/pathItems/Gone')]));
  expect(contract.warnings[0]?.message).toMatch(/^the path \/a is left out: the \$ref /);
  expect(contract.leftOut[0]?.operations.map(({ method }) => method)).toEqual(
    expect.arrayContaining(['GET', 'POST', 'DELETE']),
  );
});

test('a webhook is left out, too, and a document with nothing else is refused', async () => {
  const webhooks = { news: { post: { requestBody: json(GONE), responses: {} } } };
  const { outgoing, warnings } = await contractOf({ 'a.json': documentOf({ '/b': OTHER }, { webhooks }) });
  expect(outgoing).toEqual([]);
  expect(warnings[0]?.message).toMatch(/^the webhook news is left out: /);
  const paths = { '/a': { get: { responses: { 200: ok(json(GONE)) } } } };
  await expect(contractOf({ 'a.json': documentOf(paths) })).rejects.toThrow(
    /:\d+:\d+: the \$ref .* leads nowhere/,
  );
});

test('operations of Swagger 2.0 are left out, and keep their names and statuses', async () => {
  const get = { operationId: 'a', responses: { 200: ok({ schema: to('#/definitions/Gone') }), 404: ok() } };
  const document = { swagger: '2.0', info: {}, paths: { '/a': { get }, '/b': OTHER } };
  const contract = await contractOf({ 'a.json': JSON.stringify(document) });
  expect(leftOut(contract)).toEqual(['a (GET /a)']);
  expect(contract.leftOut[0]?.operations[0]?.responses.map(({ key }) => key)).toEqual(['200', '404']);
  expect(contract.operations.map(({ id }) => id)).toEqual(['GET /b']);
});

test('a server that does not respond is no place', async () => {
  const server = createServer((request) => request.socket.destroy());
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
  const files = documentWith(['', { get: { responses: { 200: ok(json(to(`${url}a.json`))) } } }]);
  const { leftOut: all } = await contractOf(files, { allowRefs: [url] });
  expect(all[0]?.problem.message).toMatch(/leads nowhere: cannot read http.*a\.json/);
});
