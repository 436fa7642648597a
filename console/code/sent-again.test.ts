import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { LoggedRequest, OperationView } from '../wire.ts';
import { sentAgain } from './client-request.ts';
import { curlCode } from './request-code.ts';

const REQUEST: LoggedRequest = {
  number: 1,
  at: '2026-01-01T00:00:00.000Z',
  ms: 1,
  method: 'POST',
  target: '/v1/pets?key=***&a=1',
  operation: 'createPet',
  status: 201,
  code: undefined,
  message: undefined,
  headers: { host: 'a', authorization: '***', 'content-type': 'application/json', 'x-note': 'it\'s "$HOME"' },
  body: '{"name":"O\'Neill"}',
  violations: [],
  deprecated: undefined,
  response: { headers: {}, body: undefined, cutFrom: undefined },
  trace: {
    route: { operation: 'createPet', path: '/pets' },
    credential: { result: 'accepted', schemes: ['key'] },
    validated: { result: 'valid', parts: ['body'], errors: 0 },
    answered: { by: 'record', because: 'the body became a record of /pets' },
    nearMisses: [],
    ignored: [],
    violations: [],
    latency: { total: 1, own: 1 },
  },
};
const operationWith = (security: OperationView['security']): OperationView => ({
  id: 'createPet',
  method: 'POST',
  path: '/pets',
  summary: undefined,
  deprecated: false,
  security,
});
const BEARER = operationWith([{ kind: 'bearer', in: 'header', name: 'authorization' }]);
const urlOf = (target: string) => `http://127.0.0.1:1${target}`;

/** The arguments that a shell passes to a program. */
function argumentsOf(command: string): string[] {
  const script = command.replace(/^curl /, `printf '%s\\n' `);
  const env = { PADDOCK_API_KEY: 'sk 1', HOME: '/nowhere' };
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', env }).trimEnd().split('\n');
}

test.each<
  [string, { request?: Partial<LoggedRequest>; operation?: OperationView; key: string; want: string[] }]
>([
  [
    'the built-in key, and quotes of every kind',
    {
      operation: BEARER,
      key: 'dev',
      want: [
        'http://127.0.0.1:1/v1/pets?key=dev&a=1',
        ...['-H', 'Authorization: Bearer dev', '-H', 'content-type: application/json'],
        ...['-H', 'x-note: it\'s "$HOME"', '--data-raw', '{"name":"O\'Neill"}'],
      ],
    },
  ],
  [
    'a key that the shell knows',
    {
      request: {
        method: 'PUT',
        headers: { authorization: '***' },
        body: undefined,
        target: '/p?q="`$x`"&k=***',
      },
      operation: BEARER,
      key: '$PADDOCK_API_KEY',
      want: ['-X', 'PUT', 'http://127.0.0.1:1/p?q="`$x`"&k=sk 1', '-H', 'Authorization: Bearer sk 1'],
    },
  ],
  [
    'a key as the name of a user, and a body that was not kept',
    {
      request: { headers: { authorization: '***' }, body: '(too long to be kept)', target: '/p' },
      operation: operationWith([{ kind: 'basic', in: 'header', name: 'authorization' }]),
      key: 'dev',
      want: ['-X', 'POST', 'http://127.0.0.1:1/p', '-u', 'dev:'],
    },
  ],
  [
    'no operation',
    {
      request: { method: 'HEAD', headers: { accept: '*/*', cookie: '***' }, body: undefined, target: '/p' },
      key: 'dev',
      want: ['--head', 'http://127.0.0.1:1/p', '-H', 'cookie: ***'],
    },
  ],
])('%s', (_, { request = {}, operation, key, want }) => {
  expect(argumentsOf(curlCode(sentAgain({ ...REQUEST, ...request }, operation, key, urlOf)))).toEqual(want);
});
