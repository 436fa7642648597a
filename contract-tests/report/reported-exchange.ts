import { STATUS_CODES } from 'node:http';
import { maskHeader, maskUrl } from '#spec';
import type { LoggedExchange, WireLog } from '../run/recording.ts';
import { sentHeaders } from '../send/client.ts';
import { decodeResponse } from '../send/response.ts';
import type { WireResponse } from '../send/wire.ts';
import { createIssuedRedactor, MASK } from './redact.ts';

/** The recorded exchanges of a run. */
export interface ReportedExchanges {
  readonly entries: readonly ReportedExchange[];
  /** The number of dropped ones: of a long run, the first ones are kept. */
  readonly dropped: number;
}

/** A request with its response, or the error. */
export interface ReportedExchange {
  /** The case that sent it. */
  readonly caseId: string | undefined;
  /** RFC 3339, UTC. */
  readonly startedAt: string;
  readonly ms: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly Pair[];
    /** Undefined: it has none. */
    readonly body: string | undefined;
    readonly bodySize: number;
  };
  readonly response:
    | {
        readonly status: number;
        readonly statusText: string;
        readonly headers: readonly Pair[];
        /** Decoded; undefined: it is no text. */
        readonly body: string | undefined;
        /** The number of received bytes. */
        readonly bodySize: number;
      }
    | { readonly error: string };
}

type Pair = readonly [name: string, value: string];

/** The exchanges of a run as data, in the order in which they began. */
export function reportExchanges({ entries, dropped }: WireLog): ReportedExchanges {
  const inOrder = entries.toSorted((left, right) => left.startedAt - right.startedAt);
  return { entries: inOrder.map(reportExchange), dropped: dropped() };
}

function reportExchange({ caseId, startedAt, ms, request, response }: LoggedExchange): ReportedExchange {
  const { method, url, body } = request;
  return {
    caseId,
    startedAt: new Date(startedAt).toISOString(),
    ms,
    request: {
      method,
      url: maskUrl(url.href, MASK),
      headers: sentHeaders(request).map(masked),
      body: body && Buffer.from(body).toString(),
      bodySize: body?.length ?? 0,
    },
    response: 'error' in response ? response : reportResponse(response),
  };
}

/** Masks headers with secret names, whatever their source: the run's own credentials are removed from the whole report. */
function masked([name, value]: Pair): Pair {
  return [name, maskHeader(name, value, MASK)];
}

function reportResponse(response: WireResponse): ReportedExchange['response'] {
  const { status, headers, body } = response;
  const redact = createIssuedRedactor(headers);
  const { text } = decodeResponse(response);
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    headers: headers.map(masked).map(([name, value]) => [name, redact(value)]),
    body: text && redact(text),
    bodySize: body.length,
  };
}
