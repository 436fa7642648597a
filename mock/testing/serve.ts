import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { mediaTypeFor, type Operation, parseJson, responseFor, stringifyJson } from '#spec';
import { BUILT_IN_KEY, createMock, type Mock, type MockOptions } from '../index.ts';

/** The document that ships with the project. */
export const SHIPPED = fileURLToPath(new URL('../../spec/openapi.yaml', import.meta.url));

/** One of the documents that were written to differ from the shipped one. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`../../fixtures/specs/${name}`, import.meta.url));
}

/** A mock that ends with the test; without a socket unless a port is given. */
export async function serve(
  document: MockOptions['document'],
  options: Partial<MockOptions> = {},
): Promise<Mock> {
  const mock = await createMock({ port: false, ...options, document });
  onTestFinished(() => mock.close());
  return mock;
}

/** A mock of a document in the test, which is read like a user's file. */
export async function serveText(document: unknown, options: Partial<MockOptions> = {}): Promise<Mock> {
  const folder = await mkdtemp(join(tmpdir(), 'mock-'));
  try {
    const file = join(folder, 'openapi.json');
    await writeFile(file, stringifyJson(document));
    return await serve(file, options);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A document with these paths and other members. */
export function documentOf(paths: object, others: object = {}): Record<string, unknown> {
  return { openapi: '3.1.1', info: { title: 'A service', version: '1' }, paths, ...others };
}

export interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON body, integers exact. */
  // biome-ignore lint/suspicious/noExplicitAny: what a body holds is what each test is about.
  readonly body: any;
}

/** Sends a request with the built-in key: `GET /things?limit=1`. Given headers take precedence. */
export async function ask(
  mock: Mock,
  line: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Asked> {
  const [method = 'GET', path = '/'] = line.split(' ');
  const sent = typeof body === 'string' || body === undefined ? body : stringifyJson(body);
  const response = await mock.fetch(path, {
    method,
    headers: {
      authorization: `Bearer ${BUILT_IN_KEY}`,
      ...(sent !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(sent !== undefined && { body: sent }),
  });
  const text = await response.text();
  const isJson = /[/+]json(?:;|$)/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? parseJson(text) : undefined,
  };
}

/** How a response violates its documented status; an empty list: not at all. */
export function misfits(mock: Mock, operationId: string, { status, headers, text }: Asked): string[] {
  const { operations, validators } = mock.contract;
  const { responses } = operations.find(({ id }) => id === operationId) as Operation;
  const response = responseFor(responses, status);
  if (!response) return [`${status} is not documented`];
  if (response.content.length === 0) return text === '' ? [] : ['a body, where none is documented'];
  const type = headers.get('content-type') ?? 'none';
  const media = mediaTypeFor(response.content, type);
  if (!media) return [`the content type ${type} is not documented`];
  if (!media.schema) return [];
  const violations = validators.compile(media.schema, 'response')(parseJson(text));
  return violations.map(({ pointer, expected }) => `${pointer} ${expected}`);
}
