import { expect, test } from 'vitest';
import { done, flag, gives, list, number, object, ref, takes, text } from '../../testing/described.ts';
import { ask, documentOf, serveText } from '../../testing/serve.ts';

const at = (name: string, schema: object = number) => ({
  parameters: [{ name, in: 'path', required: true, schema }],
});
const asks = (name: string, schema: object = text) => ({ parameters: [{ name, in: 'query', schema }] });

const schemas = {
  Keeper: object({ id: number, name: text, email: text, role: text }),
  KeeperBrief: object({ id: number, name: text }),
  Cave: object({ id: number, name: text, depth: number, lampCount: number }),
  Lamp: object({ id: number, watts: number, cave: ref('Cave') }),
  Story: object({ id: number, title: text, favorite: flag, notesCount: text }),
  Note: object({ id: number, words: text }),
  Torch: object({ id: number, lit: flag, label: text, cave: number }),
};
const paths = {
  '/keepers': {
    get: gives(list(ref('Keeper'))),
    post: { ...takes(ref('Keeper')), ...gives(ref('Keeper'), 201) },
  },
  '/keepers/{id}': { ...at('id'), get: gives(ref('Keeper')) },
  '/keepers/brief': { get: gives(list(ref('KeeperBrief'))) },
  '/keepers/email/{email}': {
    ...at('email', text),
    put: { ...takes(ref('Keeper')), ...gives(ref('Keeper')) },
  },
  '/keepers/by-office/{keeper_id}': {
    ...at('keeper_id'),
    put: { ...takes(object({ role: text })), ...gives(ref('Keeper')) },
  },
  '/caves': { get: gives(list(ref('Cave'))), post: { ...takes(ref('Cave')), ...gives(ref('Cave'), 201) } },
  '/caves/{id}': { ...at('id'), get: gives(ref('Cave')) },
  '/lamps': { get: gives(list(ref('Lamp'))), post: { ...takes(ref('Lamp')), ...gives(ref('Lamp'), 201) } },
  '/lamps/{caveName}': { ...at('caveName', text), get: gives(list(ref('Lamp'))) },
  '/lamps/search': { get: { ...asks('caveName'), ...gives(list(ref('Lamp'))) } },
  '/stories': {
    get: gives(list(ref('Story'))),
    post: { ...takes(object({ title: text })), ...gives(ref('Story'), 201) },
  },
  '/stories/{id}': { ...at('id'), get: gives(ref('Story')) },
  '/stories/{id}/favorite': { ...at('id'), post: gives(ref('Story')) },
  '/stories/{id}/notes': { ...at('id'), get: gives(list(ref('Note'))) },
  '/notes': { post: { ...takes(object({ storyId: number, words: text })), ...gives(ref('Note'), 201) } },
  '/torches': {
    get: gives(list(ref('Torch'))),
    post: { ...takes(object({ label: text })), ...gives(ref('Torch'), 201) },
  },
  '/torches/{id}': { ...at('id'), get: gives(ref('Torch')) },
  '/torches/{id}/toggle': { ...at('id'), patch: gives(ref('Torch')) },
};

const serve = () => serveText(documentOf(paths, { components: { schemas } }), { count: 3 });

test('a record is changed by a member that is not its id, or by its id under another name, and listed in brief', async () => {
  const mock = await serve();
  const { body: made } = await ask(mock, 'POST /keepers', {
    name: 'Ann',
    email: 'ann@x.example',
    role: 'day',
  });
  await ask(mock, 'PUT /keepers/email/ann@x.example', { ...made, name: 'Anna' });
  await ask(mock, `PUT /keepers/by-office/${made.id}`, { role: 'night' });
  const changed = { ...made, name: 'Anna', role: 'night' };
  expect((await ask(mock, `GET /keepers/${made.id}`)).body).toEqual(changed);
  expect((await ask(mock, 'GET /keepers/brief')).body).toContainEqual({ id: made.id, name: 'Anna' });
  expect((await ask(mock, 'PUT /keepers/email/nobody@x.example', { name: 'Bo' })).status).toBe(404);
});

test('what a record shows of another one selects by its members, in the query and the path, and is counted', async () => {
  const mock = await serve();
  const { body: cave } = await ask(mock, 'POST /caves', { name: 'Echo Hall', depth: 7 });
  expect(cave.lampCount).toBe(0);
  const { body: lamp } = await ask(mock, 'POST /lamps', { watts: 40, cave: { id: cave.id } });
  expect(lamp.cave).toMatchObject({ id: cave.id, name: 'Echo Hall' });
  for (const path of ['/lamps/Echo%20Hall', '/lamps/search?caveName=Echo%20Hall'])
    expect((await ask(mock, `GET ${path}`)).body.map(({ id }: { id: number }) => id)).toEqual([lamp.id]);
  expect((await ask(mock, `GET /caves/${cave.id}`)).body.lampCount).toBe(1);
});

test('a body names the parent that no member says, and a count may be a text', async () => {
  const mock = await serve();
  const { body: story } = await ask(mock, 'POST /stories', { title: 'Deep' });
  const { body: note } = await ask(mock, 'POST /notes', { storyId: story.id, words: 'Hello' });
  expect((await ask(mock, `GET /stories/${story.id}/notes`)).body).toEqual([note]);
  expect((await ask(mock, `GET /stories/${story.id}`)).body.notesCount).toBe('1');
});

test.each([
  ['POST', 'stories', 'favorite', 'favorite'],
  ['PATCH', 'torches', 'toggle', 'lit'],
])('%s /%s/1/%s takes back what it has done', async (method, of, verb, member) => {
  const mock = await serve();
  const { [member]: before } = (await ask(mock, `GET /${of}/1`)).body;
  const first = (await ask(mock, `${method} /${of}/1/${verb}`)).body[member];
  const second = (await ask(mock, `${method} /${of}/1/${verb}`)).body[member];
  expect([first, second]).toEqual([before !== true, before === true]);
});

test('a toggle without a flag only counts', async () => {
  const song = object({ id: number, title: text, playsCount: number });
  const mock = await serveText(
    documentOf({
      '/songs': { get: gives(list(song)), post: { ...takes(object({ title: text })), ...gives(song, 201) } },
      '/songs/{id}': { ...at('id'), get: gives(song) },
      '/songs/{id}/toggle-play': { ...at('id'), post: gives(song) },
    }),
  );
  const { id, playsCount } = (await ask(mock, 'POST /songs', { title: 'Echo' })).body;
  await ask(mock, `POST /songs/${id}/toggle-play`);
  const twice = (await ask(mock, `POST /songs/${id}/toggle-play`)).body.playsCount;
  expect([playsCount, twice]).toEqual([0, 2]);
});

test('a key with the name of its records names one of them, and so does a number called as a path', async () => {
  const permit = object({ permitNumber: text, city: text });
  const boat = object({ id: number, permitNumber: text, pier: number });
  const berth = object({ id: number, length: number });
  const one = (name: string, schema: object, of: object) => ({ ...at(name, schema), get: gives(of) });
  const both = (of: object) => ({ get: gives(list(of)), post: { ...takes(of), ...gives(of, 201) } });
  const mock = await serveText(
    documentOf({
      ...{ '/permits': both(permit), '/permits/{permitNumber}': one('permitNumber', text, permit) },
      ...{ '/pier': both(berth), '/pier/{id}': one('id', number, berth), '/boats': both(boat) },
      '/boats/{id}': one('id', number, boat),
      '/reset': { post: done },
    }),
    { count: 5 },
  );
  const [boats, permits, piers] = await Promise.all(
    ['boats', 'permits', 'pier'].map(async (path) => (await ask(mock, `GET /${path}`)).body),
  );
  const shown = (member: string) => boats.flatMap((one: Record<string, unknown>) => one[member] ?? []);
  const known = (all: Record<string, unknown>[], member: string) => new Set(all.map((one) => one[member]));
  expect(new Set(shown('permitNumber')).isSubsetOf(known(permits, 'permitNumber'))).toBe(true);
  expect(new Set(shown('pier')).isSubsetOf(known(piers, 'id'))).toBe(true);
});

test('untyped lists below a collection have what parameters choose, but for files and summaries, and children name it', async () => {
  const sent = object({ label: text, dockId: number });
  const asking = { ...asks('dockId', number), ...done };
  const mock = await serveText(
    documentOf({
      '/crates': { get: done, post: { ...takes(sent), ...done } },
      '/crates/{id}': { ...at('id'), get: done },
      '/crates/{crateId}/seals': { ...at('crateId'), post: { ...takes(object({ words: text })), ...done } },
      '/seals/{id}': { ...at('id'), delete: done },
      ...{
        '/crates/free': { get: asking },
        '/crates/export': { get: asking },
        '/crates/stats': { get: asking },
      },
    }),
  );
  const { body: made } = await ask(mock, 'POST /crates', { label: 'Tea', dockId: 77 });
  expect((await ask(mock, 'GET /crates/free?dockId=77')).body).toEqual([made]);
  const { body: seal } = await ask(mock, `POST /crates/${made.id}/seals`, { words: 'Dry' });
  expect(seal).toMatchObject({ words: 'Dry', crateId: made.id });
  for (const name of ['export', 'stats'])
    expect((await ask(mock, `GET /crates/${name}?dockId=77`)).body).not.toEqual([made]);
});

test('a seeded text that is called as the name of other records is that of one of them', async () => {
  const shelf = object({ id: number, name: text });
  const one = (of: object) => ({ ...at('id'), get: gives(of) });
  const jar = object({ id: number, shelfName: text, shelf: text });
  const mock = await serveText(
    documentOf({
      ...{ '/shelves': { get: gives(list(shelf)) }, '/shelves/{id}': one(shelf) },
      ...{ '/jars': { get: gives(list(jar)) }, '/jars/{id}': one(jar) },
    }),
    { count: 6 },
  );
  const names = new Set((await ask(mock, 'GET /shelves')).body.map((of: { name: string }) => of.name));
  for (const { shelfName, shelf: called } of (await ask(mock, 'GET /jars')).body) {
    expect([...names, undefined]).toContain(shelfName);
    expect(called ?? shelfName).toBe(shelfName ?? called);
  }
});

test('an update that is said at another path has the id there, whatever the response is', async () => {
  const guide = object({ id: number, name: text, grade: text });
  const promote = { ...takes(object({ grade: text })), ...gives(object({ message: text })) };
  const mock = await serveText(
    documentOf({
      '/guides': { get: gives(list(guide)) },
      '/guides/{id}': { ...at('id'), get: gives(guide) },
      '/guides/promote/{guide_id}': {
        ...at('guide_id'),
        put: { ...promote, 'x-paddock': { update: '/guides' } },
      },
    }),
  );
  expect((await ask(mock, 'PUT /guides/promote/2', { grade: 'chief' })).status).toBe(200);
  expect((await ask(mock, 'GET /guides/2')).body.grade).toBe('chief');
});
