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
    [
      'an optional request member',
      { from: '    Pet:\n', to: '    Other: { type: string }\n    Pet:\n' },
      { from: NAME, to: `        nickname: { type: string, maxLength: 3 }\n${NAME}` },
    ],
    [
      'the name of a path parameter',
      { from: '/pets/{petId}', to: '/pets/{id}' },
      { from: '- name: petId', to: '- name: id' },
      { from: 'petId: $response', to: 'id: $response' },
    ],
    [
      'an alternative credential',
      { from: '  - bearer: []', to: '  - bearer: []\n  - basic: []' },
      { from: '  securitySchemes:\n', to: '  securitySchemes:\n    basic: { type: http, scheme: basic }\n' },
    ],
    ['a narrower response', { from: ID, to: `${ID}              minimum: 1\n` }],
    [
      'a further header of a response',
      {
        from: '          description: The animals that match.\n',
        to: '          description: The animals that match.\n          headers: { X-Total: { required: true, schema: { type: integer } } }\n',
      },
    ],
    [
      'a schema written in its place',
      {
        from: '            $ref: "#/components/schemas/PetStatus"\n',
        to: '            type: string\n            enum: [available, pending, sold]\n',
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
      'integers of any size',
      ['listPets schema', 'createPet schema', 'getPet schema'],
      { from: '          format: int64\n          x-faker', to: '          x-faker' },
    ],
    [
      'an enum value more, in responses too',
      ['listPets schema', 'createPet schema', 'getPet schema'],
      { from: 'enum: [available, pending, sold]', to: 'enum: [available, pending, sold, reserved]' },
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
      'an operation is gone',
      ['getPet status'],
      { from: '  /pets/{petId}:\n', to: '  /pets/{petId}/details:\n' },
    ],
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
      'names that no two animals share',
      ['createPet status'],
      { from: '    NewPet:\n', to: '    NewPet:\n      x-paddock: { unique: [name] }\n' },
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
