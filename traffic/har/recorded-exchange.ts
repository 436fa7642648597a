export type HeaderPair = readonly [name: string, value: string];

/** The first value of a header. @param wanted its name in lower case */
export function headerOf(headers: readonly HeaderPair[], wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
}

/** A recorded request with its response. */
export interface RecordedExchange {
  /** Its place for messages: `entry 17`, counted from 1. */
  readonly position: string;
  /** The line on which the entry begins, from 1. */
  readonly line: number;
  /** When the request began, in milliseconds since 1970; undefined: not recorded. */
  readonly startedAt: number | undefined;
  /** The duration of the exchange, in milliseconds; undefined: not recorded. */
  readonly ms: number | undefined;
  readonly request: RecordedRequest;
  /** Undefined: no response. */
  readonly response: RecordedResponse | undefined;
  /** What the recording lacks of this exchange, or has in another form; compensated where possible. */
  readonly remarks: readonly Remark[];
}

export interface RecordedRequest {
  readonly method: string;
  /** `http:` or `https:`, without a fragment. */
  readonly url: URL;
  /** Without HTTP/2 pseudo headers. */
  readonly headers: readonly HeaderPair[];
  /** Undefined: none was sent, or it is not recorded. */
  readonly body: Uint8Array | undefined;
  /** Whether a body was sent that is not recorded, or only in part. */
  readonly bodyMissing: boolean;
}

export interface RecordedResponse {
  /** From 100 to 999. */
  readonly status: number;
  readonly statusText: string;
  /**
   * Without HTTP/2 pseudo headers. If the recorded body is decoded, as browsers do, `Content-Encoding` and the
   * `Content-Length` of the compressed body are left out, so that headers and body agree.
   */
  readonly headers: readonly HeaderPair[];
  /** Decoded; empty if there was none, or it is not recorded. */
  readonly body: Uint8Array;
  /** Whether there was a body that is not recorded, or only in part. */
  readonly bodyMissing: boolean;
}

/** A recorded exchange in the form of an observer. */
export function observedOf({ request, response, startedAt, ms }: RecordedExchange) {
  const { status = 0, headers = [], body = new Uint8Array(), bodyMissing: cut = false } = response ?? {};
  return {
    // Without the duration, concurrent exchanges are unknown.
    sent: { ...request, startedAt: ms === undefined ? undefined : startedAt },
    /** Undefined: no response. */
    received: response && { status, headers, body, cut, ms: ms ?? 0 },
  };
}

/** What recordings lack of an exchange, or have in another form. A remark is counted, without content. */
export const REMARKS = {
  'request-body-missing': 'request bodies that the file does not have whole',
  'response-body-missing': 'response bodies that the file does not have whole',
  'no-response': 'requests without a response',
  'decoded-body': 'bodies that the file has decoded: Content-Encoding and Content-Length were left out',
  'compressed-body': 'bodies that the file has compressed: decoded here',
  'zstd-body':
    'bodies compressed with zstd, which this version of Node cannot decompress: left out (Node 22.15 or newer reads them)',
  'form-from-parameters': 'form bodies made from their parameters',
  'attached-body': 'bodies read from files beside the HAR',
  'cookies-only': 'requests whose Cookie header was made from the list of cookies',
  'pseudo-headers': 'exchanges with HTTP/2 pseudo headers, which were left out',
  'from-cache': 'responses from the cache of the browser',
  'service-worker': 'responses that a service worker may have made',
} as const satisfies Readonly<Record<string, string>>;

export type Remark = keyof typeof REMARKS;

/** Why an entry is no exchange. */
export const SKIPPED = {
  'web-socket': 'WebSocket connections',
  'other-scheme': 'URLs that are not http or https (data:, blob:, file:, ...)',
  'broken-entry': 'entries without a usable method or URL',
  'broken-json': 'places with broken JSON',
  'too-large': 'entries larger than the limit',
  'cut-off': 'files that end too early',
} as const satisfies Readonly<Record<string, string>>;

export type Skipped = keyof typeof SKIPPED;

/** An entry that is no exchange, or a fault of the file. */
export interface HarProblem {
  readonly problem: Skipped;
  /** `entry 17`, counted from 1. */
  readonly position: string;
  /** The line on which the entry begins, from 1. */
  readonly line: number;
  /** What is wrong, in brief. It contains nothing of the traffic. */
  readonly message: string;
}

/** Counts the problems and remarks of a file. */
export interface Tally {
  add(item: Pick<RecordedExchange, 'position' | 'line' | 'remarks'> | HarProblem): void;
  readonly exchanges: number;
  readonly counts: ReadonlyMap<Remark | Skipped, number>;
  /** A line for each kind: `WebSocket connections: 3 (first: entry 2, line 40)`. */
  lines(): readonly string[];
}

/** Counts exchanges, remarks and problems, and keeps the place of the first of each kind. */
export function createTally(): Tally {
  const counts = new Map<Remark | Skipped, number>();
  const firstOf = new Map<Remark | Skipped, string>();
  let exchanges = 0;

  function count(kind: Remark | Skipped, position: string, line: number): void {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (!firstOf.has(kind)) firstOf.set(kind, `${position}, line ${line}`);
  }

  return {
    add(item) {
      const { position, line } = item;
      if ('problem' in item) return count(item.problem, position, line);
      exchanges++;
      for (const remark of item.remarks) count(remark, position, line);
    },
    get exchanges() {
      return exchanges;
    },
    counts,
    lines: () =>
      [...counts].map(([kind, times]) => `${SENTENCES[kind]}: ${times} (first: ${firstOf.get(kind)})`),
  };
}

const SENTENCES: Readonly<Record<Remark | Skipped, string>> = { ...REMARKS, ...SKIPPED };
