import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type Contract, loadContract } from '#spec';
import { bundleDocument } from './playback.ts';

async function load(text: string): Promise<Contract> {
  const file = join(await mkdtemp(join(tmpdir(), 'paddock-')), 'document.json');
  await writeFile(file, text);
  return loadContract(file);
}

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

test.for(['spec/openapi.yaml', 'fixtures/specs/notices/openapi.yaml', 'fixtures/specs/libraries.yaml'])(
  'a bundled document has the same operations, parameters and responses, `default` apart: %s',
  async (document) => {
    const original = await loadContract(at(document));
    const bundled = await load(bundleDocument(original));
    expect(bundled.document.files.size).toBe(1);
    const told = ({ operations }: typeof bundled) =>
      operations.map(({ id, method, path, parameters, responses }) => ({
        id,
        method,
        path,
        parameters: parameters.map(({ name, in: place }) => `${place} ${name}`),
        responses: responses.map(({ key }) => key).filter((key) => key !== 'default'),
      }));
    expect(told(bundled)).toEqual(told(original));
    expect(bundled.operations.flatMap(({ responses }) => responses.map(({ key }) => key))).not.toContain(
      'default',
    );
  },
);

test('a named response "default" stays, and so does a `default` that is the only response', async () => {
  const content = { 'application/json': { schema: { type: 'object' } } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'A service', version: '1' },
    paths: {
      '/a': {
        get: {
          operationId: 'a',
          responses: { 200: { $ref: '#/components/responses/default' }, default: { description: 'Other' } },
        },
      },
      '/b': { get: { operationId: 'b', responses: { default: { description: 'Any', content } } } },
    },
    components: { responses: { default: { description: 'Good', content } } },
  };
  const { operations } = await load(bundleDocument(await load(JSON.stringify(document))));
  expect(operations.map(({ responses }) => responses.map(({ key }) => key))).toEqual([['200'], ['default']]);
  expect(operations[0]?.responses[0]?.content).toHaveLength(1);
});
