import { expect, test } from 'vitest';
import { successOf } from './resources/record-schema.ts';
import { streamFormatOf, writeMessage } from './stream-format.ts';
import { compileMessageCheck, isSentinel, messageForms, readStream } from './stream-messages.ts';
import { contractOf } from './testing/contract-of.ts';

test.each([
  ['text/event-stream; charset=utf-8', 'events'],
  ['application/x-ndjson', 'lines'],
  ['application/ndjson', 'lines'],
  ['application/jsonl', 'lines'],
  ['application/json-seq', 'sequence'],
  ['application/geo+json-seq', 'sequence'],
  ['application/json', undefined],
  ['text/plain', undefined],
])('%s is read as %s', (type, format) => {
  expect(streamFormatOf(type)).toBe(format);
});

test('server-sent events are read as the HTML standard says', () => {
  const text =
    '\uFEFF: hello\r\nevent: add\r\nid: 7\r\nretry: 10\r\ndata: a\r\ndata:b\r\n\r\ndata\n\nother: x\ndata:  c\n\n';
  expect(readStream('events', text, true)).toEqual({
    messages: [
      { data: 'a\nb', event: 'add', id: '7', retry: 10 },
      { data: '', event: undefined, id: undefined, retry: undefined },
      { data: ' c', event: undefined, id: undefined, retry: undefined },
    ],
    problems: [],
  });
});

test.each<[string, string, string, RegExp]>([
  [
    'events',
    'an event without an empty line behind it',
    'data: a\n\ndata: b\n',
    /no empty line ends the last event/,
  ],
  ['events', 'JSON without a field', '{"a": 1}\n\n', /is no field of an event/],
  ['events', 'a retry that is no number', 'retry: 1s\ndata: a\n\n', /is no number/],
  ['sequence', 'JSON without a record separator', '{"a": 1}\n\x1e{}\n', /does not follow a record separator/],
])('of %s it is a problem: %s', (format, _, text, problem) => {
  const { problems } = readStream(format as 'events', text, true);
  expect(problems).toEqual([expect.stringMatching(problem)]);
});

test('lines may end in several ways in one stream', () => {
  expect(readStream('events', 'data: a\r\n\ndata: b\n\r\n', true)).toMatchObject({
    messages: [{ data: 'a' }, { data: 'b' }],
    problems: [],
  });
});

test('what a stream that goes on ends with is no message, and no problem', () => {
  expect(readStream('events', 'data: a\n\ndata: b', false)).toMatchObject({
    messages: [{ data: 'a' }],
    problems: [],
  });
  expect(readStream('lines', '{}\n{"a"', false).messages).toEqual([{ data: '{}' }]);
  expect(readStream('lines', '{}\n{"a":1}', true).messages).toHaveLength(2);
  expect(readStream('sequence', '\x1e{}\n\x1e{"a"', false).messages).toEqual([{ data: '{}' }]);
});

test('what is written is read again', () => {
  const message = { data: 'two\nlines', event: 'e', id: '1', retry: 5 };
  expect(readStream('events', writeMessage('events', message), true).messages).toEqual([message]);
  for (const format of ['lines', 'sequence'] as const)
    expect(readStream(format, writeMessage(format, { data: '{"a":1}' }), true).messages).toEqual([
      { data: '{"a":1}' },
    ]);
});

const SCHEMAS = {
  Pet: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
  /** From the examples of OpenAPI 3.2. */
  Event: {
    type: 'object',
    properties: { event: { type: 'string' }, data: { type: 'string' }, retry: { type: 'integer' } },
    required: ['event'],
    oneOf: [
      { properties: { event: { const: 'text' } } },
      {
        properties: {
          event: { const: 'pet' },
          data: { contentMediaType: 'application/json', contentSchema: { $ref: '#/components/schemas/Pet' } },
        },
      },
    ],
  },
  Typed: {
    type: 'object',
    required: ['data'],
    properties: {
      event: { enum: ['pet', 'end'] },
      data: { oneOf: [{ $ref: '#/components/schemas/Pet' }, { const: '[END]' }] },
    },
  },
};

async function mediaOf(type: string, media: object) {
  const content = { [type]: media };
  const document = {
    openapi: '3.2.0',
    info: { title: 'S', version: '1' },
    paths: { '/s': { get: { responses: { 200: { description: 'OK', content } } } } },
    components: { schemas: SCHEMAS },
  };
  const contract = await contractOf({ 'openapi.json': document });
  const [operation] = contract.operations;
  const found = operation && successOf(operation)?.content[0];
  if (!found) throw new Error('there is no media type');
  return { media: found, check: compileMessageCheck(found, contract.validators) };
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const SSE = 'text/event-stream';

test.each<[string, string, object, object, string[]]>([
  [
    'an event and its content',
    SSE,
    { itemSchema: ref('Event') },
    { event: 'pet', data: '{"name":"Rex"}' },
    [],
  ],
  [
    'content that does not fit',
    SSE,
    { itemSchema: ref('Event') },
    { event: 'pet', data: '{}' },
    ['/data/name'],
  ],
  ['content that is no JSON', SSE, { itemSchema: ref('Event') }, { event: 'pet', data: 'Rex' }, ['/data']],
  [
    'a text where no content is described',
    SSE,
    { itemSchema: ref('Event') },
    { event: 'text', data: 'Rex' },
    [],
  ],
  ['an event of another name', SSE, { itemSchema: ref('Event') }, { event: 'cat', data: 'x' }, ['']],
  ['data as an object', SSE, { itemSchema: ref('Typed') }, { data: '{"name":"Rex"}' }, []],
  ['data as a text', SSE, { itemSchema: ref('Typed') }, { data: '[END]' }, []],
  ['data that is neither', SSE, { itemSchema: ref('Typed') }, { data: '{"name":1}' }, ['/data/name']],
  ['the schema of a message before 3.2', SSE, { schema: ref('Pet') }, { data: '{"name":1}' }, ['/name']],
  [
    'the schema of the sequence',
    SSE,
    { schema: { type: 'array', items: ref('Pet') } },
    { data: '{"name":1}' },
    ['/name'],
  ],
  ['a text of which nothing is said', SSE, { schema: { type: 'string' } }, { data: 'anything' }, []],
  ['nothing said at all', SSE, {}, { data: 'anything' }, []],
  ['a line', 'application/x-ndjson', { itemSchema: ref('Pet') }, { data: '{"name":"Rex"}' }, []],
  ['a line that does not fit', 'application/x-ndjson', { itemSchema: ref('Pet') }, { data: '{}' }, ['/name']],
  ['a line that is no JSON', 'application/x-ndjson', {}, { data: 'Rex' }, ['']],
])('%s is judged', async (_, type, media, message, pointers) => {
  const { check } = await mediaOf(type, media);
  expect(check(message as { data: string }).map(({ pointer }) => pointer)).toEqual(pointers);
});

test('a problem has its position in the document', async () => {
  const { check } = await mediaOf(SSE, { itemSchema: ref('Event') });
  const [problem] = check({ event: 'pet', data: '{}' });
  expect(problem).toMatchObject({ keyword: 'required', at: { line: expect.any(Number) } });
});

test('who makes messages is given their forms', async () => {
  const { media } = await mediaOf(SSE, { itemSchema: ref('Event') });
  expect(messageForms(media).map(({ events, isJson }) => [events, isJson])).toEqual([
    [['text'], false],
    [['pet'], true],
  ]);
  const typed = await mediaOf(SSE, { itemSchema: ref('Typed') });
  expect(messageForms(typed.media).map(({ isJson }) => isJson)).toEqual([true, false]);
});

test.each([
  ['[DONE]', true],
  ['[END OF STREAM]', true],
  ['[1]', false],
  ['["DONE"]', false],
  ['DONE', false],
])('%s ends a stream by convention: %s', (data, isEnd) => {
  expect(isSentinel({ data })).toBe(isEnd);
});
