import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ConfigurationError, checkFile, readConfiguration, scopesOf, type Vocabulary } from '#configuration';
import { REPORT_FORMATS, type ReportFormat } from '#contract-tests';
import { ROOT } from '../quality/testing/command.ts';
import { vocabularyOf } from './apply-configuration.ts';
import { generatedFiles } from './generate.ts';
import { allCommands } from './program.ts';

const FILES = await generatedFiles();
const SCHEMA = JSON.parse(FILES.get('paddock.schema.json') ?? '');
let folder: string;
let vocabulary: Vocabulary;
let bySchema: ValidateFunction;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'schema-'));
  vocabulary = vocabularyOf(await allCommands());
  bySchema = new Ajv({ strict: true, strictTypes: false, strictRequired: false }).compile(SCHEMA);
});

afterAll(() => rmSync(folder, { recursive: true }));

test.for([...FILES])('%s is what the command line defines (npm run generate writes it)', ([path, text]) => {
  expect(readFileSync(join(ROOT, path), 'utf8')).toBe(text);
});

/** Undefined: the reader accepts the file. */
async function problemsOf(text: string, end = 'json'): Promise<string | undefined> {
  const file = join(folder, `given.${end}`);
  writeFileSync(file, text);
  try {
    await readConfiguration(file, vocabulary);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
}

const GOOD = [
  '',
  '{}',
  'mock:\ncheck:\ntargets:\n',
  '$schema: ./node_modules/openapi-paddock/paddock.schema.json\ndocument: openapi.yaml',
  'targets: { a: { url: http://127.0.0.1:4020/v1 }, b.2_c-d: { url: HTTPS://staging.example, readOnly: true } }',
  'targets: { a: { url: http://x, apiKeyEnv: KEY, credentialEnv: { basic: B } } }',
  'check: { readOnly: true, allowWrites: false }',
  'check: { header: { X-Run: 7 }, value: [petId=7], report: json=report.json }',
  'report: { json: a.json, html: b/c.html }\nseed: 7\nport: 0\nlog: json',
  'mock: { store: "postgres://db.example/pets" }',
  'mock: &m { port: 5 }\nproxy: *m',
];

const BAD = [
  '[]',
  'text',
  'port: "4010"',
  'mock: []',
  'mock: { port: -1 }',
  'mock: { prot: 4010 }',
  'mock: { document: }',
  'mock: { apiKey: secret }',
  'mock: { apiKeyEnv: sk-123 }',
  'mock: { store: "postgres://ann:secret@db.example/pets" }',
  'disposable: yes please',
  'judge: { document: https://ann:secret@example.com/openapi.yaml }',
  'seed: 2147483648',
  'check: { readOnly: true, allowWrites: true }',
  'check: { apiKeyFile: key.txt, apiKeyEnv: KEY }',
  'mock: { anyKey: true, apiKeyEnv: KEY }',
  'check: { header: { authorization: Bearer x } }',
  "check: { header: ['AUTHORIZATION: Bearer x'] }",
  'check: { header: { "X Y": 1 } }',
  'check: { report: { jsn: x } }',
  'report: { har: x }',
  'targets: { a: {} }',
  'targets: { a: }',
  'targets: { a: { url: 127.0.0.1 } }',
  'targets: { a: { url: http://ann:secret@x } }',
  'targets: { "http://x": { url: http://x } }',
  'targets: { a: { url: http://x, count: 5 } }',
  '$schema: 7',
];

describe('the schema says what the reader says of', () => {
  test.for(GOOD)('a good file: %s', async (text) => {
    expect(await problemsOf(text, 'yaml')).toBeUndefined();
    expect([bySchema(parse(text)), bySchema.errors]).toEqual([true, null]);
  });

  test.for(BAD)('a bad file: %s', async (text) => {
    expect(await problemsOf(text, 'yaml')).toMatch(/^\S+given\.yaml:\d+:\d+: /);
    expect(bySchema(parse(text))).toBe(false);
  });

  const VALUES: readonly unknown[] = [
    ...[null, true, false, 0, 1, -1, 2.5, 7, 64, 65, 4010, 65_536, 2 ** 31, 1e15],
    ...[
      '',
      '-',
      'x',
      '7',
      '5/s',
      '0/s',
      '0.0',
      'text',
      'json',
      'prism',
      'KEY',
      'a=b',
      'json=x',
      'json=',
      '=x',
    ],
    ...['X-Y: 1', 'Cookie: a', 'X-Y:1\n2', 'file:x', 'https://x/y', 'https://a:b@x/y', 'no-key'],
    ...[[], ['x'], [7], [['x']], ['json=x', 'har=y'], ['X-Y: 1', 'x'], ['prism', 'dredd']],
    ...[
      {},
      { a: 'x' },
      { json: 'x' },
      { json: '' },
      { json: 7 },
      { har: 'x' },
      { cookie: 'x' },
      { 'a=b': 'x' },
    ],
    ...[{ a: null }, { a: 7 }, { a: true }, { a: ['x'] }, { '': 'x' }, { 'A b': 'x' }, { a: 'x\ny' }],
  ];

  interface Level {
    readonly properties: Readonly<Record<string, unknown>>;
  }
  const LEVELS: readonly (readonly [string, Level, (key: string, value: unknown) => unknown])[] = [
    ['the top', SCHEMA, (key, value) => ({ [key]: value })],
    ...[...['mock', 'check', 'proxy', 'judge', 'compat']].map(
      (verb) =>
        [
          verb,
          SCHEMA.properties[verb],
          (key: string, value: unknown) => ({ [verb]: { [key]: value } }),
        ] as const,
    ),
    [
      'a target',
      SCHEMA.definitions.target,
      (key, value) => ({ targets: { t: { url: 'http://x', [key]: value } } }),
    ],
  ];

  /** One for each form, since options of the same form are checked alike. */
  function keysOf(properties: Level['properties']): string[] {
    const forms = Map.groupBy(Object.keys(properties), (key) =>
      JSON.stringify({ ...(properties[key] as object), description: '', default: '' }),
    );
    const strangers = ['apiKey', 'adminToken', 'config', 'nothing', '__proto__', 'constructor'];
    return [...[...forms.values()].flatMap(([key]) => key ?? []), ...strangers].filter(
      (key) => key !== 'url',
    );
  }

  test.for(LEVELS)('each value of each form of option at %s', ([, { properties }, within]) => {
    const keys = keysOf(properties);
    const scopes = scopesOf(vocabulary);
    const isRead = (value: unknown) => {
      try {
        checkFile({ name: '', folder: '', value, programs: undefined, placeOf: () => '' }, scopes);
        return true;
      } catch (error) {
        if (error instanceof ConfigurationError) return false;
        throw error;
      }
    };
    const differing: string[] = [];
    for (const key of keys)
      for (const value of VALUES) {
        const text = JSON.stringify(within('KEY', value)).replace('"KEY":', `${JSON.stringify(key)}:`);
        const file = JSON.parse(text);
        if (isRead(file) !== bySchema(file)) differing.push(text);
      }
    expect(keys.length * VALUES.length).toBeGreaterThan(400);
    expect(differing).toEqual([]);
  });
});

test('the reports that the schema knows are those that there are', () => {
  const formats: Readonly<Record<string, ReportFormat>> = REPORT_FORMATS;
  const names = Object.keys(formats);
  const of = (verb: string) =>
    SCHEMA.properties[verb].properties.report.anyOf[0].propertyNames.enum as readonly string[];
  for (const verb of ['check', 'proxy']) expect([...of(verb)].sort()).toEqual(names.sort());
  const plain = names.filter((name) => !formats[name]?.needsExchanges);
  expect([...of('judge')].sort()).toEqual(plain.sort());
  expect([...of('compat')].sort()).toEqual([...plain, 'changelog'].sort());
});

test('an option that shows a key, a token or a password in its help is a secret', async () => {
  const verbs = await allCommands();
  const settings = [...vocabulary.verbs.values()].flat();
  expect(verbs.length).toBeGreaterThanOrEqual(vocabulary.verbs.size);
  const secret = settings.filter(({ flags }) => /<(?:key|token|password|secret)>/.test(flags));
  expect(secret.map(({ isSecret }) => isSecret)).toEqual(secret.map(() => true));
  expect(secret.length).toBeGreaterThan(3);
});
