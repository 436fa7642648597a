import { expect, onTestFinished, test } from 'vitest';
import { type ReadStream, readStream } from '#stream-messages';
import { BUILT_IN_KEY, type Mock } from '../../index.ts';
import { ask, documentOf, serveText } from '../../testing/serve.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ 'application/json': { schema } });
const answer = (content: object) => ({ 200: { description: 'OK', content } });
const inPath = (name: string) => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'integer', format: 'int64' },
});
const chat = {
  type: 'object',
  required: ['prompt'],
  properties: {
    prompt: { type: 'string' },
    stream: { type: 'boolean', description: 'Send the answer in pieces; a `data: [DONE]` message ends it.' },
  },
};

const TASKS = documentOf(
  {
    '/tasks': {
      get: {
        operationId: 'listTasks',
        responses: answer({
          ...json({ type: 'array', items: ref('Task') }),
          'application/x-ndjson': { itemSchema: ref('Task') },
        }),
      },
      post: {
        operationId: 'addTask',
        requestBody: { required: true, content: json(ref('Task')) },
        responses: { 201: { description: 'Made', content: json(ref('Task')) } },
      },
    },
    '/tasks/{taskId}': {
      parameters: [inPath('taskId')],
      get: { operationId: 'getTask', responses: answer(json(ref('Task'))) },
      put: {
        operationId: 'putTask',
        requestBody: { required: true, content: json(ref('Task')) },
        responses: answer(json(ref('Task'))),
      },
      delete: { operationId: 'dropTask', responses: { 204: { description: 'Gone' } } },
    },
    '/tasks/{taskId}/events': {
      parameters: [inPath('taskId')],
      get: {
        operationId: 'watchTask',
        responses: {
          ...answer({ 'text/event-stream': { schema: ref('Task') } }),
          404: { description: 'None' },
        },
      },
    },
    '/tasks/changes': {
      get: {
        operationId: 'watchTasks',
        parameters: [{ name: 'state', in: 'query', schema: { type: 'string' } }],
        responses: answer({ 'text/event-stream': { itemSchema: ref('TaskEvent') } }),
      },
    },
    '/tasks/export': {
      get: {
        operationId: 'exportTasks',
        responses: answer({ 'application/jsonl': { itemSchema: ref('Task') } }),
      },
    },
    '/tasks/log': {
      get: {
        operationId: 'followTasks',
        responses: answer({ 'application/json-seq': { itemSchema: ref('Task') } }),
      },
    },
    '/chat': {
      post: {
        operationId: 'chat',
        requestBody: { required: true, content: json(chat) },
        responses: answer({ ...json(ref('Reply')), 'text/event-stream': { schema: ref('Piece') } }),
      },
    },
    '/run': {
      post: { operationId: 'run', responses: answer({ 'text/event-stream': { itemSchema: ref('Step') } }) },
    },
    '/shown': {
      get: {
        operationId: 'shown',
        responses: answer({
          'text/event-stream': {
            schema: { type: 'string' },
            example: 'event: hello\ndata: one\n\ndata: [END]\n\n',
          },
        }),
      },
    },
  },
  {
    openapi: '3.2.0',
    components: {
      schemas: {
        Task: {
          type: 'object',
          required: ['id', 'title'],
          properties: {
            id: { type: 'integer', format: 'int64', readOnly: true },
            title: { type: 'string' },
            state: { type: 'string', enum: ['open', 'closed'] },
          },
        },
        TaskEvent: {
          type: 'object',
          required: ['event', 'data'],
          properties: {
            event: { enum: ['task.created', 'task.updated', 'task.deleted'] },
            data: { type: 'string', contentMediaType: 'application/json', contentSchema: ref('Task') },
            id: { type: 'string' },
          },
        },
        Reply: { type: 'object', required: ['answer'], properties: { answer: { type: 'string' } } },
        Piece: {
          type: 'object',
          required: ['id', 'delta', 'done'],
          properties: { id: { type: 'string' }, delta: { type: 'string' }, done: { type: 'boolean' } },
        },
        Step: {
          oneOf: [
            {
              properties: { event: { const: 'run.completed' }, data: ref('Reply') },
              required: ['event', 'data'],
            },
            {
              properties: { event: { const: 'run.failed' }, data: ref('Reply') },
              required: ['event', 'data'],
            },
            {
              properties: { event: { const: 'text.delta' }, data: ref('Piece') },
              required: ['event', 'data'],
            },
            {
              properties: { event: { const: 'run.started' }, data: ref('Reply') },
              required: ['event', 'data'],
            },
          ],
        },
      },
    },
  },
);

const serve = (options = {}) => serveText(TASKS, { count: 3, ...options });

/** An open stream, read as far as it is wanted. */
async function open(mock: Mock, line: string, headers: Record<string, string> = {}, body?: object) {
  const [method = 'GET', path = '/'] = line.split(' ');
  const response = await mock.fetch(path, {
    method,
    headers: {
      authorization: `Bearer ${BUILT_IN_KEY}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  async function until(isEnough: (read: ReadStream) => boolean) {
    for (;;) {
      const read = readStream('events', text, false);
      if (isEnough(read)) return read.messages;
      const { value, done } = await reader.read();
      if (done) return read.messages;
      text += decoder.decode(value, { stream: true });
    }
  }
  onTestFinished(() => reader.cancel().catch(() => {}));
  return {
    response,
    upTo: (count: number) => until(({ messages }) => messages.length >= count),
    toEnd: async () => ({ messages: await until(() => false), text }),
    leave: () => reader.cancel(),
  };
}

const shown = (messages: ReadStream['messages']) =>
  messages.map(({ event, id, data }) => [event, id, JSON.parse(data).id, JSON.parse(data).title]);

test('a stream of records begins with those that there are, and goes on with what happens to them', async () => {
  const mock = await serve();
  const stream = await open(mock, 'GET /tasks/changes');
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
  const first = await stream.upTo(3);
  expect(first.map(({ event, id }) => [event, id])).toEqual([1, 2, 3].map((n) => ['task.created', `0.${n}`]));
  await ask(mock, 'POST /tasks', { title: 'wash' });
  await ask(mock, 'PUT /tasks/4', { title: 'wash up' });
  await ask(mock, 'DELETE /tasks/4');
  expect(shown((await stream.upTo(6)).slice(3))).toEqual([
    ['task.created', '1', 4, 'wash'],
    ['task.updated', '2', 4, 'wash up'],
    ['task.deleted', '3', 4, 'wash up'],
  ]);
});

test('Last-Event-ID goes on behind that event, among the records too', async () => {
  const mock = await serve();
  const before = await open(mock, 'GET /tasks/changes');
  await before.upTo(3);
  await before.leave();
  for (const title of ['one', 'two', 'three']) await ask(mock, 'POST /tasks', { title });
  const after = await open(mock, 'GET /tasks/changes', { 'last-event-id': '2' });
  expect(shown(await after.upTo(1))).toEqual([['task.created', '3', 6, 'three']]);
  const within = await open(mock, 'GET /tasks/changes', { 'last-event-id': '3.2' });
  expect(shown(await within.upTo(4)).map(([, , id]) => id)).toEqual([3, 4, 5, 6]);
  const unknown = await open(mock, 'GET /tasks/changes', { 'last-event-id': '77' });
  expect(await unknown.upTo(6)).toHaveLength(6);
});

test('a filter of the operation holds for records and for changes', async () => {
  const mock = await serve({ count: 0 });
  await ask(mock, 'POST /tasks', { title: 'a', state: 'open' });
  await ask(mock, 'POST /tasks', { title: 'b', state: 'closed' });
  const stream = await open(mock, 'GET /tasks/changes?state=closed');
  await stream.upTo(1);
  await ask(mock, 'POST /tasks', { title: 'c', state: 'open' });
  await ask(mock, 'POST /tasks', { title: 'd', state: 'closed' });
  expect(shown(await stream.upTo(2)).map(([, , , title]) => title)).toEqual(['b', 'd']);
});

test('a stream below a record is about that one alone, and there is none below what does not exist', async () => {
  const mock = await serve();
  const stream = await open(mock, 'GET /tasks/2/events');
  await stream.upTo(1);
  await ask(mock, 'PUT /tasks/1', { title: 'other' });
  await ask(mock, 'PUT /tasks/2', { title: 'mine' });
  expect(shown(await stream.upTo(2)).map(([, , id]) => id)).toEqual([2, 2]);
  expect((await ask(mock, 'GET /tasks/77/events')).status).toBe(404);
});

test('a session sees its own changes; its reset, and the end of the mock, end its streams', async () => {
  const mock = await serve();
  const main = await open(mock, 'GET /tasks/changes');
  const own = await open(mock, `GET ${mock.session('own').url}/tasks/changes`);
  await main.upTo(3);
  await own.upTo(3);
  await ask(mock, `POST ${mock.session('own').url}/tasks`, { title: 'apart' });
  await own.upTo(4);
  await mock.session('own').reset();
  expect((await own.toEnd()).messages).toHaveLength(4);
  await mock.close();
  expect((await main.toEnd()).messages).toHaveLength(3);
});

test('JSON lines are a list that ends, in the form that the client asks for', async () => {
  const mock = await serve();
  const list = await ask(mock, 'GET /tasks');
  const lines = list.body.map((record: unknown) => `${JSON.stringify(record)}\n`).join('');
  const asLines = await ask(mock, 'GET /tasks', undefined, { accept: 'application/x-ndjson' });
  expect([asLines.headers.get('content-type'), asLines.text]).toEqual(['application/x-ndjson', lines]);
  expect((await ask(mock, 'GET /tasks/export')).text).toBe(lines);
});

test('a sequence that is followed goes on, each text behind a record separator', async () => {
  const mock = await serve({ count: 1 });
  const stream = await open(mock, 'GET /tasks/log');
  const chunks = stream.response.headers.get('content-type');
  await ask(mock, 'POST /tasks', { title: 'new' });
  mock.reset();
  const { text } = await stream.toEnd();
  expect(chunks).toBe('application/json-seq');
  expect(readStream('sequence', text, true).messages.map(({ data }) => JSON.parse(data).id)).toEqual([1, 2]);
});

test('a chat comes in pieces where the request says so, and ends as its description says', async () => {
  const mock = await serve();
  const whole = await ask(mock, 'POST /chat', { prompt: 'hi' });
  expect(Object.keys(whole.body)).toEqual(['answer']);
  const stream = await open(mock, 'POST /chat', {}, { prompt: 'hi', stream: true });
  const { messages } = await stream.toEnd();
  expect(messages.at(-1)?.data).toBe('[DONE]');
  const pieces = messages.slice(0, -1).map(({ data }) => JSON.parse(data));
  expect(pieces.length).toBeGreaterThan(3);
  expect(new Set(pieces.map(({ id }) => id)).size).toBe(1);
  expect(new Set(pieces.map(({ delta }) => delta)).size).toBeGreaterThan(3);
  expect(pieces.map(({ done }) => done)).toEqual(pieces.map((_, index) => index === pieces.length - 1));
});

test('the same seed gives the same stream, and Last-Event-ID the rest of it', async () => {
  const [one, other] = await Promise.all([serve(), serve()]);
  const texts = await Promise.all(
    [one, other].map(async (mock) => (await (await open(mock, 'POST /run')).toEnd()).text),
  );
  expect(texts[0]).toBe(texts[1]);
  const rest = await (await open(one, 'POST /run', { 'last-event-id': '2' })).toEnd();
  expect(texts[0]?.endsWith(rest.text)).toBe(true);
  expect(rest.messages[0]?.id).toBe('3');
});

test('of several kinds of messages the first begins, the last ends, and none is a failure', async () => {
  const mock = await serve();
  const { messages } = await (await open(mock, 'POST /run')).toEnd();
  const names = messages.map(({ event }) => event);
  expect([names[0], names.at(-1)]).toEqual(['run.started', 'run.completed']);
  expect(new Set(names)).toEqual(new Set(['run.started', 'text.delta', 'run.completed']));
});

test('what the document shows of a stream is what is sent', async () => {
  const mock = await serve();
  const { messages } = await (await open(mock, 'GET /shown')).toEnd();
  expect(messages.map(({ event, data }) => [event, data])).toEqual([
    ['hello', 'one'],
    [undefined, '[END]'],
  ]);
});

test.each<[string, object, string[], boolean]>([
  ['after messages', { drop: 2 }, ['0.1', '0.2'], true],
  ['in the middle of a message', { truncate: 2 }, ['0.1', '0.2'], false],
  ['in the middle', { truncate: true }, ['0.1'], false],
  ['in the middle of the first', { truncate: 0 }, [], false],
])('a rule breaks a stream off %s', async (_, rule, ids, isBetween) => {
  const mock = await serve();
  mock.addRule({ operation: 'watchTasks', ...rule });
  const response = await mock.fetch('/tasks/changes', {
    headers: { authorization: `Bearer ${BUILT_IN_KEY}` },
  });
  let text = '';
  const reading = (async () => {
    for await (const chunk of response.body as ReadableStream<Uint8Array>)
      text += new TextDecoder().decode(chunk);
  })();
  await expect(reading).rejects.toThrow();
  expect(readStream('events', text, false).messages.map(({ id }) => id)).toEqual(ids);
  expect(text.endsWith('\n\n')).toBe(isBetween);
});
