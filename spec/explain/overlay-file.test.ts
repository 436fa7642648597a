import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract } from '../contract.ts';
import { meaningOf } from './meaning-of.ts';
import { acceptGuesses, overlayLines, sayInOverlay, writeGuesses, writtenMeaning } from './overlay-file.ts';

const SPECS = new URL('../../fixtures/specs/', import.meta.url).pathname;
const documents = readdirSync(SPECS).filter((name) => name.endsWith('.yaml'));

test.each(documents)('what is guessed of %s can be said, and is the same then', async (name) => {
  const file = join(SPECS, name);
  const contract = await loadContract(file, { presumeResponses: true });
  const { text } = writeGuesses(contract, undefined, file);
  const overlay = join(await mkdtemp(join(tmpdir(), 'paddock-')), 'said.yaml');
  await writeFile(overlay, text.replaceAll('x-paddock-guess:', 'x-paddock:'));
  const said = await loadContract(file, { overlays: [overlay], presumeResponses: true });
  const known = new Set(contract.warnings.map(({ message }) => message));
  expect(said.warnings.filter(({ message }) => !known.has(message))).toEqual([]);
  expect(meaningOf(said).meaning).toEqual(meaningOf(contract).meaning);
  expect(writeGuesses(said, readFileSync(overlay, 'utf8'), file).text).not.toContain('x-paddock-guess: {');
});

const TEXT = `# mine
overlay: 1.0.0
actions:
  - target: $.components.schemas.Pet
    update: { x-paddock: { members: { owner: { set: service } } } } # keep
  # about the login
  - target: $.paths['/enter'].post
    update: { x-paddock-guess: { first: 1 } }
`;
const [PET, ENTER] = ['$.components.schemas.Pet', "$.paths['/enter'].post"];

test('what is said joins what is there, a role takes the place of another, and null takes back; comments stay', () => {
  const names = sayInOverlay(TEXT, PET, { members: { owner: { names: '/owners' } }, id: 'no' });
  expect(names).toContain(
    "x-paddock: { members: { owner: { set: service, names: /owners } }, id: 'no' } } # keep",
  );
  const created = sayInOverlay(TEXT, ENTER, { create: true, query: { q: '$search' } });
  const login = sayInOverlay(created, ENTER, { login: true, query: { q: null } });
  expect(login).toContain('  # about the login\n');
  expect(login).toContain('update: { x-paddock-guess: { first: 1 }, x-paddock: { login: true } }');
  expect(sayInOverlay(login, ENTER, { login: null })).toBe(TEXT);
  const added = sayInOverlay(TEXT, '$.info', { none: true });
  expect(added).toBe(`${TEXT}  - target: $.info\n    update:\n      x-paddock:\n        none: true\n`);
  expect(sayInOverlay(added, '$.info', { none: null })).toBe(TEXT);
  expect(sayInOverlay('overlay: 1.0.0\nactions: []\n', '$.info', { none: true })).toContain('  - target');
});

test('JSON stays JSON, and lines are there to be copied', () => {
  const json = sayInOverlay('{"overlay": "1.0.0", "actions": []}', PET, { id: 'no' });
  expect(JSON.parse(json).actions).toEqual([{ target: PET, update: { 'x-paddock': { id: 'no' } } }]);
  expect(overlayLines(ENTER, { login: true })).toBe(
    `  - { target: "$.paths['/enter'].post", update: { x-paddock: { login: true } } }`,
  );
});

async function contractOf(text: string) {
  const file = join(await mkdtemp(join(tmpdir(), 'paddock-')), 'openapi.yaml');
  await writeFile(file, text);
  return loadContract(file, { presumeResponses: true });
}

const DOGS = `openapi: 3.1.0
info: { title: Dogs, version: 1.0.0 }
paths:
  /dogs: { $ref: '#/components/pathItems/Dogs' }
components:
  pathItems:
    Dogs:
      get:
        parameters: [{ name: breed, in: query, schema: { type: string } }]
        responses:
          '200':
            description: ok
            content:
              application/json:
                schema:
                  type: array
                  items: { type: object, properties: { id: { type: integer }, breed: { type: string }, at: { type: string } } }
`;

test('a target is where the part stands: behind a reference, and at a status, which is no index', async () => {
  const contract = await contractOf(DOGS);
  expect(writtenMeaning(contract).map(({ target }) => target)).toEqual([
    '$.components.pathItems.Dogs.get',
    `$.components.pathItems.Dogs.get.responses['200'].content['application/json'].schema.items`,
  ]);
});

test('what people have written about a guess stays, as do the form and the ends of lines', async () => {
  const contract = await contractOf(DOGS);
  const guess = '  # ask Ann\n  - target: $.components.pathItems.Dogs.get\n    # or Bob\n';
  const text = `overlay: 1.0.0\nactions:\n${guess}    update: { x-paddock-guess: { first: 1 } }\n`;
  const { text: written } = writeGuesses(contract, text.replaceAll('\n', '\r\n'), 'openapi.yaml');
  expect(written).toMatch(/ {2}# ask Ann\r\n {2}# promised .*\r\n {2}- target: .*\r\n {4}# or Bob\r\n/);
  expect(written).toContain('x-paddock-guess: { query: { breed: breed } }');
  expect(written.replaceAll('\r\n', '')).not.toContain('\n');
  const json = writeGuesses(contract, '{"overlay": "1.0.0", "actions": []}', 'openapi.yaml').text;
  expect(JSON.parse(json).actions).toMatchObject([{ target: '$.components.pathItems.Dogs.get' }]);
  const accepted = acceptGuesses(json, ['$.components.pathItems.Dogs.get']).text;
  expect(JSON.parse(accepted).actions[0].update).toEqual({ 'x-paddock': { query: { breed: 'breed' } } });
});

test('a later overlay takes the place of a role, and two roles in one file are a problem', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-'));
  const names = ['openapi.yaml', 'one.yaml', 'two.yaml'].map((name) => join(folder, name));
  const [document = '', one = '', two = ''] = names;
  const saying = (said: string) =>
    `overlay: 1.0.0\nactions:\n  - { target: $.components.pathItems.Dogs.get, update: { x-paddock: { ${said} } } }\n`;
  await writeFile(document, DOGS.replace('      get:\n', '      get:\n        x-paddock: { none: true }\n'));
  await writeFile(one, saying('view: /cats'));
  await writeFile(two, saying('list: /dogs'));
  const { meaning, bases } = meaningOf(await loadContract(document, { overlays: [one, two] }));
  expect(meaning.operations['GET /dogs']).toMatchObject({ does: 'list', of: '/dogs' });
  expect(bases.get('/operations/GET ~1dogs/does')).toMatchObject({
    because: [expect.stringContaining('two.yaml:3')],
    insteadOf: expect.stringMatching(/^view, .*one\.yaml:3$/),
  });
  await writeFile(two, saying('list: /dogs, create: /dogs'));
  await expect(loadContract(document, { overlays: [one, two] })).rejects.toThrow(
    '"x-paddock" says two things at once: list and create; leave one',
  );
});

const SHARED = `openapi: 3.1.0
info: { title: People, version: 1.0.0 }
paths:
  /users: &people
    get: { responses: { '200': { description: All, content: { application/json: { schema: &all { type: array, items: &one { $ref: '#/components/schemas/Person' } } } } } } }
    post:
      requestBody: { content: { application/json: { schema: *one } } }
      responses: { '201': { description: New, content: { application/json: { schema: *one } } }, '409': { description: The name is already taken } }
  /staff: { get: { responses: { '200': { description: All, content: { application/json: { schema: *all } } } } } }
  /users/{id}: &item { get: { responses: { '200': { description: One, content: { application/json: { schema: *one } } } } } }
  /staff/{id}: *item
components:
  schemas:
    Person: { type: object, required: [name], properties: { id: { type: integer }, name: { type: string }, status: { type: string } } }
`;

test('a fact of one of several collections with a schema is said at its operation, and of that one alone', async () => {
  const contract = await contractOf(SHARED);
  const { text } = writeGuesses(contract, undefined, 'openapi.yaml');
  expect(text).toContain('# promised GET /users: { list: /users, id: id, unique: [');
  expect(text).not.toContain('Person: ');
  const keys =
    "get: { x-paddock: { unique: [ name ] }, responses: { '200': { description: All, content: { application/json: { schema: &all";
  const said = await contractOf(
    SHARED.replace(
      "get: { responses: { '200': { description: All, content: { application/json: { schema: &all",
      keys,
    ),
  );
  const { collections } = meaningOf(said).meaning;
  expect([collections['/users']?.unique, collections['/staff']?.unique]).toEqual([
    [{ members: ['name'] }],
    undefined,
  ]);
});

test('what is guessed of a record that only a presumed response has is said of the body', async () => {
  const body =
    'requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Cup" } } } }';
  const cups = `openapi: 3.1.0
info: { title: Cups, version: 1.0.0 }
paths:
  /cups: { post: { ${body}, responses: { '201': { description: New } } } }
  /cups/{id}: { get: { responses: { '200': { description: One } } } }
components: { schemas: { Cup: { type: object, properties: { views: { type: integer }, name: { type: string } } } } }
`;
  const contract = await contractOf(cups);
  expect(writtenMeaning(contract).at(-1)).toMatchObject({
    name: '/cups',
    target: '$.components.schemas.Cup',
  });
  const said = await contractOf(cups.replace('Cup: { type', 'Cup: { x-paddock: { unique: [ name ] }, type'));
  expect(meaningOf(said).meaning.collections['/cups']?.unique).toEqual([{ members: ['name'] }]);
});

test('a member means the same at each path of its records', async () => {
  const answers = (schema: string) =>
    `get: { responses: { '200': { description: ok, content: { application/json: { schema: ${schema} } } } } }`;
  const one = (name: string) => `{ $ref: '#/components/schemas/${name}' }`;
  const at = (path: string, name: string) =>
    `  ${path}: { ${answers(`{ type: array, items: ${one(name)} }`)} }\n  ${path}/{id}: { ${answers(one(name))} }\n`;
  const { meaning } = meaningOf(
    await contractOf(`openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths:
${at('/owners', 'Owner')}${at('/pets', 'Pet')}${at('/visits', 'Visit')}${at('/owners/{owner}/pets', 'Pet')}
components:
  schemas:
    Owner: { type: object, properties: { id: { type: integer } } }
    Pet: { type: object, properties: { id: { type: integer }, visits: { type: array, items: ${one('Visit')} } } }
    Visit: { type: object, properties: { id: { type: integer }, petId: { type: integer } } }
`),
  );
  const visits = ['/pets', '/owners/{owner}/pets'].map((path) => meaning.collections[path]?.members?.visits);
  expect(visits).toEqual([{ shows: '/visits' }, { shows: '/visits' }]);
});
