import { describe, expect, test } from 'vitest';
import { compared } from './testing/compared.ts';
import { asked, documentOf, json, OK } from './testing/documents.ts';

type Verdict = 'breaking' | 'safe' | 'same';

const text = { type: 'string' };
const integer = { type: 'integer' };
const list = { type: 'array', items: integer };
const record = { type: 'object', properties: { b: integer } };
const file = { type: 'string', format: 'binary' };
const a = (schema: object) => ({ type: 'object', required: ['a'], properties: { a: schema } });

const body = (type: string, schema: object, more: object = {}) => ({
  content: { [type]: { schema, ...more } },
});
const sent = (content: object, more: object = {}) =>
  documentOf({ '/things': { post: { requestBody: { required: true, ...content }, responses: OK } } }, more);
const answered = (content: object, more: object = {}) =>
  documentOf({ '/things': { get: { responses: { 200: { description: 'A thing.', ...content } } } } }, more);

const xml = (schema: object) => body('application/xml', schema);
const named = (members: object, schema: object = text) => xml(a({ ...schema, xml: members }));
const root = (members: object) => xml({ ...a(text), xml: members });
const form = (schema: object, encoding: object = {}) =>
  body('application/x-www-form-urlencoded', a(schema), { encoding: { a: encoding } });
const parts = (encoding: object, schema: object = file) =>
  body('multipart/form-data', a(schema), { encoding: { a: encoding } });
const header = (members: object) => ({ headers: { 'X-A': members } });
const query = (members: object) => asked([{ name: 'a', in: 'query', ...members }]);

async function verdictOf(old: object, next: object): Promise<Verdict> {
  const { exitCode, changes = [] } = await compared([old, next]);
  expect([0, 1]).toContain(exitCode);
  if (exitCode === 1) return 'breaking';
  return changes.some((one) => one.class !== 'note') ? 'safe' : 'same';
}

type Row = readonly [name: string, old: object, next: object, there: Verdict, back: Verdict];

const IN_BODIES: readonly Row[] = [
  ['the name of an element', named({ name: 'aa' }), named({ name: 'bb' }), 'breaking', 'breaking'],
  ['a name that is written', named({}), named({ name: 'a' }), 'same', 'same'],
  ['an attribute', named({ attribute: true }), named({}), 'breaking', 'breaking'],
  ['the namespace', named({ namespace: 'urn:a' }), named({ namespace: 'urn:b' }), 'breaking', 'breaking'],
  ['a wrapped list', named({ wrapped: true }, list), named({}, list), 'breaking', 'breaking'],
  [
    'the name of items',
    named({}, list),
    named({}, { type: 'array', items: { ...integer, xml: { name: 'i' } } }),
    'breaking',
    'breaking',
  ],
  [
    'the name of a list that has no element',
    named({ name: 'x' }, list),
    named({ name: 'y' }, list),
    'same',
    'same',
  ],
  ['the root', root({ name: 'one' }), root({ name: 'two' }), 'breaking', 'breaking'],
  ['names in JSON', json(a({ ...text, xml: { name: 'aa' } })), json(a({ ...text, xml: {} })), 'same', 'same'],
];

const IN_REQUESTS: readonly Row[] = [
  ['a list in a form', form(list), form(list, { explode: false }), 'breaking', 'breaking'],
  ['what a form has by default', form(list), form(list, { style: 'form', explode: true }), 'same', 'same'],
  ['explode of a text', form(text), form(text, { explode: false }), 'same', 'same'],
  [
    'an object in a form',
    form(record, { style: 'deepObject', explode: true }),
    form(record, { style: 'form', explode: false }),
    'breaking',
    'breaking',
  ],
  ['reserved characters', form(text, { allowReserved: true }), form(text), 'breaking', 'safe'],
  ['a text that must be a number', form(text), form(integer), 'breaking', 'safe'],
  [
    'media types of a part',
    parts({ contentType: 'image/png, image/jpeg' }),
    parts({ contentType: 'image/png' }),
    'breaking',
    'safe',
  ],
  [
    'a range of media types',
    parts({ contentType: 'image/*' }),
    parts({ contentType: 'image/png' }),
    'breaking',
    'safe',
  ],
  [
    'a name of XML in a part',
    parts({ contentType: 'application/xml' }, a({ ...text, xml: { name: 'aa' } })),
    parts({ contentType: 'application/xml' }, a(text)),
    'breaking',
    'breaking',
  ],
  ['the usual media type', parts({}), parts({ contentType: 'application/octet-stream' }), 'same', 'same'],
  [
    'a required header of a part',
    parts({}),
    parts({ headers: { 'X-A': { required: true, schema: text } } }),
    'breaking',
    'safe',
  ],
  [
    'the values of a header of a part',
    parts({ headers: { 'X-A': { schema: text } } }),
    parts({ headers: { 'X-A': { schema: integer } } }),
    'breaking',
    'safe',
  ],
];

const IN_RESPONSES: readonly Row[] = [
  [
    'an object in a header',
    header({ schema: record, explode: true }),
    header({ schema: record }),
    'breaking',
    'breaking',
  ],
  ['a list in a header', header({ schema: list, explode: true }), header({ schema: list }), 'same', 'same'],
  ['JSON in a header', header({ schema: record }), header(json(record)), 'breaking', 'breaking'],
  ['a number that is JSON in a header', header({ schema: integer }), header(json(integer)), 'same', 'same'],
  [
    'values of a header that is JSON',
    header(json({ enum: ['a', 'b'] })),
    header(json({ enum: ['a'] })),
    'safe',
    'breaking',
  ],
  [
    'a text of a header that is a number',
    header({ schema: text }),
    header({ schema: integer }),
    'safe',
    'breaking',
  ],
  [
    'a text of a header that is a list',
    header({ schema: text }),
    header({ schema: list }),
    'safe',
    'breaking',
  ],
  ['a text that is an object', header({ schema: text }), header({ schema: record }), 'safe', 'breaking'],
  [
    'a list that is longer than a text may be',
    header({ schema: { ...text, maxLength: 2 } }),
    header({ schema: list }),
    'breaking',
    'breaking',
  ],
  [
    'a number of more figures than a text may have',
    header({ schema: { ...text, maxLength: 2 } }),
    header({ schema: integer }),
    'breaking',
    'breaking',
  ],
  ['a text that is a number', body('text/plain', text), body('text/plain', integer), 'safe', 'breaking'],
  ['a text of an element that is a number', xml(a(text)), xml(a(integer)), 'safe', 'breaking'],
];

const PARAMETERS: readonly Row[] = [
  [
    'a name of XML',
    query(xml(a({ ...text, xml: { name: 'aa' } }))),
    query(xml(a(text))),
    'breaking',
    'breaking',
  ],
  [
    'a header without a value, which none may be',
    asked([{ name: 'X-A', in: 'header', schema: integer, allowEmptyValue: true }]),
    asked([{ name: 'X-A', in: 'header', schema: integer }]),
    'same',
    'same',
  ],
  [
    'a name without a value',
    query({ schema: integer, allowEmptyValue: true }),
    query({ schema: integer }),
    'breaking',
    'safe',
  ],
  [
    'an empty text that the schema has',
    query({ schema: text, allowEmptyValue: true }),
    query({ schema: text }),
    'same',
    'same',
  ],
];

const IN_32 = { openapi: '3.2.0' };

describe.each([
  ['in requests', [...IN_BODIES, ...IN_REQUESTS], sent],
  ['in responses', [...IN_BODIES, ...IN_RESPONSES], answered],
  ['of parameters', PARAMETERS, (document: object) => document],
  [
    'as OpenAPI 3.2 has it',
    [
      ['a text of its element', named({ nodeType: 'text' }), named({}), 'breaking', 'breaking'],
      ['an attribute', named({ nodeType: 'attribute' }), named({ attribute: true }), 'same', 'same'],
      ['a section', named({ nodeType: 'text' }), named({ nodeType: 'cdata' }), 'same', 'same'],
    ] as readonly Row[],
    (content: object) => answered(content, IN_32),
  ],
] as const)('how values are written %s', (_, rows, around) => {
  test.for(rows)('%s', async ([, old, next, there, back]) => {
    expect([await verdictOf(around(old), around(next)), await verdictOf(around(next), around(old))]).toEqual([
      there,
      back,
    ]);
  });
});
