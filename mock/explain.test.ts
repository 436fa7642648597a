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
  const stream = { 'text/event-stream': { schema } };
  const mock = await serveText(
    documentOf({
      '/weather': { get: { responses: answer({ schema, examples: { sunny: { value: { up: true } } } }) } },
      '/tide': { get: { responses: answer({ schema }) } },
      '/bell': { post: { responses: { 204: { description: 'Rung' } } } },
      '/gusts': { get: { responses: { 200: { description: 'Gusts', content: stream } } } },
    }),
  );
  const because = 'because it is stateless';
  expect(explain(mock).map(({ facts }) => facts.map(({ about, text }) => [about, text]))).toEqual([
    [['sample', `answered from the example "sunny", ${because}`]],
    [['sample', `answered from the schema, ${because}`]],
    [['sample', `answered without a body, ${because}`]],
    [
      [
        'sample',
        'answered from the schema, because it is a stream, which sends records where its messages hold them',
      ],
    ],
  ]);
});

test('members of a body that no record has are named; those of logins and those to be hidden have a purpose', async () => {
  const text = { type: 'string' };
  const id = { type: 'integer', readOnly: true };
  const json = (properties: object) => ({ content: { 'application/json': { schema: { properties } } } });
  const sent = json({ id, name: text, expand: text, password: text, pin: { ...text, writeOnly: true } });
  const shown = (status: number) => ({
    responses: { [status]: { description: '', ...json({ id, name: text }) } },
  });
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
  const mock = await serveText(
    documentOf({
      '/crews': { post: { requestBody: sent, ...shown(201) } },
      '/crews/{id}': { parameters, get: shown(200), put: { requestBody: sent, ...shown(200) } },
    }),
  );
  const ignored = explain(mock).map(({ facts }) => facts.filter(({ about }) => about === 'ignored'));
  expect(ignored.map((facts) => facts.map(({ text }) => text))).toEqual([
    ['expand of the body: validated, in no record'],
    [],
    ['expand of the body: validated, in no record'],
  ]);
});

test('a record that is presumed from the bodies of requests is said to be so', async () => {
  const schema = { type: 'object', properties: { name: { type: 'string' } } };
  const item = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const mock = await serveText(
    documentOf({
      '/bells': {
        post: {
          requestBody: { content: { 'application/json': { schema } } },
          responses: { 201: { description: 'Made' } },
        },
      },
      '/bells/{id}': { parameters: [item], get: { responses: { 200: { description: 'Found' } } } },
    }),
  );
  const text = 'the document describes no content: the record is as other operations take or list it';
  for (const { facts } of explain(mock))
    expect(facts).toContainEqual(expect.objectContaining({ about: 'presumed', text }));
  const made = await mock.fetch('/bells', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"Big Ben"}',
  });
  const bell = (await made.json()) as { id: number };
  expect(bell).toEqual({ id: expect.any(Number), name: 'Big Ben' });
  expect(await (await mock.fetch(`/bells/${bell.id}`)).json()).toEqual(bell);
});

test('each role that is not read from paths alone has its evidence, and what to write', async () => {
  const mock = await serve(fixture('shelter.yaml'));
  const explained = new Map(explain(mock).map((one) => [one.operation.id, one]));
  const view = explained.get('findAnimals');
  expect(view?.facts.map(({ about, text }) => [about, text])).toEqual([
    ['view', 'records of /animals: the answer is an array'],
    ['view: why', 'the schema is that of the records of /animals'],
    ['filter', 'status: the record has a member of this name'],
  ]);
  expect(view?.facts[1]?.at).toHaveLength(2);
  expect(view?.declaration).toEqual({
    target: "$.paths['/animal/findByStatus'].get",
    update: { 'x-paddock-resource': '/animals', 'x-paddock-action': 'view' },
  });
  expect(explained.get('replaceAnimal')?.facts[0]?.text).toMatch(/, whose id is in it$/);
  expect(explained.get('readSettings')?.declaration?.update).toEqual({ 'x-paddock-action': 'singleton' });
  expect(explained.get('readStatistics')?.declaration?.update).toEqual({ 'x-paddock-resource': false });
  for (const id of ['readKeeper', 'findAdopted']) expect(explained.get(id)?.declaration).toBeUndefined();
});

test('what is to be written says what is inferred: with it, every operation does the same', async () => {
  const mock = await serve(fixture('shelter.yaml'));
  const document = structuredClone(mock.contract.document.root.value) as {
    paths: Record<string, Record<string, object>>;
  };
  for (const { operation, declaration } of explain(mock))
    Object.assign(
      document.paths[operation.path]?.[operation.method.toLowerCase()] ?? {},
      declaration?.update,
    );
  const declared = await serveText(document);
  const actionsOf = ({ operations }: Pick<typeof mock, 'operations'>) =>
    operations.map(({ id, action }) => [id, action]);
  expect(actionsOf(declared)).toEqual(actionsOf(mock));
});
