import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadContract } from '#spec';
import { changesOf } from './changes/changes-of.ts';
import { addressOf, pairOperations } from './pair.ts';

/** Edits of two documents as they are found in the wild, each with the classes that are right, by the documents alone. */
const KENNELS = 'fixtures/specs/kennels.yaml';
const PETS = 'spec/openapi.yaml';

type Json = Record<string, unknown>;
const documents = new Map<string, Json>();
for (const file of [KENNELS, PETS]) documents.set(file, parse(await readFile(file, 'utf8')) as Json);
const folder = await mkdtemp(join(tmpdir(), 'compat-edits-'));
let count = 0;

/** The value at a path. */
function at(root: Json, ...path: (string | number)[]): Json {
  return path.reduce<unknown>((here, step) => (here as Json)[step], root) as Json;
}

const get = (root: Json) => at(root, 'paths', '/pets', 'get');
const parameter = (root: Json, index: number) => at(get(root), 'parameters', index);
const schema = (root: Json, name: string) => at(root, 'components', 'schemas', name);
const pet = (root: Json) => schema(root, 'NewPet');
const nameOf = (root: Json) => at(pet(root), 'properties', 'name');

/** A document before and after an edit, and the rules of what breaks and of what is warned of. */
type Row = readonly [
  name: string,
  edit: (next: Json, old: Json) => unknown,
  breaking: readonly string[],
  warnings?: readonly string[],
];

const ROWS: readonly Row[] = [
  ['nothing', () => undefined, []],
  [
    'a limit is tighter',
    (next) => Object.assign(at(parameter(next, 0), 'schema'), { maximum: 50 }),
    ['maximum-tightened'],
  ],
  ['a limit is looser', (next) => Object.assign(at(parameter(next, 0), 'schema'), { maximum: 500 }), []],
  [
    'two limits on one member are two changes',
    (next) => Object.assign(nameOf(next), { maxLength: 9, pattern: '^[a-z]+$' }),
    ['max-length-set', 'pattern-added'],
  ],
  ['a closed list of values', (next) => Object.assign(nameOf(next), { enum: ['a', 'b'] }), ['enum-added']],
  ['an open list of values', (_, old) => Object.assign(nameOf(old), { enum: ['a', 'b'] }), ['enum-removed']],
];

/** Pairs of schemas of one member, in a request and in a response. */
const text = { type: 'string' };
const number = { type: 'integer' };
const open = {};
const cat = { type: 'object', required: ['kind'], properties: { kind: { const: 'cat' }, lives: number } };
const dog = { type: 'object', required: ['kind'], properties: { kind: { const: 'dog' }, name: text } };
const tagged = (mapping: Json) => ({
  oneOf: [{ $ref: '#/components/schemas/Lion' }, { $ref: '#/components/schemas/Wolf' }],
  discriminator: { propertyName: 'kind', mapping },
});
const beast = { type: 'object', required: ['kind'], properties: { kind: text } };
const SCHEMAS = { Lion: beast, Wolf: { ...beast, properties: { kind: text, pack: number } }, Word: text };
const lion = '#/components/schemas/Lion';
const wolf = '#/components/schemas/Wolf';

type Class = 'breaking' | 'safe' | 'none';
const MEMBERS: readonly (readonly [
  name: string,
  old: unknown,
  next: unknown,
  request: Class,
  answer: Class,
])[] = [
  ['moved to a reference', text, { $ref: '#/components/schemas/Word' }, 'none', 'none'],
  ['in an allOf of one', text, { allOf: [text] }, 'none', 'none'],
  ['integer to number', number, { type: 'number' }, 'safe', 'breaking'],
  ['number to integer', { type: 'number' }, number, 'breaking', 'safe'],
  ['nullable as a list of types', text, { type: ['string', 'null'] }, 'safe', 'breaking'],
  ['nullable as a variant', text, { anyOf: [text, { type: 'null' }] }, 'safe', 'breaking'],
  [
    'nullable, written in two ways',
    { type: ['string', 'null'] },
    { anyOf: [text, { type: 'null' }] },
    'none',
    'none',
  ],
  [
    'a variant accepts anything',
    { anyOf: [number, open] },
    { anyOf: [{ ...number, maximum: 5 }, open] },
    'none',
    'safe',
  ],
  [
    'a nullable variant accepts anything',
    { anyOf: [number, { type: 'null' }, open] },
    { anyOf: [{ ...number, minimum: 5 }, { type: 'null' }, open] },
    'none',
    'safe',
  ],
  ['a variant more', { oneOf: [cat] }, { oneOf: [cat, dog] }, 'safe', 'breaking'],
  ['a variant less', { oneOf: [cat, dog] }, { oneOf: [cat] }, 'breaking', 'safe'],
  ['variants in another order', { oneOf: [cat, dog] }, { oneOf: [dog, cat] }, 'none', 'none'],
  ['the same mapping', tagged({ lion, wolf }), tagged({ wolf, lion }), 'none', 'none'],
  [
    'a name of a mapping is another',
    tagged({ lion, wolf }),
    tagged({ lion, hound: wolf }),
    'breaking',
    'breaking',
  ],
  [
    'a further name of a mapping',
    tagged({ lion, wolf }),
    tagged({ lion, wolf, hound: wolf }),
    'safe',
    'breaking',
  ],
  ['int32 to int64', { ...number, format: 'int32' }, { ...number, format: 'int64' }, 'safe', 'breaking'],
  ['a format that nothing judges', text, { ...text, format: 'shelf-mark' }, 'none', 'none'],
  [
    'closed by name',
    { type: 'object', properties: { a: text } },
    { type: 'object', properties: { a: text }, additionalProperties: false },
    'breaking',
    'safe',
  ],
  [
    'a map of others',
    { type: 'object', additionalProperties: text },
    { type: 'object', additionalProperties: number },
    'breaking',
    'breaking',
  ],
  [
    'a multiple of a multiple',
    { ...number, multipleOf: 10 },
    { ...number, multipleOf: 5 },
    'safe',
    'breaking',
  ],
  ['a pattern of any text', text, { ...text, pattern: '^.*$' }, 'none', 'none'],
  [
    'an exclusive limit of the same value',
    { ...number, maximum: 9 },
    { ...number, exclusiveMaximum: 9 },
    'breaking',
    'safe',
  ],
  ['a const of an enum of one', { ...text, enum: ['a'] }, { const: 'a', type: 'string' }, 'none', 'none'],
  [
    'items that are unique',
    { type: 'array', items: text },
    { type: 'array', items: text, uniqueItems: true },
    'breaking',
    'safe',
  ],
  [
    'a type that the members suggest',
    { properties: { a: text } },
    { type: 'object', properties: { a: text } },
    'none',
    'none',
  ],
  ['a description', text, { ...text, description: 'A text.' }, 'none', 'none'],
  ['an example', text, { ...text, examples: ['a'] }, 'none', 'none'],
  ['an extension of others', text, { ...text, 'x-go-name': 'Text' }, 'none', 'none'],
  [
    'a member called example',
    { type: 'object', properties: { example: text } },
    { type: 'object', properties: { example: number } },
    'breaking',
    'breaking',
  ],
];

async function changesBetween(old: Json, next: Json) {
  count += 1;
  const files = [join(folder, `old-${count}.json`), join(folder, `new-${count}.json`)] as const;
  for (const [index, file] of files.entries()) await writeFile(file, JSON.stringify([old, next][index]));
  const contracts = { old: await loadContract(files[0]), new: await loadContract(files[1]) };
  const address = addressOf(contracts.old, contracts.new);
  const pairs = pairOperations(contracts.old, contracts.new, address);
  return changesOf(contracts, pairs, { deprecationDays: 0 });
}

test.for(ROWS)('%s', async ([, edit, breaking, warnings = []]) => {
  const [old, next] = [
    structuredClone(documents.get(PETS) as Json),
    structuredClone(documents.get(PETS) as Json),
  ];
  edit(next, old);
  const found = await changesBetween(old, next);
  const of = (wanted: string) => found.filter((one) => one.class === wanted).map(({ rule }) => rule);
  expect({ breaking: of('breaking').sort(), warnings: of('warning') }).toEqual({ breaking, warnings });
});

/** The member stands beside others, in the first operation of a document that has a body, and in its response. */
test.for(MEMBERS)('%s', async ([, old, next, request, answer]) => {
  const paths = (value: unknown) => {
    const content = {
      'application/json': { schema: { type: 'object', properties: { other: text, value } } },
    };
    const responses = { 200: { description: 'Done.', content } };
    return { '/a': { post: { operationId: 'a', requestBody: { content }, responses } } };
  };
  const base = documents.get(KENNELS) as Json;
  const whole = (value: unknown) => ({
    ...base,
    openapi: '3.1.1',
    paths: paths(value),
    components: { schemas: SCHEMAS },
  });
  const found = await changesBetween(whole(old), whole(next));
  const classOf = (direction: string): Class => {
    const classes = found.filter((one) => one.direction === direction).map((one) => one.class);
    return classes.includes('breaking') ? 'breaking' : classes.includes('safe') ? 'safe' : 'none';
  };
  expect([classOf('request'), classOf('response')]).toEqual([request, answer]);
});
