import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type Contract, loadContract } from '#spec';
import { SHIPPED_DOCUMENT } from '../../quality/mutants/suspect.ts';
import { bundleDocument, EXCHANGE, startPlayback } from './playback.ts';

test.for([
  ['the Location of a created record is played back', 201, 'https://h.example/v1/pets/1'],
  ['a redirect leads nowhere', 302, null],
] as const)('%s', async ([, status, location]) => {
  const playback = await startPlayback(await loadContract(SHIPPED_DOCUMENT));
  const headers = [['Location', 'https://h.example/v1/pets/1']] as const;
  const id = playback.add({ status, headers, body: Buffer.from('played') });
  const response = await fetch(playback.url, { headers: { [EXCHANGE]: id } });
  expect(response.status).toBe(status);
  expect(response.headers.get('location')).toBe(location);
  expect(await response.text()).toBe('played');
  await playback.close();
});

test('a request without a recorded exchange gets no response', async () => {
  const playback = await startPlayback(await loadContract(SHIPPED_DOCUMENT));
  await expect(fetch(playback.url)).rejects.toThrow('fetch failed');
  await playback.close();
});

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
