import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadContract } from '#spec';
import { copyDocument } from './document-copy.ts';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

test.for(['spec/openapi.yaml', 'fixtures/specs/notices/openapi.yaml', 'fixtures/specs/libraries.yaml'])(
  'a copy in one file says the same, but for "any other error": %s',
  async (document) => {
    const original = await loadContract(at(document));
    const copy = await copyDocument(original);
    const again = await loadContract(copy.file);
    await copy.remove();
    expect(again.document.files.size).toBe(1);
    const told = ({ operations }: typeof again) =>
      operations.map(({ id, method, path, parameters, responses }) => ({
        id,
        method,
        path,
        parameters: parameters.map(({ name, in: place }) => `${place} ${name}`),
        responses: responses.map(({ key }) => key).filter((key) => key !== 'default'),
      }));
    expect(told(again)).toEqual(told(original));
    expect(again.operations.flatMap(({ responses }) => responses.map(({ key }) => key))).not.toContain(
      'default',
    );
  },
);

test('a response that is named "default" stays, and so does the only one of an operation', async () => {
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
  const file = `${(await copyDocument(await loadContract(at('spec/openapi.yaml')))).folder}/named.json`;
  await writeFile(file, JSON.stringify(document));
  const copy = await copyDocument(await loadContract(file));
  const { operations } = await loadContract(copy.file);
  await copy.remove();
  expect(operations.map(({ responses }) => responses.map(({ key }) => key))).toEqual([['200'], ['default']]);
  expect(operations[0]?.responses[0]?.content).toHaveLength(1);
});
