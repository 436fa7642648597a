import { expect, test } from 'vitest';
import { ask, documentOf, fixture, SHIPPED, serve, serveText } from '../testing/serve.ts';

const _GOOD = { name: 'Rex', categoryId: 9_007_199_254_740_993n };
const at = (path: string) => `http://localhost/__admin/${path}`;

test('a logged request has its violations with their lines of the document', async () => {
  const mock = await serve(SHIPPED);
  await ask(mock, 'POST /pets', { status: 'gone' });
  const { body } = await ask(mock, `GET ${at('requests')}`);
  expect(body).toEqual([
    {
      number: 1,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      ms: expect.any(Number),
      method: 'POST',
      target: '/v1/pets',
      operation: 'createPet',
      status: 400,
      code: 'invalid_request',
      message: expect.stringMatching(/^body\.name is required; /),
      headers: expect.objectContaining({ authorization: '***', 'content-type': 'application/json' }),
      body: '{"status":"gone"}',
      violations: [
        { where: 'body.name', message: 'is required', at: expect.stringMatching(/openapi\.yaml:\d+$/) },
        {
          where: 'body.categoryId',
          message: 'is required',
          at: expect.stringMatching(/openapi\.yaml:\d+$/),
        },
        {
          where: 'body.status',
          message: expect.stringContaining('must be one of'),
          at: expect.any(String),
        },
      ],
      response: {
        headers: expect.objectContaining({ 'Content-Type': 'application/json' }),
        body: expect.stringMatching(/^\{"code":"invalid_request"/),
      },
      trace: expect.objectContaining({ validated: { result: 'invalid', parts: ['body'], errors: 3 } }),
    },
  ]);
});

test('no credential stands in it, wherever it was sent', async () => {
  const mock = await serve(fixture('tide-gauges.yaml'), { apiKeys: ['s3cret-key+'] });
  const headers = {
    'x-api-key': 's3cret-key+',
    cookie: 'id=s3cret-key+',
    'x-note': 'is s3cret-key+ right?',
  };
  for (const { method, path } of mock.operations) {
    const filled = path.replace(/\{[^}]+\}/g, '1');
    await ask(
      mock,
      `${method} ${filled}?key=s3cret-key%2B&api_key=s3cret-key%2B`,
      method === 'GET' ? undefined : '"s3cret-key+"',
      headers,
    );
  }
  const { text, body } = await ask(mock, `GET ${at('requests')}`);
  expect(body.length).toBe(mock.operations.length);
  expect(text).not.toMatch(/s3cret/);
});

const OPEN = documentOf({
  '/boats': {
    get: {
      parameters: [
        { name: 'access_token', in: 'query', schema: { type: 'string', maxLength: 3 } },
        { name: 'X-Api-Key', in: 'header', schema: { type: 'integer' } },
        { name: 'X-Limit', in: 'header', schema: { type: 'integer' } },
      ],
      responses: {
        200: { description: 'ok', content: { 'application/json': { schema: { type: 'array' } } } },
      },
    },
  },
});

test('secrets are known by the names of headers and parameters, without a security scheme', async () => {
  const lines: string[] = [];
  const mock = await serveText(OPEN, { port: 0, log: (entry) => void lines.push(JSON.stringify(entry)) });
  const events = await fetch(`${mock.controlUrl}/events`);
  const reader = (events.body as ReadableStream<Uint8Array>).getReader();
  const sent = {
    Authorization: 'Bearer b3arer-Xy77',
    'Proxy-Authorization': `Basic ${btoa('ann:h4rbour-Zq5')}`,
    Cookie: 'sid=s3ss-Kw0p1',
    'X-Api-Key': 'k3y-Pv21aa',
    'X-Gateway-Token': 'g4te-Lm88bb',
    'X-Hub-Signature': 'f00dFeed99',
    'X-Limit': 'b3arer-Xy77',
    'X-Trace': 'shown',
  };
  const answer = await fetch(`${mock.url}/boats?access_token=qu3ry-Tt31&api%5Fkey=qk3y-Uu42&limit=2`, {
    headers: sent,
  });
  expect(answer.status).toBe(400);
  // The client itself sees the problem.
  expect(await answer.text()).toContain('k3y-Pv21aa');
  let text = '';
  while (!/event: request\ndata: .*\n/.test(text))
    text += new TextDecoder().decode((await reader.read()).value);
  await reader.cancel();
  const logged = await (await fetch(`${mock.controlUrl}/requests`)).text();
  const line = lines.find((one) => one.includes('/boats')) ?? '';
  for (const shown of [text, logged, JSON.stringify(mock.requests()), line]) {
    expect(shown).toContain('access_token=***&api%5Fkey=***&limit=2');
    expect(shown).not.toMatch(/b3arer|h4rbour|YW5uOm|s3ss-K|k3y-P|g4te|f00d|qu3ry|qk3y/);
  }
  expect(logged).toContain('"x-trace": "shown"');
});

const SIGN_UP = documentOf({
  '/accounts': {
    post: {
      requestBody: {
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                password: { type: 'string', pattern: '^[a-z]+$' },
                profile: { type: 'object', properties: { pin: { type: 'string', maxLength: 2 } } },
              },
            },
          },
        },
      },
      responses: { 201: { description: 'Created' }, 400: { description: 'Invalid' } },
    },
  },
});

test('no password of a body is shown, in its body or in what is wrong with it', async () => {
  const mock = await serveText(SIGN_UP);
  const sent = { password: 'h4rbour-77', profile: { pin: '9137', nick: 'ann' } };
  expect((await ask(mock, 'POST /accounts', sent)).status).toBe(400);
  const { text, body } = await ask(mock, `GET ${at('requests')}`);
  expect(body[0].body).toBe('{"password":"***","profile":{"pin":"***","nick":"ann"}}');
  expect(text).not.toMatch(/h4rbour|9137/);
});

test('calls of an operation that will be removed are marked', async () => {
  const mock = await serve(SHIPPED);
  await ask(mock, 'GET /pets/1');
  await ask(mock, 'GET /pets');
  expect(mock.requests().map(({ deprecated }) => deprecated)).toEqual([
    'deprecated, removed on 2030-12-05',
    undefined,
  ]);
});

test('a thousand are kept, numbered on; long bodies are not; DELETE forgets them', async () => {
  const mock = await serve(SHIPPED);
  for (let n = 0; n < 1003; n++) await ask(mock, `GET /pets/${n}`);
  await ask(mock, 'POST /pets', { name: 'x'.repeat(5000), categoryId: 1 });
  const kept = mock.requests();
  expect(kept.map(({ number }) => number)).toEqual(Array.from({ length: 1000 }, (_, index) => index + 5));
  expect(kept[0]?.target).toBe('/v1/pets/4');
  expect(kept.at(-1)?.body).toBe('(too long to be kept)');
  expect((await ask(mock, `DELETE ${at('requests')}`)).status).toBe(204);
  expect(mock.requests()).toEqual([]);
});

test('what the mock says of itself is not in it, and a path that means nothing is', async () => {
  const mock = await serve(SHIPPED);
  for (const line of [`GET ${at('health')}`, `GET ${at('nosuch')}`, 'GET /openapi.json', 'GET /nowhere'])
    await ask(mock, line);
  expect(mock.requests().map(({ target, code }) => [target, code])).toEqual([
    ['/v1/nowhere', 'no_such_path'],
  ]);
});
