import { isRecord } from '#spec';
import { membersAt, sizeAt, textAt } from './read-members.ts';
import { readRequest } from './read-request.ts';
import { readResponse } from './read-response.ts';
import type { ReadAttachment } from './read-text.ts';
import type { RecordedExchange } from './recorded-exchange.ts';
import type { Remark, Skipped } from './remark.ts';

/** Why an entry is no exchange, in a few words. */
export interface NoExchange {
  readonly problem: Skipped;
  readonly message: string;
}

/** RFC 9110 §9.1: a method is a token. */
const METHOD = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;

/** An element of `log.entries` as an exchange. */
export async function readEntry(
  entry: unknown,
  place: Pick<RecordedExchange, 'position' | 'line'>,
  readAttachment: ReadAttachment,
  /** The longest decoded body in bytes. */
  limit: number,
): Promise<RecordedExchange | NoExchange> {
  if (!isRecord(entry)) return { problem: 'broken-entry', message: 'it is no object' };
  const request = membersAt(entry, 'request');
  const method = textAt(request, 'method') ?? '';
  if (!METHOD.test(method)) return { problem: 'broken-entry', message: 'it has no method' };
  const url = URL.parse(textAt(request, 'url') ?? '');
  if (!url) return { problem: 'broken-entry', message: 'it has no absolute URL' };
  const isSocket = /^wss?:$/.test(url.protocol) || entry._webSocketMessages !== undefined;
  if (isSocket || entry._resourceType === 'websocket') {
    return { problem: 'web-socket', message: 'it is a WebSocket connection' };
  }
  if (!/^https?:$/.test(url.protocol)) return { problem: 'other-scheme', message: `it is ${url.protocol}` };
  url.hash = '';

  const remarks = new Set<Remark>();
  const remark = (one: Remark) => void remarks.add(one);
  if (entry._fromCache !== undefined && entry._fromCache !== null) remark('from-cache');
  if (entry._fetchedViaServiceWorker === true) remark('service-worker');
  const startedAt = Date.parse(textAt(entry, 'startedDateTime') ?? '');
  return {
    ...place,
    startedAt: Number.isNaN(startedAt) ? undefined : startedAt,
    ms: sizeAt(entry, 'time'),
    request: await readRequest(request, method, url, readAttachment, remark),
    response: await readResponse(membersAt(entry, 'response'), method, readAttachment, limit, remark),
    remarks: [...remarks],
  };
}
