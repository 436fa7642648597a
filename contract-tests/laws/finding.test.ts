import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract, toPointer } from '#spec';
import { SHIPPED_DOCUMENT } from '../testing/run-check.ts';
import { promiseOf } from './expect-status.ts';
import { findingKey, pointerAt } from './finding.ts';

const contract = await loadContract(SHIPPED_DOCUMENT);
const { file } = contract.document.root;

test.for<[string[]]>([
  [['info']],
  [['paths', '/pets', 'get', 'parameters', '0', 'schema']],
  [['paths', '/pets', 'get', 'parameters', '1', 'schema']],
  [['paths', '/pets/{petId}', 'get', 'responses', '404']],
  [['components', 'schemas', 'Pet']],
])('the place of %j has its pointer', ([path]) => {
  expect(pointerAt(contract, file.positionOf(path))).toBe(toPointer(path));
});

test('a place in no file of the document has the pointer of the whole', () => {
  expect(pointerAt(contract, { uri: 'other.yaml', line: 3, column: 1 })).toBe('');
});

/** A document of two files, and what an overlay adds to it. */
async function documentOfTwo() {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-'));
  const write = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  await write('models.yaml', 'Boat:\n  type: object\n  properties:\n    name: { type: string }\n');
  const overlay = await write(
    'overlay.yaml',
    'overlay: 1.0.0\ninfo: { title: Ours, version: "1" }\nactions:\n  - target: $.components.responses.Lost\n    update: { content: { text/plain: {} } }\n',
  );
  const document = await write(
    'openapi.yaml',
    `openapi: 3.1.1
info: { title: Boats, version: "1" }
paths:
  /boats:
    get:
      responses:
        "200":
          description: All.
          content:
            application/json: { schema: { type: array, items: { $ref: "models.yaml#/Boat" } } }
        "404": { $ref: "#/components/responses/Lost" }
components:
  responses:
    Lost: { description: Lost. }
`,
  );
  return loadContract(document, { overlays: [overlay] });
}

test('a key has law, kind and place, and the file where it is another one than the document', async () => {
  const two = await documentOfTwo();
  const [get] = two.operations;
  const files = [...two.document.files.values()];
  const models = files.find(({ uri }) => uri.endsWith('models.yaml'));
  const [overlay] = two.document.root.file.overlays ?? [];
  if (!get || !models || !overlay) throw new Error('the document has an operation, two files and an overlay');
  const kind = { keyword: 'type' };
  const name = models.positionOf(['Boat', 'properties', 'name', 'type']);
  expect(findingKey(two, { law: 'schema', kind, at: name })).toBe(
    'schema/type:models.yaml#/Boat/properties/name/type',
  );
  expect(findingKey(two, { law: 'status', kind: '500-for-404', at: promiseOf(get, 404) })).toBe(
    'status/500-for-404#/paths/~1boats/get/responses/404',
  );
  const added = overlay.positionOf(['actions', '0', 'update', 'content']);
  expect(findingKey(two, { law: 'content-type', kind: 'missing', at: added })).toBe(
    'content-type/missing:overlay.yaml#/actions/0/update/content',
  );
  const list = two.document.root.file.positionOf(['paths', '/boats', 'get']);
  expect(findingKey(two, { law: 'total', at: list })).toBe('total#/paths/~1boats/get');
});
