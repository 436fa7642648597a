import { stringifyJson } from '#spec';
import { MASK } from './redact.ts';
import type { Report } from './report.ts';
import type { ReportedExchange } from './reported-exchange.ts';
import { headline } from './words.ts';

/** HAR 1.2: every exchange of a run that was told to record them, credentials taken out. */
export function renderHar(report: Report): string {
  const { paddock, startedAt, target, totals, documentInfo, exchanges } = report;
  const { entries, dropped } = exchanges ?? { entries: [], dropped: 0 };
  const { title, version, digest } = documentInfo;
  const log = {
    version: '1.2',
    creator: { name: 'paddock', version: paddock },
    pages: [
      {
        startedDateTime: startedAt,
        id: PAGE,
        title: `${headline(report)} ${target}`,
        pageTimings: { onLoad: totals.ms },
        comment: `${title} ${version} (${report.document}, ${digest}), seed ${report.seed}`,
      },
    ],
    entries: entries.map(toEntry),
    ...(dropped > 0 && { comment: `${dropped} later exchanges were not kept` }),
  };
  return `${stringifyJson({ log }, 2)}\n`;
}

const PAGE = 'run';
const HTTP_VERSION = 'HTTP/1.1';
/** HAR 1.2 for what does not apply, and for what is not known. */
const UNKNOWN = -1;

function toEntry(exchange: ReportedExchange) {
  const { caseId, startedAt, ms, request, response } = exchange;
  return {
    pageref: PAGE,
    startedDateTime: startedAt,
    time: ms,
    request: toRequest(request),
    response: toResponse(response),
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
    ...(caseId !== undefined && { comment: caseId }),
  };
}

function toRequest({ method, url, headers, body, bodySize }: ReportedExchange['request']) {
  const query = [...(URL.parse(url)?.searchParams ?? [])];
  return {
    method,
    // No URI has brackets there (RFC 3986 §3.4).
    url: url.replaceAll(MASK, encodeURIComponent(MASK)),
    httpVersion: HTTP_VERSION,
    cookies: [],
    headers: headers.map(toPair),
    queryString: query.map(toPair),
    ...(body !== undefined && { postData: { mimeType: typeOf(headers), text: body } }),
    headersSize: UNKNOWN,
    bodySize,
  };
}

function toResponse(response: ReportedExchange['response']) {
  const common = { httpVersion: HTTP_VERSION, cookies: [], headersSize: UNKNOWN };
  if ('error' in response) {
    const content = { size: 0, mimeType: '' };
    const nothing = { headers: [], content, redirectURL: '', bodySize: UNKNOWN };
    return { status: 0, statusText: '', ...common, ...nothing, comment: response.error };
  }
  const { status, statusText, headers, body, bodySize } = response;
  const size = body === undefined ? bodySize : Buffer.byteLength(body);
  return {
    status,
    statusText,
    ...common,
    headers: headers.map(toPair),
    content: {
      size,
      mimeType: typeOf(headers),
      ...(body === undefined ? { comment: 'no text' } : { text: body }),
    },
    redirectURL: headerValue(headers, 'location'),
    bodySize,
  };
}

type Pair = readonly [name: string, value: string];

function toPair([name, value]: Pair) {
  return { name, value };
}

function typeOf(headers: readonly Pair[]): string {
  return headerValue(headers, 'content-type');
}

function headerValue(headers: readonly Pair[], wanted: string): string {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
}
