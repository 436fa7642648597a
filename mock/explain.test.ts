import { expect, test } from 'vitest';
import { explain } from './index.ts';
import { documentOf, fixture, SHIPPED, serve, serveText } from './testing/serve.ts';

/** Each fact with what stands at the lines that it names: a key, or the name of a parameter. */
async function factsOf(document: string, operationId: string): Promise<[string, string, ...string[]][]> {
  const mock = await serve(document);
  const explanation = explain(mock).find(({ operation }) => operation.id === operationId);
  const files = [...mock.contract.document.files.values()];
  return (explanation?.facts ?? []).map(({ about, text, at }) => [
    about,
    text,
    ...at.map(({ uri, line }) => {
      const file = files.find((one) => one.uri === uri);
      const text = file?.text.split('\n')[line - 1] ?? '';
      return /^ *(?:- (?:\{ )?)?(name: \w+|\w+:)/.exec(text)?.[1] ?? text;
    }),
  ]);
}

test.each<[string, string, [string, string, ...string[]][]]>([
  [
    SHIPPED,
    'listPets',
    [
      ['list', 'the records of /pets: the answer is an array', 'Pets:'],
      ['filter', 'status: the record has a member of this name', 'name: status', 'status:'],
      ['page size', 'limit: 20 records where it is not given, 100 at most', 'name: limit'],
    ],
  ],
  [
    SHIPPED,
    'getPet',
    [
      ['read', 'one record of /pets', 'Pet:'],
      ['id', "{petId} is the record's id: a link says so", 'name: petId', 'readCreated:', 'id:'],
    ],
  ],
  [
    fixture('warehouse.yaml'),
    'list_articles',
    [
      ['list', 'the records of /articles: the answer holds one array of records', 'ArticlePage:'],
      ['member', 'articles holds the records', 'articles:'],
      ['filter', 'unit: the record has a member of this name', 'name: unit', 'unit:'],
      ['page size', 'page_size: 10 records where it is not given, 50 at most', 'name: page_size'],
      ['page', 'page_number: the number of the page', 'name: page_number'],
    ],
  ],
  [
    fixture('libraries.yaml'),
    'amendBook',
    [
      [
        'update',
        "the body's members are merged into a record of /libraries/{libraryId}/books",
        'requestBody:',
      ],
      ['id', "{bookId} is the record's id: by its name", 'name: bookId', 'id:'],
      ['parent', '{libraryId} is what the record belongs to, kept beside the record', 'LibraryId:'],
    ],
  ],
])('%s: %s', async (document, operationId, facts) => {
  expect(await factsOf(document, operationId)).toEqual(facts);
});

test.each(['warehouse.yaml', 'tide-gauges.yaml', 'libraries.yaml', 'notices/openapi.yaml'])(
  '%s: every fact names a line, and none twice',
  async (name) => {
    const explanations = explain(await serve(fixture(name)));
    expect(explanations.length).toBeGreaterThan(3);
    for (const { facts } of explanations) {
      expect(facts.length).toBeGreaterThan(0);
      for (const { at } of facts) {
        expect(at.length).toBeGreaterThan(0);
        expect(new Set(at.map(({ uri, line }) => `${uri}:${line}`)).size).toBe(at.length);
      }
    }
  },
);

test('an operation of no collection is explained by the source of its response, and the reason', async () => {
  const answer = (media: object) => ({
    200: { description: 'Fine', content: { 'application/json': media } },
  });
  const schema = { type: 'object', properties: { up: { type: 'boolean' } } };
  const mock = await serveText(
    documentOf({
      '/weather': { get: { responses: answer({ schema, examples: { sunny: { value: { up: true } } } }) } },
      '/tide': { get: { responses: answer({ schema }) } },
      '/bell': { post: { responses: { 204: { description: 'Rung' } } } },
    }),
  );
  const because = 'because it belongs to no collection that the document describes';
  expect(explain(mock).map(({ facts }) => facts.map(({ about, text }) => [about, text]))).toEqual([
    [['sample', `answered from the example "sunny", ${because}`]],
    [['sample', `answered from the schema, ${because}`]],
    [['sample', `answered without a body, ${because}`]],
  ]);
});
