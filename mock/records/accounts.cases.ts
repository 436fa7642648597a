import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Mock } from '../index.ts';
import { ask, serve } from '../testing/serve.ts';

/** A document with cooks who register and log in, their portraits, and recipes that they write and like. */
export const COOKS = fileURLToPath(new URL('../../fixtures/documents/recipe-blog.yaml', import.meta.url));

/** Stops a mock, and starts another one with the same store. */
export type Restart = (mock: Mock) => Promise<Mock>;

const SECRET = 'secret-1';
const field = (session: string, token?: string) => ({
  authorization: token === undefined ? '' : `Token ${token}`,
  ...(session !== '' && { 'paddock-session': session }),
});

async function register(mock: Mock, nickname: string, session: string): Promise<string> {
  const cook = { nickname, email: `${nickname}@example.com`, password: SECRET };
  const { body } = await ask(mock, 'POST /members', { cook }, field(session));
  return body.cook.token;
}

/** Everything that must survive a restart. */
async function seen(mock: Mock, session: string, [ann, bob]: readonly string[]) {
  const as = (token: string | undefined, line: string, body?: unknown) =>
    ask(mock, line, body, field(session, token));
  const login = async (email: string, password: string) =>
    (await as(undefined, 'POST /members/login', { cook: { email, password } })).status;
  // Each response shows a new token.
  const { token: _, ...me } = (await as(ann, 'GET /me')).body.cook;
  return {
    logins: [await login('ann@example.com', SECRET), await login('ann@example.com', 'another')],
    me,
    portrait: (await as(bob, 'GET /portraits/anne')).body.portrait,
    former: (await as(bob, 'GET /portraits/ann')).status,
    recipe: (await as(bob, 'GET /recipes/plum-cake')).body.recipe,
    written: (await as(undefined, 'GET /recipes?cook=anne')).body.recipesCount,
    hearted: (await as(undefined, 'GET /recipes?hearted=bob')).body.recipesCount,
    feed: (await as(bob, 'GET /recipes/feed')).body.recipesCount,
  };
}

/** What a restart must preserve, whatever store holds the records. */
export function accountCases(start: () => Promise<{ readonly mock: Mock; readonly restart: Restart }>): void {
  test('accounts, what they have made and what they like are there after a restart, in each session', async () => {
    const { mock, restart } = await start();
    const before: unknown[] = [];
    const tokens: string[][] = [];
    const sessions = ['', 'guest'];
    for (const session of sessions) {
      const [ann, bob] = [await register(mock, 'ann', session), await register(mock, 'bob', session)];
      const recipe = { title: 'Plum cake', method: 'Bake it', tags: [] };
      await ask(mock, 'POST /recipes', { recipe }, field(session, ann));
      await ask(mock, 'POST /recipes/plum-cake/heart', undefined, field(session, bob));
      await ask(mock, 'POST /portraits/ann/follow', undefined, field(session, bob));
      const cook = { nickname: 'anne', motto: 'Slowly' };
      expect((await ask(mock, 'PUT /me', { cook }, field(session, ann))).body.cook).toMatchObject(cook);
      tokens.push([ann, bob]);
      before.push(await seen(mock, session, [ann, bob]));
    }
    const cook = { nickname: 'anne', motto: 'Slowly' };
    for (const one of before)
      expect(one).toMatchObject({
        ...{ logins: [200, 401], me: cook, portrait: { ...cook, following: true }, former: 404 },
        recipe: { cook: { ...cook, following: true }, hearted: true },
        ...{ written: 1, hearted: 1, feed: 1 },
      });
    const next = await restart(mock);
    for (const [index, session] of sessions.entries())
      expect(await seen(next, session, tokens[index] ?? [])).toEqual(before[index]);

    await next.reset();
    expect((await seen(next, '', tokens[0] ?? [])).logins).toEqual([401, 401]);
    expect((await seen(next, 'guest', tokens[1] ?? [])).logins).toEqual([200, 401]);
  });
}

/** Starts a mock with a persistent store. */
export async function withStore(store: string): Promise<{ mock: Mock; restart: Restart }> {
  const open = () => serve(COOKS, { store });
  return {
    mock: await open(),
    async restart(mock) {
      await mock.close();
      return open();
    },
  };
}
