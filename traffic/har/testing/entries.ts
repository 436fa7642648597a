import type { HarProblem, RecordedExchange } from '../index.ts';

/** A HAR entry with an empty list as response, changed for a test. */
export function entryOf(request: object, response: object, more: object = {}): object {
  return {
    startedDateTime: '2026-03-04T05:06:07.000Z',
    time: 12.5,
    request: { method: 'GET', url: 'http://api.test/pets', headers: [], bodySize: -1, ...request },
    response: { status: 200, statusText: 'OK', headers: [], content: { size: 2, text: '[]' }, ...response },
    ...more,
  };
}

/** The text of a HAR. */
export function harOf(...entries: readonly unknown[]): string {
  return JSON.stringify({
    log: { version: '1.2', creator: { name: 'test', version: '1' }, pages: [], entries },
  });
}

/** A file in chunks of a size in bytes. */
export async function* inChunks(text: string | Uint8Array, size: number): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export async function readAll(items: AsyncIterable<RecordedExchange | HarProblem>) {
  const exchanges: RecordedExchange[] = [];
  const problems: HarProblem[] = [];
  for await (const item of items) {
    if ('problem' in item) problems.push(item);
    else exchanges.push(item);
  }
  return { exchanges, problems };
}

export function textOf(body: Uint8Array | undefined): string {
  return Buffer.from(body ?? []).toString();
}
