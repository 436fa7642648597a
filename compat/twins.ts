import { createMock, type Mock } from '#mock';
import type { Contract } from '#spec';
import type { Sent } from './draft.ts';
import { type Address, atNew } from './pair.ts';

/** A mock of each document, with the same records as far as both describe them. */
export interface Twins {
  readonly old: Mock;
  readonly new: Mock;
  /** The base URLs that clients of OLD use for each mock. */
  readonly urls: { readonly old: string; readonly new: string };
  /** The response of OLD's mock to a request, with the initial records; undefined: it cannot be sent. */
  readonly sendOld: (sent: Sent) => Promise<Answer | undefined>;
  readonly sendNew: (sent: Sent) => Promise<Answer | undefined>;
  /** The number of sent requests. */
  readonly sent: () => number;
  close(): Promise<void>;
}

/** Initial records of each collection: enough for two pages. */
const COUNT = 25;

export async function openTwins(old: Contract, next: Contract, address: Address): Promise<Twins> {
  const options = { port: false, apiKeys: 'any', count: COUNT, onBug: () => undefined } as const;
  const mocks = [
    await createMock({ ...options, document: old }),
    await createMock({ ...options, document: next }),
  ] as const;
  let sent = 0;
  async function fromTheStart(mock: Mock, request: Sent) {
    sent += 1;
    await mock.reset();
    return send(mock, request);
  }
  return {
    old: mocks[0],
    new: mocks[1],
    urls: {
      old: mocks[0].url,
      new: address.hasMoved ? new URL(address.basePath || '/', mocks[1].url).href : mocks[1].url,
    },
    sendOld: (request) => fromTheStart(mocks[0], request),
    sendNew: (request) => fromTheStart(mocks[1], atNew(address, request)),
    sent: () => sent,
    close: async () => {
      await Promise.all(mocks.map((mock) => mock.close()));
    },
  };
}

/** The response of a mock. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

async function send(mock: Mock, sent: Sent): Promise<Answer | undefined> {
  const { method, basePath, path, query, headers, body } = sent;
  const at = basePath === undefined ? '' : new URL(mock.url).origin + basePath;
  try {
    const response = await mock.fetch(at + path + (query === '' ? '' : `?${query}`), {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      ...(body && { body: new Uint8Array(body) }),
    });
    const contentType = response.headers.get('content-type') ?? '';
    return { status: response.status, contentType, text: await response.text() };
  } catch {
    // Requests that fetch cannot send, such as TRACE or a body of GET.
    return undefined;
  }
}

export function worked(answer: Answer | undefined): boolean {
  return answer !== undefined && answer.status < 400;
}
