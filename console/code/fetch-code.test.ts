import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '#mock';
import type { LoggedRequest } from '../wire.ts';
import { sentAgain } from './client-request.ts';
import { fetchCode } from './request-code.ts';
import { FROM_ENVIRONMENT } from './script-value.ts';

const SHIPPED = new URL('../../spec/openapi.yaml', import.meta.url);
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;

/** Runs the code as a page would, and returns the mock's log of it. */
async function sentBy(code: string, logged: () => readonly LoggedRequest[]): Promise<LoggedRequest> {
  await AsyncFunction(code)();
  return logged().at(-1) as LoggedRequest;
}

test('the code sends the same request again, whatever is in it', async () => {
  const mock = await createMock({ document: SHIPPED, port: 0 });
  onTestFinished(() => mock.close());
  const body = `{"name":"O'Neill \\"x\\" \u2028 \\\\ ü","categoryId":9007199254740993}`;
  const key = 'Bearer paddock-dev-key';
  const headers = { authorization: key, 'content-type': 'application/json', 'x-note': `it's "$HOME"` };
  await fetch(`${mock.url}/pets`, { method: 'POST', headers, body });
  const [first] = mock.requests() as [LoggedRequest];
  const security = [{ kind: 'bearer', in: 'header', name: 'authorization' }] as const;
  const operation = {
    id: 'createPet',
    method: 'POST',
    path: '/pets',
    summary: undefined,
    deprecated: false,
    security,
  };
  const urlOf = (target: string) => new URL(target, mock.url).href;
  const code = fetchCode(sentAgain(first, operation, 'paddock-dev-key', urlOf));
  const again = await sentBy(code, mock.requests);
  expect(again.status).toBe(201);
  expect([again.body, again.headers['x-note'], again.target]).toEqual([body, headers['x-note'], '/v1/pets']);
});

test('a key that is not shown is taken from the environment', () => {
  const request = {
    method: 'GET',
    target: '/p',
    headers: { authorization: '***' },
    body: undefined,
  } as unknown as LoggedRequest;
  const of = (kind: 'bearer' | 'basic') => {
    const security = [{ kind, in: 'header', name: 'authorization' }] as const;
    const operation = {
      ...{ id: 'p', method: 'GET', path: '/p', summary: undefined, deprecated: false, security },
    };
    return fetchCode(
      sentAgain(request, operation, FROM_ENVIRONMENT, (target) => `http://127.0.0.1:1${target}`),
    );
  };
  expect(of('bearer')).toContain("\n    Authorization: 'Bearer ' + process.env.PADDOCK_API_KEY,\n");
  expect(of('basic')).toContain("\n    Authorization: 'Basic ' + btoa(process.env.PADDOCK_API_KEY + ':'),\n");
});
