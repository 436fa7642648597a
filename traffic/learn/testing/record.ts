import { createMock } from '#mock';
import type { RecordedExchange } from '../../har/recorded-exchange.ts';

/** A request to send: method, path below the base URL, and a JSON body. */
export type Ask = readonly [method: string, path: string, body?: unknown, headers?: Record<string, string>];

let time = Date.parse('2026-03-04T05:06:07Z');

/** A recorded exchange; bodies are JSON, unless they are texts. */
export function exchangeOf(
  [method, path, body, headers = {}]: Ask,
  [status, answer, answered = {}]: readonly [
    status: number,
    body?: unknown,
    headers?: Record<string, string>,
  ],
  origin = 'https://api.test',
): RecordedExchange {
  const sent = bodyOf(body);
  const content = bodyOf(answer);
  time += 1000;
  return {
    position: 'entry 1',
    line: 1,
    startedAt: time,
    ms: 5,
    remarks: [],
    request: {
      method,
      url: new URL(path, origin),
      headers: [...(sent ? [JSON_TYPE] : []), ...Object.entries(headers)],
      body: sent,
      bodyMissing: false,
    },
    response: {
      status,
      statusText: '',
      bodyMissing: false,
      headers: [
        ...(content && answered['content-type'] === undefined ? [JSON_TYPE] : []),
        ...Object.entries(answered),
      ],
      body: content ?? new Uint8Array(),
    },
  };
}

const JSON_TYPE = ['content-type', 'application/json'] as const;

function bodyOf(value: unknown): Uint8Array | undefined {
  if (value === undefined) return undefined;
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Records the responses of a document's mock. */
export async function recordMock(document: string, asks: readonly Ask[]): Promise<RecordedExchange[]> {
  const mock = await createMock({ document, apiKeys: ['abc'] });
  try {
    const recorded: RecordedExchange[] = [];
    for (const ask of asks) {
      const [method, path, body, headers = {}] = ask;
      const url = mock.url + path;
      const sent = {
        Authorization: 'Bearer abc',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      };
      const response = await mock.fetch(
        new Request(url, {
          method,
          headers: sent,
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      );
      const text = await response.text();
      const { 'Content-Type': _, ...others } = sent as Record<string, string>;
      recorded.push(
        exchangeOf(
          [method, new URL(url).pathname + new URL(url).search, body, others],
          [response.status, text === '' ? undefined : text, Object.fromEntries(response.headers)],
          'http://127.0.0.1:4020',
        ),
      );
    }
    return recorded;
  } finally {
    await mock.close();
  }
}
