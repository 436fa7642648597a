import { describe, expect, test } from 'vitest';
import { contractOf, documentOf, type Files, problemsOf } from '../testing/contract-of.ts';
import { TOO_DEEP } from './parsed-text.ts';

/** A document in YAML; `more` starts in line 8, below `responses`. */
const yaml = (...more: string[]) =>
  [
    'openapi: 3.1.1',
    'info: {title: A service, version: "1"}',
    'paths:',
    '  /things/{id}:',
    '    get:',
    '      operationId: readThing',
    '      responses: {"200": {description: Done}}',
    ...more,
    '',
  ].join('\n');

const ID = '      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]';

/** The expected first line of each problem: file, line, column, message. */
const CASES: [name: string, { given: Files; want: string[] }][] = [
  [
    'YAML syntax',
    {
      given: { 'a.yaml': yaml('      tags: [a, b') },
      want: ['a.yaml:9:1: Flow sequence in block collection must be sufficiently indented and end with a ]'],
    },
  ],
  [
    'indentation by tabs',
    {
      given: { 'a.yaml': yaml('\tparameters: []') },
      want: ['a.yaml:8:1: Tabs are not allowed as indentation'],
    },
  ],
  [
    'JSON syntax',
    {
      given: { 'a.json': '{\n  "openapi": "3.1.1"\n  "info": {}\n}\n' },
      want: ["a.json:3:3: this is no JSON: Expected ',' or '}' after property value"],
    },
  ],
  [
    'JSON that is cut off',
    {
      given: { 'a.json': '{\n  "openapi": "3.1.1",\n  "info": "x\n' },
      want: ['a.json:3:13: this is no JSON: Bad control character in string literal'],
    },
  ],
  [
    'JSON that lacks its end',
    {
      given: { 'a.json': '{\n  "openapi": "3.1.1",\n  "info": ' },
      want: ['a.json:3:10: this is no JSON: it ends too early'],
    },
  ],
  ['an empty file', { given: { 'a.yaml': '\n\n' }, want: ['a.yaml:1:1: the file is empty'] }],
  [
    'a list',
    {
      given: { 'a.yaml': '- openapi: 3.1.1\n' },
      want: ['a.yaml:1:1: an OpenAPI document must be an object, not a list'],
    },
  ],
  [
    'a text that is no document',
    {
      given: { 'a.yaml': 'hello\n' },
      want: ['a.yaml:1:1: an OpenAPI document must be an object, not "hello"'],
    },
  ],
  [
    'Swagger',
    {
      given: { 'a.yaml': '# old\nswagger: "1.2"\n' },
      want: ['a.yaml:2:1: of Swagger only version 2.0 is read, not "1.2"'],
    },
  ],
  [
    'another file of the project',
    {
      given: { 'a.yaml': 'name: x\n' },
      want: [
        'a.yaml:1:1: this is no OpenAPI document: the member "openapi" (3.0.x, 3.1.x or 3.2.x) is missing',
      ],
    },
  ],
  [
    'a version of the future',
    {
      given: { 'a.yaml': 'openapi: 3.9.0\n' },
      want: ['a.yaml:1:1: "openapi" must be a version 3.0.x, 3.1.x or 3.2.x such as 3.1.1, not "3.9.0"'],
    },
  ],
  [
    'a version that YAML takes for a number',
    {
      given: { 'a.yaml': 'openapi: 3.1\n' },
      want: [
        'a.yaml:1:1: "openapi" must be a text with three numbers, not 3.1; it is read as 3.1.0',
        'a.yaml:1:1: the document describes no operation under "paths"',
      ],
    },
  ],
  [
    'no operation',
    {
      given: { 'a.yaml': 'openapi: 3.1.1\nwebhooks: {}\n' },
      want: ['a.yaml:1:1: the document describes no operation under "paths"'],
    },
  ],
  [
    'bytes that are no UTF-8',
    {
      given: { 'a.yaml': Buffer.from('info: 1\ntitle: Caf\xe9\n', 'latin1') },
      want: ['a.yaml:2:11: this is no UTF-8 text: save the document as UTF-8'],
    },
  ],
  [
    'an image',
    {
      given: { 'a.yaml': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex') },
      want: ['a.yaml:1:1: this is no UTF-8 text: save the document as UTF-8'],
    },
  ],
  [
    'an alias that contains itself',
    {
      given: { 'a.yaml': yaml(ID, 'x-loop: &loop', '  again: *loop') },
      want: ['a.yaml:10:3: the alias leads back to a value that contains it'],
    },
  ],
  [
    'aliases that expand without bound',
    {
      given: {
        'a.yaml': [
          'x0: &x0 [lol, lol]',
          ...Array.from({ length: 30 }, (_, i) => `x${i + 1}: &x${i + 1} [*x${i}, *x${i}]`),
        ].join('\n'),
      },
      want: ['a.yaml:22:1: the aliases expand to more than 5000000 values'],
    },
  ],
  [
    'merge keys that expand without bound',
    {
      given: {
        'a.yaml': [
          'x0: &x0 {a: 1}',
          ...Array.from({ length: 30 }, (_, i) => `x${i + 1}: &x${i + 1} {<<: [*x${i}, *x${i}], b${i}: 1}`),
        ].join('\n'),
      },
      want: ['a.yaml:18:12: the merge keys expand to more than 1000000 values'],
    },
  ],
  [
    'a merge of what contains it',
    {
      given: { 'a.yaml': 'x: &x\n  <<: *x\n' },
      want: ['a.yaml:2:3: the merge keys expand to more than 1000000 values'],
    },
  ],
  [
    'a merge of what is no map',
    {
      given: { 'a.yaml': 'x: &x 1\ny: {<<: *x}\nz: {<<: [{}, 2]}\n' },
      want: [
        'a.yaml:2:5: what is merged must be a map, or a list of maps',
        'a.yaml:3:5: what is merged must be a map, or a list of maps',
      ],
    },
  ],
  [
    'an alias of nothing',
    {
      given: { 'a.yaml': 'x: *nobody\ny: &nobody 1\n' },
      want: ['a.yaml:1:4: there is no anchor &nobody before this alias'],
    },
  ],
  [
    'more aliases than can be looked up',
    {
      given: { 'a.yaml': `x: &x 1\ny: [${Array(10_001).fill('*x').join(',\n  ')}]\n` },
      want: ['a.yaml:10002:3: there are more than 10000 aliases'],
    },
  ],
  [
    'keys that are maps, deeper and deeper',
    {
      given: { 'a.yaml': `x: ${'{'.repeat(400)}${'}'.repeat(400)}\n` },
      want: Array.from(
        { length: 399 },
        (_, i) => `a.yaml:1:${i + 5}: a key must be a text, and no list or map`,
      ),
    },
  ],
  [
    'values within values without end',
    {
      given: { 'a.json': `{"openapi":"3.1.1",\n"x":\n${'['.repeat(502)}${']'.repeat(502)}}` },
      want: [`a.json:2:1: ${TOO_DEEP}`],
    },
  ],
  [
    'aliases that nest what they name, deeper and deeper',
    {
      given: {
        'a.yaml': [
          'x0: &x0 []',
          ...Array.from({ length: 600 }, (_, i) => `x${i + 1}: &x${i + 1} [*x${i}]`),
        ].join('\n'),
      },
      want: [`a.yaml:502:1: ${TOO_DEEP}`],
    },
  ],
  [
    'no responses, in 3.0',
    {
      given: { 'a.json': documentOf({ '/a': { get: {} } }, { openapi: '3.0.3' }) },
      want: ['a.json:1:78: an operation must document its responses ("responses"); none is checked'],
    },
  ],
  [
    'an undescribed path parameter',
    {
      given: { 'a.yaml': yaml() },
      want: [
        'a.yaml:5:5: the path parameter {id} of /things/{id} is not described among the parameters; it is read as a string',
      ],
    },
  ],
  [
    'an operationId twice',
    {
      given: {
        'a.yaml': yaml(ID, '  /other:', '    get:', '      responses: {}', '      operationId: readThing'),
      },
      want: [
        'a.yaml:12:7: the operationId "readThing" is used twice (also by GET /things/{id}); this operation is called GET /other',
      ],
    },
  ],
  [
    'several problems at once, in the order of the document',
    {
      given: {
        'a.yaml': yaml(
          '      deprecated: "yes"',
          '      parameters:',
          '        - {name: id, in: path, schema: {type: strin}}',
          '        - {name: q, in: body, schema: {}}',
          '        - {name: r, in: query, style: label, schema: {}}',
          '  noSlash: {}',
        ),
      },
      want: [
        'a.yaml:8:7: "deprecated" must be true or false, not "yes"; it is ignored',
        'a.yaml:10:11: the path parameter "id" must be required: true; it is read so',
        'a.yaml:10:41: "type" must be one of null, boolean, integer, number, string, array, object, or a list of them; it is ignored',
        'a.yaml:11:11: the parameter "q" must be in path, query, header or cookie; it is ignored',
        'a.yaml:12:32: the style of a query parameter is one of: form, spaceDelimited, pipeDelimited, deepObject; it is read as form',
        'a.yaml:13:3: the path "noSlash" must begin with "/"; it is read as /noSlash',
      ],
    },
  ],
  [
    'security that is not there, or not supported',
    {
      given: {
        'a.yaml': yaml(
          ID,
          '      security: [{key: []}, {digest: []}]',
          'components: {securitySchemes: {digest: {type: http, scheme: digest}}}',
        ),
      },
      want: [
        'a.yaml:9:18: the security scheme "key" is not among components.securitySchemes; it is neither sent nor checked',
        'a.yaml:10:53: the http scheme of "digest" must be bearer or basic: no other is supported; it is neither sent nor checked',
      ],
    },
  ],
  [
    'servers without a default for a variable',
    {
      given: { 'a.yaml': yaml(ID, 'servers:', '  - url: https://{host}/v1') },
      want: ['a.yaml:10:5: the server variable {host} has no default; it is read as its own name'],
    },
  ],
];

describe('a broken document is refused with file, line, column and reason where it is read strictly', () => {
  test.each(CASES)('%s', async (_name, { given, want }) => {
    const problems = await problemsOf(given);
    const shown = [...problems]
      .sort((left, right) => left.line - right.line || left.column - right.column)
      .map(({ uri, line, column, message }) => `${uri}:${line}:${column}: ${message}`);
    expect(shown).toEqual(want);
  });
});

/** Each of these once took minutes, all memory or the whole stack, in a library or in this project. */
describe('malicious documents', () => {
  const head = 'openapi: 3.1.1\npaths: {/a: {get: {responses: {"200": {description: Done}}}}}\n';

  test.each<[string, string, RegExp]>([
    ['brackets without end', `${head}x: ${'['.repeat(100_000)}`, /nested too deeply/],
    ['brackets that end', `${head}x: ${'['.repeat(50_000)}${']'.repeat(50_000)}`, /nested too deeply/],
    [
      'indentation without end',
      head + Array.from({ length: 2000 }, (_, depth) => `${' '.repeat(depth)}x:`).join('\n'),
      /nested too deeply/,
    ],
  ])('%s', async (_, text, want) => {
    const [problem] = await problemsOf({ 'a.yaml': text });
    expect(problem?.message).toMatch(want);
  });

  test('schemas in a chain of thousands', async () => {
    const schemas = Array.from({ length: 20_000 }, (_, index) => [
      `S${index}`,
      { properties: { next: { $ref: `#/components/schemas/S${Math.min(index + 1, 19_999)}` } } },
    ]);
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } };
    const [problem] = await problemsOf({
      'a.json': documentOf(
        { '/a': { get: { responses: { 200: { description: '', content } } } } },
        { components: { schemas: Object.fromEntries(schemas) } },
      ),
    });
    expect(problem).toMatchObject({ line: 1, message: expect.stringMatching(/too many thousand times/) });
  });

  test('a map with forty thousand keys is accepted', async () => {
    const keys = Array.from({ length: 40_000 }, (_, index) => `  k${index}: 1`).join('\n');
    const { document } = await contractOf({ 'a.yaml': `${head}x:\n${keys}\n` });
    expect(Object.keys((document.root.value as { x: object }).x)).toHaveLength(40_000);
  });
});
