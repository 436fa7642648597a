import { describe, expect, test } from 'vitest';
import { asReceived, encodeBody } from '../body-codec.ts';
import type { MediaType } from '../media-type.ts';
import { contractOf } from '../testing/contract-of.ts';
import { compileXmlValues } from './xml-values.ts';

type Yaml = Readonly<Record<string, unknown>>;

/** An XML media type with a schema. */
async function mediaOf(schema: Yaml, schemas: Yaml = {}, openapi = '3.1.1'): Promise<MediaType> {
  const contract = await contractOf({
    'openapi.json': {
      openapi,
      info: { title: 'XML', version: '1' },
      paths: {
        '/x': {
          post: {
            requestBody: { content: { 'application/xml': { schema } } },
            responses: { 204: { description: '' } },
          },
        },
      },
      components: { schemas },
    },
  });
  return contract.operations[0]?.body?.content[0] as MediaType;
}

/** Without the XML declaration and layout. */
const compact = (text: string | undefined) =>
  text
    ?.replace(/^<\?xml[^>]*>\s*/, '')
    .replace(/>\s+</g, '><')
    .replace(/\s*\/>/g, '/>')
    .trim();

const DOCUMENT = (animals: Yaml) => ({ type: 'object', xml: { name: 'document' }, properties: { animals } });
const PETS = { animals: ['dog', 'cat', 'hamster'] };
const animals = (name: string) =>
  ['dog', 'cat', 'hamster'].map((one) => `<${name}>${one}</${name}>`).join('');
const NAMED = { type: 'string', xml: { name: 'animal' } };

/** The examples of the specification, "XML Object Examples": schema, value, document. */
const PUBLISHED: [
  title: string,
  version: string,
  schema: Yaml,
  value: unknown,
  xml: string,
  schemas?: Yaml,
][] = [
  ...['3.0.4', '3.1.1', '3.2.0'].flatMap((version): typeof PUBLISHED => [
    [
      'basic string property',
      version,
      DOCUMENT({ type: 'string' }),
      { animals: 'dog, cat, hamster' },
      '<document><animals>dog, cat, hamster</animals></document>',
    ],
    [
      'basic string array',
      version,
      DOCUMENT({ type: 'array', items: { type: 'string' } }),
      PETS,
      `<document>${animals('animals')}</document>`,
    ],
    [
      'name replacement',
      version,
      DOCUMENT(NAMED),
      { animals: 'dog' },
      '<document><animal>dog</animal></document>',
    ],
    [
      'changing the element names',
      version,
      DOCUMENT({ type: 'array', items: NAMED }),
      PETS,
      `<document>${animals('animal')}</document>`,
    ],
    [
      'the external name has no effect',
      version,
      DOCUMENT({ type: 'array', xml: { name: 'aliens' }, items: NAMED }),
      PETS,
      `<document>${animals('animal')}</document>`,
    ],
    ...[version === '3.2.0' ? { nodeType: 'element' } : { wrapped: true }].flatMap(
      (wrapped): typeof PUBLISHED => [
        [
          'wrapped, the same name inside and outside',
          version,
          DOCUMENT({ type: 'array', xml: wrapped, items: { type: 'string' } }),
          PETS,
          `<document><animals>${animals('animals')}</animals></document>`,
        ],
        [
          'wrapped, with a name inside',
          version,
          DOCUMENT({ type: 'array', xml: wrapped, items: NAMED }),
          PETS,
          `<document><animals>${animals('animal')}</animals></document>`,
        ],
        [
          'wrapped, with both names',
          version,
          DOCUMENT({ type: 'array', xml: { name: 'aliens', ...wrapped }, items: NAMED }),
          PETS,
          `<document><aliens>${animals('animal')}</aliens></document>`,
        ],
        [
          'wrapped, with the name outside',
          version,
          DOCUMENT({ type: 'array', xml: { name: 'aliens', ...wrapped }, items: { type: 'string' } }),
          PETS,
          `<document><aliens>${animals('aliens')}</aliens></document>`,
        ],
      ],
    ),
    [
      'attribute, prefix and namespace',
      version,
      { $ref: '#/components/schemas/Person' },
      { id: 123, name: 'example' },
      '<Person id="123"><sample:name xmlns:sample="https://example.com/schema/sample">example</sample:name></Person>',
      {
        Person: {
          type: 'object',
          properties: {
            id: {
              type: 'integer',
              format: 'int32',
              xml: version === '3.2.0' ? { nodeType: 'attribute' } : { attribute: true },
            },
            name: {
              type: 'string',
              xml: { namespace: 'https://example.com/schema/sample', prefix: 'sample' },
            },
          },
        },
      },
    ],
  ]),
  [
    'elements with attributes and text',
    '3.2.0',
    {
      type: 'array',
      xml: { nodeType: 'element', name: 'animals' },
      items: {
        xml: { name: 'animal' },
        properties: {
          kind: { type: 'string', xml: { nodeType: 'attribute' } },
          name: { type: 'string', xml: { nodeType: 'text' } },
        },
      },
    },
    [
      { kind: 'Cat', name: 'Fluffy' },
      { kind: 'Dog', name: 'Fido' },
    ],
    '<animals><animal kind="Cat">Fluffy</animal><animal kind="Dog">Fido</animal></animals>',
  ],
  ...[
    ['Documentation', { $ref: '#/components/schemas/Documentation' }, {}],
    [
      'StoredDocument',
      { xml: { nodeType: 'element', name: 'StoredDocument' }, $ref: '#/components/schemas/Documentation' },
      { xml: { nodeType: 'none' } },
    ],
  ].map(([name, schema, more]): (typeof PUBLISHED)[number] => [
    `CDATA in ${name}`,
    '3.2.0',
    schema as Yaml,
    { content: '<html><head><title>Awesome Docs</title></head><body></body><html>' },
    `<${name}><![CDATA[<html><head><title>Awesome Docs</title></head><body></body><html>]]></${name}>`,
    {
      Documentation: {
        type: 'object',
        ...(more as Yaml),
        properties: { content: { type: 'string', xml: { nodeType: 'cdata' } } },
      },
    },
  ]),
  [
    'ordered elements, and null',
    '3.2.0',
    {
      xml: { nodeType: 'element', name: 'OneTwoThree' },
      type: 'array',
      prefixItems: [
        { xml: { name: 'One' }, type: 'string' },
        {
          xml: { name: 'Two' },
          type: 'object',
          properties: {
            unit: { type: 'string', xml: { nodeType: 'attribute' } },
            value: { type: 'number', xml: { nodeType: 'text' } },
          },
        },
        { xml: { name: 'Three' }, type: ['boolean', 'null'] },
      ],
    },
    ['Some text', { unit: 'cubits', value: 42 }, null],
    '<OneTwoThree><One>Some text</One><Two unit="cubits">42</Two><Three xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/></OneTwoThree>',
  ],
  [
    'ordered elements and text',
    '3.2.0',
    {
      xml: { nodeType: 'element', name: 'Report' },
      type: 'array',
      prefixItems: [
        { xml: { nodeType: 'text' }, type: 'string' },
        { xml: { name: 'data' }, type: 'number' },
        { xml: { nodeType: 'text' }, type: 'string' },
      ],
    },
    ['Some preamble text.', 42, 'Some postamble text.'],
    '<Report>Some preamble text.<data>42</data>Some postamble text.</Report>',
  ],
  ...[
    [
      { count: null, description: 'Thing', related: null },
      '<product><description>Thing</description><related xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/></product>',
    ],
    [
      { count: 42, description: 'Thing', related: {} },
      '<product count="42"><description>Thing</description><related/></product>',
    ],
  ].map(([value, xml]): (typeof PUBLISHED)[number] => [
    'null values',
    '3.2.0',
    {
      xml: { name: 'product' },
      type: 'object',
      required: ['count', 'description', 'related'],
      properties: {
        count: { type: ['number', 'null'], xml: { nodeType: 'attribute' } },
        rating: { type: 'string', xml: { nodeType: 'attribute' } },
        description: { type: 'string' },
        related: { type: ['object', 'null'] },
      },
    },
    value,
    xml as string,
  ]),
];

describe('the examples of the specification, in both directions', () => {
  test.each(PUBLISHED)('%s (%s)', async (_, version, schema, value, xml, schemas) => {
    const values = compileXmlValues(await mediaOf(schema, schemas, version));
    expect(compact(values.encode(value))).toBe(xml);
    expect(values.decode(xml)).toEqual(value);
  });
});

const PET = {
  type: 'object',
  xml: { name: 'pet' },
  required: ['tags'],
  properties: {
    id: { type: 'integer', format: 'int64' },
    name: { type: 'string' },
    tame: { type: 'boolean' },
    weight: { type: ['number', 'null'] },
    tags: { type: 'array', items: { type: 'string' } },
    urls: { type: 'array', xml: { wrapped: true }, items: { type: 'string', xml: { name: 'url' } } },
  },
};

test.each<[string, string, unknown]>([
  ['an integer beyond 2^53', '<pet><id>9007199254740993</id></pet>', { id: 9007199254740993n, tags: [] }],
  ['an integer among spaces', '<pet><id>\n 7 </id></pet>', { id: 7, tags: [] }],
  ['no integer', '<pet><id>seven</id></pet>', { id: 'seven', tags: [] }],
  ['booleans', '<pet><tame>false</tame></pet>', { tame: false, tags: [] }],
  [
    'a null',
    '<pet xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><weight i:nil="true"/></pet>',
    { weight: null, tags: [] },
  ],
  ['an empty number that may be null', '<pet><weight/></pet>', { weight: null, tags: [] }],
  ['one item', '<pet><tags>a</tags></pet>', { tags: ['a'] }],
  ['an empty array in its element', '<pet><urls/></pet>', { tags: [], urls: [] }],
  ['one item in its element', '<pet><urls><url>a</url></urls></pet>', { tags: [], urls: ['a'] }],
  [
    'spaces of a text, entities and CDATA',
    '<pet><name> a&amp;b&#x41;<![CDATA[<c>]]> </name></pet>',
    { name: ' a&bA<c> ', tags: [] },
  ],
  ['an empty text', '<pet><name></name></pet>', { name: '', tags: [] }],
  ['a member twice', '<pet><name>a</name><name>b</name></pet>', { name: ['a', 'b'], tags: [] }],
  [
    'what no schema describes',
    '<pet kind="x"><more><a>1</a><a>2</a></more></pet>',
    { kind: 'x', more: { a: ['1', '2'] }, tags: [] },
  ],
  ['a default namespace of the client', '<pet xmlns="urn:x"><id>1</id></pet>', { id: 1, tags: [] }],
  [
    'a comment, an instruction and a DTD',
    '<!DOCTYPE pet><pet><!-- c --><?p i?><id>1</id></pet>',
    { id: 1, tags: [] },
  ],
])('reads %s', async (_, xml, want) => {
  expect(compileXmlValues(await mediaOf(PET)).decode(xml)).toEqual(want);
});

test.each<[string, string, RegExp]>([
  [
    'entities of a DTD',
    '<!DOCTYPE pet [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><pet><name>&b;</name></pet>',
    /undefined entity/,
  ],
  [
    'a file of this machine',
    '<!DOCTYPE pet [<!ENTITY a SYSTEM "file:///etc/passwd">]><pet><name>&a;</name></pet>',
    /undefined entity/,
  ],
  ['depth', `<pet>${'<a>'.repeat(200)}${'</a>'.repeat(200)}</pet>`, /nested more than 100 deep/],
  ['many elements', `<pet>${'<a/>'.repeat(100_001)}</pet>`, /more than 100000 elements/],
  [
    'many attributes',
    `<pet ${Array.from({ length: 1001 }, (_, n) => `a${n}="1"`).join(' ')}/>`,
    /more than 1000 attributes/,
  ],
  ['an end that is missing', '<pet><name>a</pet>', /^1:18: unexpected close tag/],
  ['two roots', '<pet/><pet/>', /one root/],
  ['text alone', 'hello', /outside of root/],
  ['nothing', '', /root element/],
  ['an unbound prefix', '<p:pet/>', /unbound namespace prefix/],
  ['another root', '<Pet/>', /its root element <Pet> must be <pet>/],
])('refuses %s', async (_, xml, problem) => {
  const { decode } = compileXmlValues(await mediaOf(PET));
  expect(() => decode(xml)).toThrow(problem);
});

test('what branches mean is tried once each, however deep they are nested', async () => {
  const schemas = {
    Tree: {
      oneOf: ['Leaf', 'Branch'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
    },
    Leaf: { type: 'object', required: ['value'], properties: { value: { type: 'integer' } } },
    Branch: {
      type: 'object',
      required: ['left'],
      properties: { left: { $ref: '#/components/schemas/Tree' } },
    },
  };
  const { decode } = compileXmlValues(await mediaOf({ $ref: '#/components/schemas/Tree' }, schemas));
  const deep = 90;
  const xml = `<Tree>${'<left>'.repeat(deep)}<value>7</value>${'</left>'.repeat(deep)}</Tree>`;
  let value = decode(xml);
  for (let at = 0; at < deep; at++) value = (value as { left: unknown }).left;
  expect(value).toEqual({ value: 7 });
});

test('what XML cannot hold has no form; all else comes back as it was sent', async () => {
  const media = await mediaOf(PET);
  expect(compileXmlValues(media).encode({ name: '\u0001', tags: [] })).toBeUndefined();
  expect(compileXmlValues(media).encode({ 'a b': 1, tags: [] })).toBeUndefined();
  const value = { id: 2n ** 60n, name: ' <a> & "b"\r\n\t]]> é 😀', tame: true, tags: ['x'], urls: [] };
  expect(asReceived(media, value)).toEqual(value);
  expect(encodeBody(media, value).type).toBe('application/xml');
});

const inNamespace = (namespace: string, more: Yaml = {}) => ({
  ...{ type: 'string' },
  xml: { namespace, ...more },
});

test.each<[string, Yaml]>([
  [
    'attributes without prefixes',
    {
      a: inNamespace('http://localhost/a', { attribute: true }),
      b: inNamespace('http://localhost/b', { attribute: true }),
    },
  ],
  [
    'an attribute with the prefix of its element',
    { a: inNamespace('http://localhost/a', { prefix: 'q', attribute: true }) },
  ],
  [
    'an element with the prefix of the one around it',
    { a: inNamespace('http://localhost/a', { prefix: 'q' }) },
  ],
])('a prefix stands for one namespace in an element: %s', async (_, properties) => {
  const xml = { name: 'root', namespace: 'http://localhost/root', prefix: 'q' };
  const { encode, decode } = compileXmlValues(await mediaOf({ type: 'object', xml, properties }));
  const value = Object.fromEntries(Object.keys(properties).map((name) => [name, `of ${name}`]));
  expect(decode(encode(value) ?? '')).toEqual(value);
});

test('an encoding is that of Content-Type, else of the document itself', async () => {
  const media = await mediaOf(PET);
  const { bodyCodec } = await import('../body-codec.ts');
  const { decode } = bodyCodec(media, 'xml');
  const xml = (name: string) => `<?xml version="1.0" encoding="iso-8859-1"?><pet><name>${name}</name></pet>`;
  const want = { value: { name: 'é', tags: [] }, mistyped: [] };
  expect(decode(Buffer.from(xml('é'), 'latin1'), 'application/xml')).toEqual(want);
  expect(decode(Buffer.from(xml('é')), 'application/xml; charset=utf-8')).toEqual(want);
  expect(decode(Buffer.from(`\uFEFF<pet><name>é</name></pet>`, 'utf16le'), 'text/xml')).toEqual(want);
  expect(decode(Buffer.from(xml('x')), 'text/xml; charset=klingon')).toEqual({
    error: 'must be in UTF-8',
    charset: true,
  });
});

test('a member counts in its own place only: an element is no attribute, and the other way round', async () => {
  const properties = {
    id: { type: 'integer', xml: { attribute: true } },
    name: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' }, xml: { wrapped: true, name: 'labels' } },
  };
  const { decode } = compileXmlValues(await mediaOf({ type: 'object', xml: { name: 'pet' }, properties }));
  expect(decode('<pet name="Rex"><id>7</id><tags>a</tags><more>1</more></pet>')).toEqual({ more: '1' });
  expect(decode('<pet id="7"><name>Rex</name><labels><labels>a</labels></labels></pet>')).toEqual({
    id: 7,
    name: 'Rex',
    tags: ['a'],
  });
});
