import { stringifyJson } from '#spec';
import { MASK } from './redact.ts';
import type { Report } from './report.ts';
import type { ReportedExchange } from './reported-exchange.ts';
import { headline } from './words.ts';

/** HAR 1.2: every recorded exchange of a run, without credentials. */
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
/** HAR 1.2's values for what does not apply, or is unknown. */
const UNKNOWN = -1;
const COMMON = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: UNKNOWN };
const NO_RESPONSE = { status: 0, statusText: '', headers: [], body: '', bodySize: UNKNOWN };

function toEntry({ caseId, startedAt, ms, request, response }: ReportedExchange) {
  return {
    pageref: PAGE,
    startedDateTime: startedAt,
    time: ms,
    request: toRequest(request),
    response:
      'error' in response ? { ...toResponse(NO_RESPONSE), comment: response.error } : toResponse(response),
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
    ...(caseId !== undefined && { comment: caseId }),
  };
}

function toRequest({ method, url, headers, body, bodySize }: ReportedExchange['request']) {
  return {
    method,
    // URIs have no brackets there (RFC 3986 §3.4).
    url: url.replaceAll(MASK, encodeURIComponent(MASK)),
    ...COMMON,
    headers: toPairs(headers),
    queryString: toPairs([...(URL.parse(url)?.searchParams ?? [])]),
    ...(body !== undefined && { postData: { mimeType: headerValue('content-type', headers), text: body } }),
    bodySize,
  };
}

type Response = Exclude<ReportedExchange['response'], { readonly error: string }>;

function toResponse({ status, statusText, headers, body, bodySize }: Response) {
  const mimeType = headerValue('content-type', headers);
  const content =
    body === undefined
      ? { size: bodySize, mimeType, comment: 'no text' }
      : { size: Buffer.byteLength(body), mimeType, text: body };
  const redirectURL = headerValue('location', headers);
  return { status, statusText, ...COMMON, headers: toPairs(headers), content, redirectURL, bodySize };
}

type Pairs = readonly (readonly [name: string, value: string])[];

function toPairs(pairs: Pairs) {
  return pairs.map(([name, value]) => ({ name, value }));
}

function headerValue(wanted: string, headers: Pairs): string {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
}
