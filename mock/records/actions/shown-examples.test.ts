import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadContract } from '#spec';
import { ask, documentOf, serve, serveText } from '../../testing/serve.ts';

const answer = (content: object) => ({ responses: { 200: { description: 'It', content } } });
const json = (schema: object, more: object = {}) => ({ 'application/json': { schema, ...more } });
const text = { type: 'string' };
const pet = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', example: 'Rex' }, age: { type: 'integer', examples: [7, 8] } },
};

describe('what a schema shows is what is sampled', () => {
  test.each<[string, { schema: object; more?: object; want: unknown }]>([
    ['of a member', { schema: pet, want: { name: 'Rex', age: 7 } }],
    ['as a whole', { schema: { ...pet, examples: [{ name: 'Ada' }] }, want: { name: 'Ada' } }],
    ['the first that fits', { schema: { ...text, maxLength: 2, examples: ['long', 'ab'] }, want: 'ab' }],
    ['null', { schema: { type: ['string', 'null'], examples: [null] }, want: null }],
    [
      'null of a member',
      { schema: { properties: { a: { type: ['null', 'string'], example: null } } }, want: { a: null } },
    ],
    ['null of a media type', { schema: { type: ['string', 'null'] }, more: { example: null }, want: null }],
    ['null by name', { schema: {}, more: { examples: { none: { value: null } } }, want: null }],
    ['of the items of a list', { schema: { type: 'array', items: pet }, want: [{ name: 'Rex', age: 7 }] }],
    ['every item', { schema: { type: 'array', items: { ...text, examples: ['a', 'b'] } }, want: ['a', 'b'] }],
    [
      'of what is joined, each its members',
      {
        schema: {
          allOf: [
            { ...pet, example: { name: 'Ada', age: 3 } },
            { type: 'object', properties: { breed: text }, example: { breed: 'pug' } },
          ],
        },
        want: { name: 'Rex', age: 7, breed: 'pug' },
      },
    ],
    ['of a branch', { schema: { oneOf: [{ type: 'integer' }, { ...text, example: 'b' }] }, want: 'b' }],
    [
      'without what only requests have',
      {
        schema: { properties: { key: { ...text, writeOnly: true } }, example: { key: 'k', on: true } },
        want: { on: true },
      },
    ],
    [
      'a default, where it says something',
      { schema: { properties: { n: { type: 'integer', default: 0 } } }, want: { n: 0 } },
    ],
    [
      'a default of null',
      { schema: { properties: { next: { type: ['string', 'null'], default: null } } }, want: { next: null } },
    ],
  ])('%s', async (_, { schema, more, want }) => {
    const mock = await serveText(documentOf({ '/it': { get: answer(json(schema, more)) } }));
    expect((await ask(mock, 'GET /it')).body).toEqual(want);
  });

  test('unless it does not fit, or a new sample is asked for', async () => {
    const schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer', example: 'x' } } };
    const mock = await serveText(
      documentOf({ '/bad': { get: answer(json(schema)) }, '/it': { get: answer(json(pet)) } }),
    );
    expect((await ask(mock, 'GET /bad')).body).toEqual({ n: expect.any(Number) });
    const dynamic = await ask(mock, 'GET /it', undefined, { prefer: 'dynamic=true' });
    expect(dynamic.body.name).not.toBe('Rex');
  });
});

test('a singleton begins as the document shows it, and is changed all the same', async () => {
  const at = (content: object) => ({
    get: answer(content),
    patch: { requestBody: { content }, ...answer(content) },
  });
  const mock = await serveText(
    documentOf({
      '/whole': at(json({ ...pet, example: { name: 'Ada', age: 5 } })),
      '/members': at(json(pet)),
      '/body': at(
        json(pet, { examples: { bad: { value: { age: 1 } }, good: { value: { name: 'Kim', age: 2 } } } }),
      ),
    }),
  );
  const body = async (path: string) => (await ask(mock, `GET ${path}`)).body;
  expect(await body('/whole')).toEqual({ name: 'Ada', age: 5 });
  expect(await body('/members')).toEqual({ name: 'Rex', age: 7 });
  expect(await body('/body')).toEqual({ name: 'Kim', age: 2 });
  await ask(mock, 'PATCH /body', { name: 'Lou' });
  expect(await body('/body')).toEqual({ name: 'Lou', age: 2 });
});

test('what stands around a record is as the document shows it', async () => {
  const data = { type: 'object', properties: { id: { type: 'integer' }, name: text } };
  const around = { type: 'object', properties: { data, by: text, ok: { ...text, example: 'yes' } } };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
  const mock = await serveText(
    documentOf({
      '/pets/{id}': { parameters, get: answer(json(around, { example: { data: { id: 99 }, by: 'me' } })) },
      '/owners/{id}': { parameters, get: answer(json(around)) },
    }),
  );
  expect((await ask(mock, 'GET /pets/3')).body).toMatchObject({ data: { id: 3 }, by: 'me' });
  expect((await ask(mock, 'GET /owners/3')).body).toMatchObject({ data: { id: 3 }, ok: 'yes' });
});

test('each media type has its own example', async () => {
  const content = {
    'application/json': { example: { a: 1 } },
    'application/vnd.api+json': { example: { data: 2 } },
  };
  const mock = await serveText(documentOf({ '/it': { get: answer(content) } }));
  expect((await ask(mock, 'GET /it', undefined, { accept: 'application/vnd.api+json' })).text).toBe(
    '{"data":2}',
  );
});

test('what an example leads to is read like a reference, and text of 3.2 as its media type has it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'examples-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'a.json'), '{"a":1}');
  await writeFile(join(folder, 'a.png'), new Uint8Array([0x89, 0xff]));
  const external = (externalValue: string) => ({ examples: { one: { externalValue } } });
  const serialized = { examples: { one: { serializedValue: '{"n":1}' } } };
  const xml = { schema: { type: 'object' }, examples: { one: { serializedValue: '<it/>' } } };
  const paths = {
    '/json': { get: answer(json({}, external('a.json'))) },
    '/png': { get: answer({ 'image/png': external('a.png') }) },
    '/none': { get: answer(json({ const: 1 }, external('none.json'))) },
    '/far': { get: answer(json({ const: 1 }, external('../a.json'))) },
    '/text': { get: answer({ ...json({}, serialized), 'application/xml': xml }) },
  };
  const file = join(folder, 'api.json');
  await writeFile(file, JSON.stringify({ ...documentOf(paths), openapi: '3.2.0' }));
  const contract = await loadContract(file);
  expect(contract.warnings.map(({ message }) => message)).toEqual([
    expect.stringMatching(/"none.json" leads nowhere: .*there is no such file/),
    expect.stringMatching(/"..\/a.json" leads too far/),
  ]);
  const mock = await serve(contract);
  expect((await ask(mock, 'GET /json')).text).toBe('{"a":1}');
  expect((await ask(mock, 'GET /none')).text).toBe('1');
  expect((await ask(mock, 'GET /text')).text).toBe('{"n":1}');
  expect((await ask(mock, 'GET /text', undefined, { accept: 'application/xml' })).text).toBe('<it/>');
  const picture = await mock.fetch('http://localhost/png');
  expect(new Uint8Array(await picture.arrayBuffer())).toEqual(new Uint8Array([0x89, 0xff]));
});

test('what a document shows without a schema is the form of XML and of errors', async () => {
  const failed = {
    description: 'No',
    content: { 'application/json': { example: { problem: 'x', code: 7 } } },
  };
  const get = {
    parameters: [{ name: 'n', in: 'query', required: true, schema: { type: 'integer' } }],
    ...answer({ 'application/xml': { example: { id: 1 } } }),
  };
  const all = {
    ...get,
    responses: {
      ...get.responses,
      400: failed,
      '5XX': { description: 'No', content: { 'text/plain': { example: 'down' } } },
    },
  };
  const mock = await serveText(documentOf({ '/it': { get: all } }));
  expect((await ask(mock, 'GET /it?n=1')).text).toMatch(/<root><id>1<\/id><\/root>$/);
  expect((await ask(mock, 'GET /it')).body).toEqual({
    problem: expect.stringMatching(/query.n/),
    code: expect.any(Number),
  });
  expect((await ask(mock, 'GET /it?n=1', undefined, { prefer: 'code=503' })).text).toBe('down');
});
