import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { compat } from './index.ts';

/** Edits of the shipped document, each with the right verdict. */
const DOCUMENT = 'spec/openapi.yaml';
const text = await readFile(DOCUMENT, 'utf8');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'compat-'));
});

/** Replaces texts, each of which must be there, at its nth occurrence. */
interface Edit {
  readonly from: string;
  readonly to: string;
  readonly nth?: number;
}

function edited(...edits: readonly Edit[]): string {
  return edits.reduce((all, { from, to, nth = 1 }) => {
    const parts = all.split(from);
    if (parts.length <= nth) throw new Error(`there is no ${nth}. ${from}`);
    return parts.slice(0, nth).join(from) + to + parts.slice(nth).join(from);
  }, text);
}

async function verdict(next: string) {
  const file = join(folder, 'next.yaml');
  await writeFile(file, next);
  const { exitCode, findings, notices } = await compat(DOCUMENT, file, { examples: 2 });
  const laws = [...new Set(findings.map(({ operationId, law }) => `${operationId} ${law}`))];
  return {
    exitCode,
    findings,
    laws,
    warnings: notices.map((one) => `${one.operationId}: ${one.text.replace(/ \(\/.*/, '')}`),
  };
}

const LIMIT = '            maximum: 100\n';
const NAME = "        name:\n          description: The animal's name.\n          type: string\n";
const ID = '              format: int64\n              readOnly: true\n';

test('the document and itself', async () => {
  const { exitCode, findings, warnings } = await verdict(text);
  expect({ exitCode, findings, warnings }).toEqual({ exitCode: 0, findings: [], warnings: [] });
});

describe('compatible: no finding and no warning', () => {
  test.for<[string, ...Edit[]]>([
    ['a description', { from: 'List animals', to: 'List all animals' }],
    ['a comment', { from: 'openapi: 3.1.1', to: '# A comment\nopenapi: 3.1.1' }],
    ['the version', { from: 'version: 1.0.0', to: 'version: 1.1.0' }],
    ['a further tag', { from: 'tags: [animals]', to: 'tags: [animals, others]' }],
    [
      'a further server',
      {
        from: '  - url: http://127.0.0.1:4020/v1',
        to: '  - url: https://other.example/v1\n  - url: http://127.0.0.1:4020/v1',
      },
    ],
    ['a larger maximum', { from: LIMIT, to: '            maximum: 200\n' }],
    ['no maximum', { from: LIMIT, to: '' }],
    ['a smaller minimum', { from: 'minimum: 1\n', to: 'minimum: 0\n' }],
    [
      'a further optional query parameter',
      {
        from: '        - name: status\n',
        to: '        - { name: sort, in: query, schema: { type: string, enum: [id, name] } }\n        - name: status\n',
      },
    ],
    [
      'a further optional header',
      {
        from: '        - name: status\n',
        to: '        - { name: X-Trace, in: header, schema: { type: string, format: uuid } }\n        - name: status\n',
      },
    ],
    [
      'a new operation',
      {
        from: '  /pets/{petId}:\n',
        to: '  /stores:\n    get:\n      operationId: listStores\n      responses: { "200": { description: The stores. } }\n  /pets/{petId}:\n',
      },
    ],
    [
      'an optional request member',
      { from: '    Pet:\n', to: '    Other: { type: string }\n    Pet:\n' },
      { from: NAME, to: `        nickname: { type: string, maxLength: 3 }\n${NAME}` },
    ],
    [
      'a further example',
      {
        from: '                none:\n',
        to: '                one:\n                  value: [{ id: 1, name: Fern, categoryId: 2 }]\n                none:\n',
      },
    ],
    ['no example', { from: '          example: 1001\n', to: '' }],
    [
      'parameters in another order',
      {
        from: '        - name: limit\n          in: query\n',
        to: '        - in: query\n          name: limit\n',
      },
    ],
    [
      'members in another order',
      { from: 'required: [name, categoryId]', to: 'required: [categoryId, name]' },
    ],
    [
      'the name of a path parameter',
      { from: '/pets/{petId}', to: '/pets/{id}' },
      { from: '- name: petId', to: '- name: id' },
      { from: 'petId: $response', to: 'id: $response' },
    ],
    ['a credential is no longer required', { from: '  - bearer: []', to: '  - {}' }],
    [
      'an alternative credential',
      { from: '  - bearer: []', to: '  - bearer: []\n  - basic: []' },
      { from: '  securitySchemes:\n', to: '  securitySchemes:\n    basic: { type: http, scheme: basic }\n' },
    ],
    ['a required response member', { from: 'required: [id]', to: 'required: [id, status]' }],
    ['a narrower response', { from: ID, to: `${ID}              minimum: 1\n` }],
    [
      'an error is documented',
      {
        from: '        "400":\n',
        to: '        "409": { $ref: "#/components/responses/BadRequest" }\n        "400":\n',
      },
    ],
    [
      'a further link',
      {
        from: '            readCreated:\n',
        to: '            listed: { operationId: listPets }\n            readCreated:\n',
      },
    ],
    [
      'a further header of a response',
      {
        from: '          description: The animals that match.\n',
        to: '          description: The animals that match.\n          headers: { X-Total: { required: true, schema: { type: integer } } }\n',
      },
    ],
    ['not deprecated any more', { from: '      deprecated: true\n', to: '' }],
    [
      'a schema that nobody uses',
      { from: '    PetStatus:\n', to: '    Unused: { type: string }\n    PetStatus:\n' },
    ],
    [
      'a schema written in its place',
      {
        from: '            $ref: "#/components/schemas/PetStatus"\n',
        to: '            type: string\n            enum: [available, pending, sold]\n',
      },
    ],
    [
      'a wider request enum',
      {
        from: '          schema:\n            $ref: "#/components/schemas/PetStatus"\n',
        to: '          schema:\n            type: string\n            enum: [available, pending, sold, reserved]\n',
      },
    ],
  ])('%s', async ([, ...edits]) => {
    const { exitCode, findings, warnings } = await verdict(edited(...edits));
    expect({ exitCode, findings, warnings }).toEqual({ exitCode: 0, findings: [], warnings: [] });
  });
});

describe('breaking', () => {
  test.for<[string, string[], ...Edit[]]>([
    ['a smaller maximum', ['listPets status'], { from: LIMIT, to: '            maximum: 50\n' }],
    ['a larger minimum', ['listPets status'], { from: 'minimum: 1\n', to: 'minimum: 5\n' }],
    [
      'another type of a parameter',
      ['getPet status'],
      {
        from: '            type: integer\n            format: int64\n          example: 1001\n',
        to: '            type: string\n            format: uuid\n',
      },
    ],
    [
      'a required query parameter',
      ['listPets status'],
      {
        from: '        - name: limit\n          in: query\n',
        to: '        - name: limit\n          in: query\n          required: true\n',
      },
    ],
    [
      'a new required header',
      ['listPets status'],
      {
        from: '        - name: status\n',
        to: '        - { name: X-Tenant, in: header, required: true, schema: { type: string } }\n        - name: status\n',
      },
    ],
    [
      'another name of a parameter that is required',
      ['listPets status'],
      {
        from: '        - name: status\n          in: query\n',
        to: '        - name: state\n          required: true\n          in: query\n',
      },
    ],
    [
      'another default',
      ['listPets complete-list', 'listPets filter', 'listPets page-default'],
      { from: 'default: 20', to: 'default: 5' },
    ],
    [
      'a further required request member',
      ['createPet status'],
      { from: 'required: [name, categoryId]', to: 'required: [name, categoryId, status]' },
    ],
    [
      'a new required member',
      ['createPet status'],
      { from: 'required: [name, categoryId]', to: 'required: [name, categoryId, colour]' },
      { from: NAME, to: `        colour: { type: string }\n${NAME}` },
    ],
    ['a shorter name', ['createPet status'], { from: NAME, to: `${NAME}          maxLength: 20\n` }],
    ['a pattern', ['createPet status'], { from: NAME, to: `${NAME}          pattern: "^[A-Z]"\n` }],
    [
      'a smaller integer',
      ['createPet status'],
      {
        from: '          format: int64\n          x-faker',
        to: '          format: int64\n          maximum: 1000\n          x-faker',
      },
    ],
    [
      'integers of any size',
      ['listPets schema', 'createPet schema', 'getPet schema'],
      { from: '          format: int64\n          x-faker', to: '          x-faker' },
    ],
    [
      'an error that has its own schema no longer',
      ['createPet schema'],
      { from: '        "400":\n          $ref: "#/components/responses/BadRequest"\n', to: '' },
    ],
    [
      'an enum value less',
      ['listPets status', 'createPet status'],
      { from: 'enum: [available, pending, sold]', to: 'enum: [available, sold]' },
    ],
    [
      'an enum value more, in responses too',
      ['listPets schema', 'createPet schema', 'getPet schema'],
      { from: 'enum: [available, pending, sold]', to: 'enum: [available, pending, sold, reserved]' },
    ],
    [
      'a member is nullable',
      ['listPets schema', 'createPet schema', 'getPet schema'],
      {
        from: '          type: string\n          x-faker: animal.petName',
        to: '          type: [string, "null"]\n          x-faker: animal.petName',
      },
    ],
    [
      'a member may be absent',
      ['listPets schema', 'createPet schema', 'getPet schema'],
      { from: 'required: [id]\n', to: 'minProperties: 0\n' },
    ],
    [
      'a member is gone',
      ['listPets schema', 'createPet schema', 'getPet schema'],
      { from: ID, to: ID.replace('int64', 'int64') },
      {
        from: '            id:\n              description',
        to: '            number:\n              description',
      },
      { from: 'required: [id]', to: 'required: [number]' },
    ],
    [
      'another type of an id',
      ['listPets schema', 'createPet schema', 'getPet schema'],
      {
        from: `              type: integer\n${ID}`,
        to: '              type: string\n              readOnly: true\n',
      },
    ],
    [
      'the list in an object',
      ['listPets schema'],
      {
        from: '      description: A list of animals.\n      type: array\n      items:\n        $ref: "#/components/schemas/Pet"\n',
        to: '      type: object\n      required: [pets]\n      properties: { pets: { type: array, items: { $ref: "#/components/schemas/Pet" } } }\n',
      },
    ],
    [
      'an operation is gone',
      ['getPet status'],
      { from: '  /pets/{petId}:\n', to: '  /pets/{petId}/details:\n' },
    ],
    ['another method', ['createPet status'], { from: '    post:\n', to: '    put:\n' }],
    [
      'another path',
      ['listPets status', 'createPet status', 'getPet status'],
      { from: '  /pets:\n', to: '  /animals:\n' },
      { from: '  /pets/{petId}:\n', to: '  /animals/{petId}:\n' },
    ],
    [
      'another credential',
      ['listPets status', 'createPet status', 'getPet status'],
      {
        from: '      type: http\n      scheme: bearer\n',
        to: '      type: apiKey\n      in: header\n      name: X-Key\n',
      },
    ],
    [
      'another media type of a request',
      ['createPet status'],
      {
        from: '          application/json:\n            schema:\n              $ref: "#/components/schemas/NewPet"',
        to: '          application/x-www-form-urlencoded:\n            schema:\n              $ref: "#/components/schemas/NewPet"',
      },
    ],
    [
      'another media type of a response',
      ['listPets content-type'],
      {
        from: '            application/json:\n              schema:\n                $ref: "#/components/schemas/Pets"',
        to: '            application/vnd.pets+json:\n              schema:\n                $ref: "#/components/schemas/Pets"',
      },
    ],
    [
      'another status',
      ['createPet schema', 'createPet status'],
      { from: '        "201":\n', to: '        "200":\n' },
    ],
    [
      'an error body without a member',
      ['listPets schema', 'createPet schema', 'getPet schema'],
      { from: 'required: [code, message, status]', to: 'required: [code, status]' },
    ],
    [
      'another media type of errors',
      ['getPet content-type'],
      {
        from: '      description: No animal has that number.\n      content:\n        application/json:',
        to: '      description: No animal has that number.\n      content:\n        application/problem+json:',
      },
    ],
    [
      'names that no two animals share',
      ['createPet status'],
      { from: NAME, to: `${NAME}          x-unique: true\n` },
    ],
    [
      'closed responses',
      ['listPets schema', 'createPet schema', 'getPet schema'],
      { from: '      description: The body of every error answer.\n', to: '      description: The body.\n' },
      {
        from: '        code:\n          description: The kind of error, for programs. The set of values is not documented.\n          type: string\n',
        to: '        code:\n          type: integer\n',
      },
    ],
    [
      'another base path',
      ['listPets status'],
      { from: 'https://{host}/v1', to: 'https://{host}/v2' },
      { from: 'https://{stagingHost}/v1', to: 'https://{stagingHost}/v2' },
      { from: '127.0.0.1:4020/v1', to: '127.0.0.1:4020/v2' },
    ],
  ])('%s', async ([, laws, ...edits]) => {
    const found = await verdict(edited(...edits));
    expect({ exitCode: found.exitCode, laws: found.laws.sort() }).toEqual({
      exitCode: 1,
      laws: laws.toSorted(),
    });
    for (const { at, received } of found.findings) {
      expect(at).toMatch(/^spec\/openapi\.yaml:\d+$/);
      expect(received).toMatch(/next\.yaml:\d+\)$/);
    }
  });
});

describe('warnings', () => {
  test.for<[string, RegExp, ...Edit[]]>([
    [
      'a deprecated operation',
      /^listPets: listPets: operation deprecated/,
      { from: '      operationId: listPets\n', to: '      operationId: listPets\n      deprecated: true\n' },
    ],
    [
      'another day of removal',
      /^getPet: getPet: sunset changed: 2030-12-05.* -> 2029-01-01/,
      { from: '"2030-12-05"', to: '"2029-01-01"' },
    ],
    [
      'another operationId',
      /^createPet: createPet: operation id changed: createPet -> addPet/,
      { from: 'operationId: createPet', to: 'operationId: addPet' },
    ],
  ])('%s', async ([, warning, ...edits]) => {
    const { exitCode, laws, warnings } = await verdict(edited(...edits));
    expect({ exitCode, laws }).toEqual({ exitCode: 0, laws: [] });
    expect(warnings).toContainEqual(expect.stringMatching(warning));
  });
});
