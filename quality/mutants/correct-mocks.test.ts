import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BUILT_IN_KEY, createMock } from '#mock';
import { runCheck } from '../../contract-tests/testing/run-check.ts';

type Data = Readonly<Record<string, unknown>>;

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const ok = (schema: object) => ({ description: 'As it is.', ...json(schema) });
const none = { description: 'It is not.' };
const ID = { type: 'integer', format: 'int64', readOnly: true };

interface Collection {
  readonly body: Data;
  /** If they differ from those of the body. */
  readonly record?: Data;
  readonly required?: readonly string[];
  readonly filters?: Readonly<Record<string, object>>;
  /** Whether it has no operations on a single record. */
  readonly listOnly?: boolean;
}

function pathsOf(
  name: string,
  { body, record = body, required = Object.keys(body), filters = {}, listOnly = false }: Collection,
) {
  const sent = { required: true, ...json({ type: 'object', required, properties: body }) };
  const shown = { type: 'object', required: ['id'], properties: { id: ID, ...record } };
  const parameters = [
    ...Object.entries(filters).map(([filter, schema]) => ({ name: filter, in: 'query', schema })),
    { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
  ];
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } };
  const all = {
    get: {
      operationId: `list-${name}`,
      parameters,
      responses: { 200: ok({ type: 'array', items: shown }), 400: none },
    },
    post: { operationId: `add-${name}`, requestBody: sent, responses: { 201: ok(shown), 400: none } },
  };
  const one = {
    parameters: [id],
    get: { operationId: `get-${name}`, responses: { 200: ok(shown), 404: none } },
    put: {
      operationId: `put-${name}`,
      requestBody: sent,
      responses: { 200: ok(shown), 400: none, 404: none },
    },
    delete: { operationId: `drop-${name}`, responses: { 204: { description: 'Gone.' }, 404: none } },
  };
  return { [`/${name}`]: all, ...(!listOnly && { [`/${name}/{id}`]: one }) };
}

const text = (limits: object = {}) => ({ type: 'string', ...limits });

test.each<[string, Readonly<Record<string, Collection>>, schemas?: Data]>([
  [
    'texts with room for a mark, and for little more',
    {
      labels: { body: { label: { $ref: '#/components/schemas/Label' } } },
      notes: { body: { note: text({ minLength: 70 }) } },
      codes: { body: { code: text({ minLength: 50, maxLength: 50 }) } },
    },
    { Label: text({ minLength: 1, maxLength: 41 }) },
  ],
  [
    'bodies that allow more than a record shows',
    {
      seats: {
        body: { row: text(), state: text({ enum: ['a', 'b', 'c', 'd', 'e', 'f'] }) },
        record: { row: text({ maxLength: 42 }), state: text({ enum: ['f'] }) },
      },
    },
  ],
  [
    'read-only members that a client sends, and lists that filter by them',
    {
      gates: {
        body: { name: text(), state: text({ enum: ['new', 'sold', 'gone'], readOnly: true }) },
        required: ['name'],
        filters: { state: text({ enum: ['new', 'sold', 'gone'] }) },
        listOnly: true,
      },
      doors: {
        body: { name: text() },
        record: { name: text(), open: { type: 'boolean', readOnly: true } },
        filters: { open: { type: 'boolean' } },
        listOnly: true,
      },
    },
  ],
])('the mock of a document is found to keep it: %s', async (_, collections, schemas) => {
  const paths = Object.entries(collections).map(([name, one]) => pathsOf(name, one));
  const document = {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    servers: [{ url: '/v1' }],
    paths: Object.assign({}, ...paths),
    components: { schemas: schemas ?? {} },
  };
  const folder = await mkdtemp(join(tmpdir(), 'paddock-correct-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  const mock = await createMock({ document: file });
  onTestFinished(() => mock.close());
  const options = { target: mock.url, apiKey: BUILT_IN_KEY, document: file, maxCreates: 400, examples: 8 };
  const { exitCode, findings, cells } = await runCheck(options);
  expect(findings.map(({ caseId, received, documented }) => ({ caseId, received, documented }))).toEqual([]);
  expect(cells.filter(({ verdict }) => verdict !== 'covered').map(({ reason }) => reason)).toEqual([]);
  expect(exitCode).toBe(0);
});
