import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { makeCertificates, makeSelfSigned } from '../../quality/testing/network.ts';
import { documentOf, serveText } from '../testing/serve.ts';
import { startReceiver } from './testing/receiver.ts';
import { admin, jsonOf, logged, post, seen, settled, startMock } from './testing/signals.ts';

test('an operation sends its callback to the URL that its request gives', async () => {
  const receiver = await startReceiver(() => 200);
  const mock = await startMock();
  const replyTo = encodeURIComponent(receiver.url);
  const response = await post(mock, `/inspections?replyTo=${replyTo}`);
  const { reference } = await jsonOf(response);
  const [first] = await receiver.got(1);
  expect(first && seen(first)).toEqual(['PUT', '/done', { reference, passed: expect.any(Boolean) }]);
  const [delivery] = await settled(mock);
  expect(delivery).toMatchObject({
    ...{ operation: 'onInspected', kind: 'callback', because: 'inspect', state: 'delivered' },
    attempts: [{ status: 200 }],
  });
});

test('a subscriber hears of the records that the callback speaks of, until it unsubscribes', async () => {
  const receiver = await startReceiver();
  const mock = await startMock();
  const { id } = await jsonOf(await post(mock, '/subscriptions', { callbackUrl: `${receiver.url}/hook` }));
  const signal = await jsonOf(await post(mock, '/signals', { label: 'North pier', state: 'lit' }));
  const [created] = await receiver.got(1);
  expect(created && seen(created)).toEqual([
    'POST',
    '/hook',
    { event: 'signal.created', sentAt: expect.stringMatching(/^\d{4}-.*Z$/), signal },
  ]);
  expect(created?.headers).toMatchObject({ 'x-signal-event': 'signal.created', 'user-agent': 'paddock' });
  await post(mock, `/signals/${signal.id}`, { label: 'South pier' }, 'PUT');
  await post(mock, `/signals/${signal.id}`, undefined, 'DELETE');
  const [, removed] = await receiver.got(2);
  expect(removed && seen(removed)).toMatchObject([
    'POST',
    '/hook',
    { event: 'signal.removed', signal: { id: signal.id } },
  ]);
  await post(mock, `/subscriptions/${id}`, undefined, 'DELETE');
  await post(mock, '/signals', { label: 'Nobody hears of it' });
  await settled(mock);
  expect((await logged(mock)).deliveries.map(({ operation, because }) => [operation, because])).toEqual([
    ['onSignalCreated', `/signals ${signal.id} was created`],
    ['onSignalRemoved', `/signals ${signal.id} was removed`],
  ]);
});

test('the receiver of one session hears nothing of another one', async () => {
  const receiver = await startReceiver();
  const mock = await startMock();
  await post(mock, '/subscriptions', { callbackUrl: receiver.url });
  const other = mock.session('other');
  await other.fetch(`${other.url}/signals`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"label":"a"}',
  });
  await post(mock, '/signals', { label: 'mine' });
  expect((await receiver.got(1)).map(({ body }) => JSON.parse(body).signal.label)).toEqual(['mine']);
  await settled(mock);
  expect(receiver.received).toHaveLength(1);
});

test('what fails is tried again, and every attempt is shown', async () => {
  const receiver = await startReceiver((count) => ([503, 'end', 200] as const)[count - 1] ?? 200);
  const mock = await startMock();
  await post(mock, `/inspections?replyTo=${receiver.url}`);
  const [delivery] = await settled(mock);
  expect(delivery?.state).toBe('delivered');
  expect(delivery?.attempts.map(({ status, reason }) => [status, reason])).toEqual([
    [503, 'the receiver answers 503'],
    [undefined, expect.stringMatching(/: the connection was closed/)],
    [200, undefined],
  ]);
});

test.each([
  [404, 'the receiver answers 404'],
  [302, 'the receiver redirects, which is not followed'],
  [410, 'the receiver answers 410: it wants nothing more'],
])('a receiver that answers %i is not asked again', async (status, reason) => {
  const receiver = await startReceiver(() => status);
  const mock = await startMock();
  await post(mock, `/inspections?replyTo=${receiver.url}`);
  const [delivery] = await settled(mock);
  expect(delivery).toMatchObject({ state: 'failed', reason, attempts: [{ status }] });
  expect(receiver.received).toHaveLength(1);
});

test('a receiver that wants nothing more (410) gets nothing more', async () => {
  const receiver = await startReceiver(() => 410);
  const mock = await startMock();
  await post(mock, '/subscriptions', { callbackUrl: receiver.url });
  await post(mock, '/signals', { label: 'first' });
  await settled(mock);
  await post(mock, '/signals', { label: 'second' });
  const [, second] = await settled(mock);
  expect(second).toMatchObject({ state: 'withheld', reason: expect.stringContaining('410') });
});

test.each([
  ['self-signed', makeSelfSigned(), /: its certificate cannot be verified: .*NODE_EXTRA_CA_CERTS/],
  ['of an unknown issuer', makeCertificates(['localhost']), /: its certificate cannot be verified/],
  ['expired', makeCertificates(['localhost'], -1), /: its certificate has expired$/],
])('a certificate that is %s is refused once, and the reason is shown', async (_, tls, reason) => {
  const receiver = await startReceiver(() => 200, tls);
  const mock = await startMock();
  await post(mock, `/inspections?replyTo=${receiver.url}`);
  const [delivery] = await settled(mock);
  expect(delivery).toMatchObject({ state: 'failed', reason: expect.stringMatching(reason) });
  expect(delivery?.attempts).toHaveLength(1);
  expect(receiver.received).toEqual([]);
});

test.each<[string, unknown]>([
  [
    'https://hooks.example/',
    'hooks.example is not this machine: --allow-host hooks.example lets the mock send there',
  ],
  ['ftp://127.0.0.1', 'ftp: is neither http: nor https:'],
  ['http://localhost:9/~a/__admin/reset', 'the control API of a mock takes no callbacks'],
  ...[
    ...['127.0.0.1.nip.invalid', '127.0.0.1@hooks.example', '[::ffff:127.0.0.1]', '0.0.0.0', 'localhost.'],
    ...['169.254.169.254', '[fe80::1]', '10.0.0.1', 'a.localhost'],
  ].map((host): [string, unknown] => [`http://${host}/`, expect.stringContaining('is not this machine')]),
])('nothing is sent to %s', async (url, reason) => {
  const mock = await startMock();
  await post(mock, `/inspections?replyTo=${encodeURIComponent(url)}`);
  const [delivery] = await settled(mock);
  expect(delivery).toMatchObject({ state: 'withheld', reason, attempts: [] });
});

test.each([
  ['hooks.invalid', 'http://hooks.invalid/'],
  ['hooks.invalid:443', 'https://hooks.invalid/'],
  ['hooks.invalid:8443', 'https://hooks.invalid:8443/'],
])('of hosts, the user names %s: %s is sent to', async (host, url) => {
  const mock = await startMock({ callbackHosts: [host] });
  await post(mock, `/inspections?replyTo=${url}`);
  const { deliveries } = await logged(mock);
  expect(deliveries[0]?.state).not.toBe('withheld');
});

test.each([
  ['127.0.0.1', {}],
  ['localhost', {}],
  ['[::1]', {}],
  ['2130706433', {}],
  ['127.9.9.9', {}],
  ['0.0.0.0', { callbackHosts: ['0.0.0.0'] }],
  ['[::ffff:7f00:1]', { callbackHosts: ['[::ffff:7f00:1]'] }],
  [hostname(), { callbackHosts: [hostname().toLowerCase()] }],
])('nothing is sent to the mock itself, by the name %s, and the log says so', async (host, options) => {
  const notices: string[] = [];
  const mock = await startMock({ ...options, port: 0, notice: (text) => notices.push(text) });
  const url = `http://${host}:${new URL(mock.url).port}/~other/v1/signals`;
  await post(mock, '/subscriptions', { callbackUrl: url });
  for (const label of ['a', 'b']) await post(mock, '/signals', { label });
  const reason = 'it leads to this mock itself';
  const deliveries = await settled(mock);
  expect(deliveries.map((one) => [one.state, one.reason])).toEqual([
    ['withheld', reason],
    ['withheld', reason],
  ]);
  expect(notices.filter((text) => text.includes(reason))).toHaveLength(1);
});

test('mocks that call each other stop after a few deliveries, and the last one says why', async () => {
  const order = {
    type: 'object',
    required: ['item'],
    properties: { id: { type: 'integer', readOnly: true }, item: { type: 'string' } },
  };
  const hook = {
    type: 'object',
    required: ['url'],
    properties: { id: { type: 'integer' }, url: { type: 'string' } },
  };
  const collection = (schema: object) => ({
    get: { responses: { 200: { description: 'All', content: json({ type: 'array', items: schema }) } } },
    post: {
      requestBody: { required: true, content: json(schema) },
      responses: { 201: { description: 'One', content: json(schema) } },
    },
  });
  const document = documentOf(
    { '/orders': collection(order), '/hooks': collection(hook) },
    { webhooks: { orderCreated: { post: { requestBody: { content: json(order) } } } } },
  );
  const notices: string[] = [];
  const options = { count: 0, port: 0, notice: (text: string) => notices.push(text) };
  const [one, other] = [await serveText(document, options), await serveText(document, options)];
  await post(one, '/hooks', { url: `${other.url}/orders` });
  await post(other, '/hooks', { url: `${one.url}/orders` });
  await post(one, '/orders', { item: 'tea' });
  await expect.poll(() => notices.length).toBeGreaterThan(0);
  expect((await Promise.all([one, other].map((mock) => mock.records('/orders')))).flat()).toHaveLength(4);
  const [delivered, circular] = await settled(other);
  expect([delivered?.state, delivered?.headers['paddock-hops'], circular?.state]).toEqual([
    ...['delivered', '2', 'withheld'],
  ]);
  expect(circular?.reason).toMatch(/^3 deliveries have led to it/);
  // What a client subscribes to is still sent.
  await post(other, '/orders', { item: 'milk' });
  await expect.poll(async () => (await settled(other)).at(-2)?.state).toBe('delivered');
});

const json = (schema: object) => ({ 'application/json': { schema } });

test('seeded subscriptions, whose URLs are made up, make no noise', async () => {
  const mock = await startMock({ count: 20 });
  await post(mock, '/signals', { label: 'a' });
  expect((await logged(mock)).deliveries).toEqual([]);
});

test('a webhook is sent by hand, with a body of the document or of the user', async () => {
  const receiver = await startReceiver();
  const mock = await startMock();
  const sent = await admin(mock, 'webhooks/signal.removed', 'POST', { url: `${receiver.url}/by-hand` });
  expect([sent.status, sent.json[0].state, sent.json[0].because]).toEqual([201, 'delivered', 'by hand']);
  const own = { url: receiver.url, body: { event: 'signal.removed', signal: { id: 7, label: 'Mine' } } };
  await admin(mock, 'webhooks/onSignalRemoved', 'POST', own);
  const [first, second] = await receiver.got(2);
  expect(first && seen(first)).toMatchObject(['POST', '/by-hand', { signal: { id: 1 } }]);
  expect(second && JSON.parse(second.body)).toEqual(own.body);
});

test.each([
  [
    'webhooks/none',
    undefined,
    404,
    'There is no webhook "none"; there are onSignalCreated, onInspected, onSignalRemoved',
  ],
  ['webhooks/inspected', undefined, 409, 'no client has given a URL for it'],
  ['webhooks/inspected', { url: 'nowhere' }, 400, 'the body must be {"url"'],
  ['webhooks/inspected', { to: 'x' }, 400, 'the body must be {"url"'],
])('POST %s with %j is refused', async (path, body, status, message) => {
  const mock = await startMock();
  const answer = await admin(mock, path, 'POST', body);
  expect([answer.status, answer.json.message]).toEqual([status, expect.stringContaining(message)]);
});

test('a reset ends what is still to be sent, and empties the list', async () => {
  const receiver = await startReceiver(() => 503);
  const mock = await startMock();
  await post(mock, `/inspections?replyTo=${receiver.url}`);
  await receiver.got(1);
  await mock.reset();
  expect((await logged(mock)).deliveries).toEqual([]);
});

test('a receiver that never answers is given up in time', async () => {
  const { attemptOnce } = await import('./attempt.ts');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const request = { url: `http://127.0.0.1:${port}/`, method: 'POST', headers: {}, body: undefined };
  const { reason, again } = await attemptOnce(request, Date.now, new AbortController().signal, 50);
  expect([reason, again]).toEqual(['no response within 0.05 s', true]);
});

test('a document without callbacks has no webhooks, and says so', async () => {
  const mock = await startMock({ document: 'spec/openapi.yaml' });
  expect(await logged(mock)).toEqual({ outgoing: [], deliveries: [] });
});

test('a callback that tells of a value is sent when its record gets the value, and not before', async () => {
  const receiver = await startReceiver();
  const order = {
    type: 'object',
    properties: {
      ...{ id: { type: 'integer' }, callbackUrl: { type: 'string' } },
      status: { enum: ['open', 'shipped'] },
    },
  };
  const content = { 'application/json': { schema: order } };
  const callback = { post: { requestBody: { content }, responses: { 200: { description: 'Heard' } } } };
  const one = { 200: { description: 'One', content }, 404: { description: 'None' } };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
  const document = documentOf({
    '/orders': {
      post: {
        ...{ requestBody: { content }, responses: { 201: { description: 'One', content } } },
        callbacks: { orderShipped: { '{$request.body#/callbackUrl}': callback } },
      },
    },
    '/orders/{id}': {
      parameters,
      get: { responses: one },
      patch: { requestBody: { content }, responses: one },
    },
  });
  const mock = await serveText(document, { count: 0 });
  const { id } = await jsonOf(await post(mock, '/orders', { status: 'open', callbackUrl: receiver.url }));
  await post(mock, `/orders/${id}`, { status: 'shipped' }, 'PATCH');
  const [first] = await settled(mock);
  expect([first?.because, JSON.parse(first?.body ?? '')]).toEqual([
    `/orders ${id} was changed`,
    { id, status: 'shipped', callbackUrl: receiver.url },
  ]);
  await post(mock, '/orders', { status: 'shipped', callbackUrl: receiver.url });
  await receiver.got(2);
  expect((await logged(mock)).deliveries).toHaveLength(2);
});
