import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Contract, loadContract } from '#spec';
import { planRequest, type RequestInput } from '../send/plan-request.ts';
import { decodeResponse } from '../send/response.ts';
import { type Evidence, gatherEvidence } from './evidence.ts';
import { createRecordModel } from './record-model.ts';
import { owedMembers } from './sent-members.ts';
import { unsaidIn } from './unsaid.ts';

const TARGET = {
  base: new URL('http://127.0.0.1'),
  basePaths: [],
  apiKey: 'k',
  credentials: {},
  headers: [],
};

const text = { type: 'string' };
const json = (...names: string[]) => ({
  content: {
    'application/json': {
      schema: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, text])) },
    },
  },
});
const operation = (...names: string[]) => ({
  post: { requestBody: json(...names), responses: { 200: { description: 'Done', ...json('access_token') } } },
});
const PATHS = {
  '/login': operation('email', 'password'),
  '/token': operation('grant_type', 'code', 'refresh_token'),
  '/refresh': operation('refresh_token'),
  '/notes': operation('text'),
  '/notes/{id}/cover': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
    get: { responses: { 200: { description: '', ...json('colour') }, 404: { description: '' } } },
    put: { requestBody: json('colour'), responses: { 200: { description: '', ...json('colour') } } },
    delete: { responses: { 204: { description: '' } } },
  },
  '/notes/{kind}': {
    parameters: [{ name: 'kind', in: 'path', required: true, schema: text }],
    ...operation('text', 'kind'),
  },
};

async function contractOf(paths: object): Promise<Contract> {
  const folder = await mkdtemp(join(tmpdir(), 'unsaid-'));
  try {
    const document = { openapi: '3.1.0', info: { title: 'A', version: '1' }, paths };
    await writeFile(join(folder, 'a.json'), JSON.stringify(document));
    return await loadContract(join(folder, 'a.json'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

const contract = await contractOf(PATHS);

function evidenceOf(path: string, given: Pick<RequestInput, 'body' | 'path'>, status: number): Evidence {
  const [operation] = contract.operations.filter((one) => one.path === path);
  if (!operation) throw new Error(path);
  const input = { ...given, expected: { status: 200 } };
  const response = decodeResponse({ status, headers: [], body: Buffer.from(''), cut: false, ms: 1 });
  const exchange = { operation, input, request: planRequest(TARGET, operation, input), response };
  return gatherEvidence(exchange, { contract, model: createRecordModel(), earlier: [] });
}

test.each<[string, object, number, string | undefined]>([
  ['/login', { email: 'a', password: 'made up' }, 401, 'no account is known: say --value password=V'],
  ['/login', { email: 'a', password: 'made up' }, 500, undefined],
  ['/token', { code: 'made up' }, 400, 'no account is known: say --value refresh_token=V'],
  ['/refresh', { refresh_token: 'made up' }, 401, 'no account is known: say --value refresh_token=V'],
  ['/refresh', { refresh_token: 'made up' }, 500, undefined],
  ['/notes', { text: 'a' }, 400, undefined],
])('a POST %s with %j answered by %i', (path, body, status, want) => {
  expect(unsaidIn(evidenceOf(path, { body }, status))).toBe(want);
});

test('what can be removed by itself may lack from its record', () => {
  const want = 'the document does not say what it needs of what its path names';
  expect(unsaidIn(evidenceOf('/notes/{id}/cover', { path: { id: '1' } }, 404))).toBe(want);
});

test('what the path names is not owed otherwise', () => {
  const owed = (kind: string) =>
    owedMembers(evidenceOf('/notes/{kind}', { body: { text: 'a', kind }, path: { kind: 'short' } }, 200));
  expect([owed('short'), owed('long')]).toEqual([{ text: 'a', kind: 'short' }, { text: 'a' }]);
});
