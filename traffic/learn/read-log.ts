import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { isRecord, tryJson } from '#spec';
import type { RecordedExchange } from '../har/recorded-exchange.ts';

/** Any origin, as a log has none. */
const ORIGIN = 'http://localhost';

/**
 * The exchanges in a log of `paddock mock --log json`, which has one JSON object per line. It contains methods, paths,
 * queries and statuses, without headers and bodies. Other lines are skipped.
 */
export async function* readLog(file: string): AsyncIterable<RecordedExchange> {
  let number = 0;
  for await (const line of createInterface({
    input: createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    number += 1;
    const exchange = exchangeIn(line, number);
    if (exchange) yield exchange;
  }
}

function exchangeIn(line: string, number: number): RecordedExchange | undefined {
  const entry = tryJson(line);
  if (!isRecord(entry) || entry.type !== 'request') return undefined;
  const { method, target, status, at, ms } = entry;
  const url = URL.parse(String(target), ORIGIN);
  if (typeof method !== 'string' || typeof status !== 'number' || !url) return undefined;
  const startedAt = Date.parse(String(at));
  return {
    position: `line ${number}`,
    line: number,
    remarks: ['request-body-missing', 'response-body-missing'],
    startedAt: Number.isNaN(startedAt) ? undefined : startedAt,
    ms: typeof ms === 'number' ? ms : undefined,
    request: {
      method,
      url,
      headers: [],
      body: undefined,
      bodyMissing: method !== 'GET' && method !== 'DELETE',
    },
    response: { status, statusText: '', headers: [], body: new Uint8Array(), bodyMissing: true },
  };
}
