import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ask, serve } from '../../testing/serve.ts';

const document = (name: string) =>
  fileURLToPath(new URL(`../../../fixtures/documents/${name}`, import.meta.url));

const NOW = Date.UTC(2031, 4, 6, 7, 8, 9);
const LATER = NOW + 60_000;

type Mock = Awaited<ReturnType<typeof serve>>;

/** A front end with a logged-in user. */
function frontEnd(mock: Mock, prefix: string) {
  const headers: Record<string, string> = {};
  const send = async (line: string, body?: unknown) => {
    const [method = '', path = ''] = line.split(' ');
    return ask(mock, `${method} ${prefix}${path}`, body, { authorization: '', ...headers });
  };
  return { send, logIn: (credential: string) => void Object.assign(headers, { authorization: credential }) };
}

test('a social front end: register, log in, write, talk, give hearts, follow, read the feed', async () => {
  let now = NOW;
  const mock = await serve(document('recipe-blog.yaml'), { time: () => now });
  const [ann, bob, guest] = [1, 2, 3].map(() => frontEnd(mock, '')) as [
    ReturnType<typeof frontEnd>,
    ReturnType<typeof frontEnd>,
    ReturnType<typeof frontEnd>,
  ];
  for (const [one, nickname] of [
    [ann, 'ann'],
    [bob, 'bob'],
  ] as const) {
    const cook = { nickname, email: `${nickname}@example.com`, password: 'secret-1' };
    expect((await one.send('POST /members', { cook })).body.cook).toMatchObject({ nickname });
    const { email, password } = cook;
    const { body } = await one.send('POST /members/login', { cook: { email, password } });
    one.logIn(`Token ${body.cook.token}`);
    expect((await one.send('GET /me')).body.cook).toMatchObject({ nickname, email });
  }
  // A settings form also sends unchanged fields: an empty password is none.
  const settings = { cook: { motto: 'Slowly', password: '' } };
  const { body: told } = await ann.send('PUT /me', settings);
  expect(told.cook).toMatchObject({ motto: 'Slowly' });
  expect(Object.keys(told.cook)).not.toContain('password');
  const login = { cook: { email: 'ann@example.com', password: 'secret-1' } };
  expect((await ann.send('POST /members/login', login)).status).toBe(200);

  const recipe = { title: 'Plum cake', method: 'Bake it', tags: ['plums', 'cakes'] };
  const { body: made } = await ann.send('POST /recipes', { recipe });
  const at = new Date(NOW).toISOString();
  expect(made.recipe).toEqual({
    ...{ slug: 'plum-cake', ...recipe, createdAt: at, updatedAt: at, hearted: false, heartsCount: 0 },
    cook: { nickname: 'ann', motto: 'Slowly', following: false },
  });
  now = LATER;
  const changed = await ann.send('PUT /recipes/plum-cake', { recipe: { method: 'Bake it slowly' } });
  expect(changed.body.recipe).toMatchObject({
    method: 'Bake it slowly',
    createdAt: at,
    updatedAt: new Date(LATER).toISOString(),
  });
  expect((await guest.send('GET /tags')).body.tags).toEqual(expect.arrayContaining(recipe.tags));
  for (const query of ['tag=plums', 'cook=ann'])
    expect((await guest.send(`GET /recipes?${query}`)).body).toMatchObject({ recipesCount: 1 });

  const remark = (await bob.send('POST /recipes/plum-cake/remarks', { remark: { text: 'Good' } })).body;
  expect(remark.remark).toMatchObject({ text: 'Good', author: { nickname: 'bob', following: false } });
  expect((await guest.send('GET /recipes/plum-cake/remarks')).body.remarks).toEqual([remark.remark]);

  for (let times = 0; times < 2; times++) {
    const { body } = await bob.send('POST /recipes/plum-cake/heart');
    expect(body.recipe).toMatchObject({
      hearted: true,
      heartsCount: 1,
      updatedAt: changed.body.recipe.updatedAt,
    });
  }
  const seen = async (one: typeof ann) => (await one.send('GET /recipes/plum-cake')).body.recipe;
  expect(await seen(bob)).toMatchObject({ hearted: true, heartsCount: 1 });
  expect(await seen(ann)).toMatchObject({ hearted: false, heartsCount: 1 });
  expect(await seen(guest)).toMatchObject({ hearted: false, heartsCount: 1 });
  const hearted = async (name: string) => (await guest.send(`GET /recipes?hearted=${name}`)).body;
  expect(await hearted('bob')).toMatchObject({ recipesCount: 1, recipes: [{ slug: 'plum-cake' }] });
  expect(await hearted('ann')).toEqual({ recipesCount: 0, recipes: [] });

  expect((await bob.send('GET /recipes/feed')).body.recipesCount).toBe(0);
  expect((await bob.send('POST /portraits/ann/follow')).body.portrait).toEqual({
    ...{ nickname: 'ann', motto: 'Slowly', following: true },
  });
  expect((await bob.send('GET /portraits/ann')).body.portrait.following).toBe(true);
  expect((await ann.send('GET /portraits/ann')).body.portrait.following).toBe(false);
  expect((await bob.send('GET /recipes/feed')).body).toMatchObject({
    recipesCount: 1,
    recipes: [{ slug: 'plum-cake', cook: { nickname: 'ann', following: true } }],
  });
  expect((await bob.send('DELETE /portraits/ann/follow')).body.portrait.following).toBe(false);
  expect((await bob.send('GET /recipes/feed')).body.recipesCount).toBe(0);

  expect((await bob.send('DELETE /recipes/plum-cake/heart')).body.recipe).toMatchObject({
    hearted: false,
    heartsCount: 0,
  });
  await bob.send('POST /recipes/plum-cake/heart');
  expect((await bob.send(`DELETE /recipes/plum-cake/remarks/${remark.remark.id}`)).status).toBe(204);
  expect((await ann.send('DELETE /recipes/plum-cake')).status).toBe(204);
  expect((await ann.send('GET /recipes/plum-cake')).status).toBe(404);
  await ann.send('POST /recipes', { recipe });
  expect(await seen(bob)).toMatchObject({ hearted: false, heartsCount: 0 });
});

test('an admin front end of FastAPI: sign up, own items, pages, archive', async () => {
  const mock = await serve(document('lending-shelf-fastapi.json'), { time: () => NOW, count: 7 });
  const page = frontEnd(mock, '/api/v1');
  const user = { email: 'ida@example.com', password: 'secret-secret', full_name: 'Ida' };
  const { body: ida } = await page.send('POST /users/signup', user);
  expect(ida).toMatchObject({ email: user.email, full_name: 'Ida', is_active: true, is_superuser: false });
  expect(ida.password).toBeUndefined();
  const form = `username=${encodeURIComponent(user.email)}&password=${user.password}`;
  const login = await ask(mock, 'POST /api/v1/login/access-token', form, {
    'content-type': 'application/x-www-form-urlencoded',
  });
  expect(login.body).toMatchObject({ access_token: expect.any(String) });
  page.logIn(`Bearer ${login.body.access_token}`);
  expect((await page.send('GET /users/me')).body).toEqual(ida);
  expect((await page.send('PATCH /users/me', { full_name: 'Ida B.' })).body.full_name).toBe('Ida B.');

  const { body: item } = await page.send('POST /items/', { title: 'Ladder' });
  const at = new Date(NOW).toISOString();
  expect(item).toMatchObject({ title: 'Ladder', owner_id: ida.id, status: 'available', created_at: at });
  expect((await page.send('GET /items/')).body).toMatchObject({ count: 8, data: { length: 8 } });
  expect((await page.send('GET /items/?skip=7&limit=3')).body).toEqual({ count: 8, data: [item] });
  expect((await page.send(`PUT /items/${item.id}`, { title: 'Long ladder' })).body.title).toBe('Long ladder');
  const { body: archived } = await page.send(`POST /items/${item.id}/archive`);
  expect(archived).toMatchObject({ title: 'Long ladder', status: 'archived', archived_at: at });
  expect((await page.send(`GET /items/${item.id}`)).body).toEqual(archived);
  expect((await page.send('POST /items/', {})).status).toBe(422);
  expect((await page.send(`DELETE /items/${item.id}`)).status).toBe(200);
  expect((await page.send(`GET /items/${item.id}`)).status).toBe(404);

  const other = { email: 'bo@example.com', password: 'secret-secret' };
  const { body: bo } = await page.send('POST /users/', other);
  expect((await page.send('GET /users/')).body.data).toContainEqual(bo);
  expect((await page.send(`PATCH /users/${bo.id}`, { full_name: 'Bo' })).body.full_name).toBe('Bo');
  expect((await page.send(`DELETE /users/${bo.id}`)).status).toBe(200);
  expect((await page.send(`GET /users/${bo.id}`)).status).toBe(404);
});
