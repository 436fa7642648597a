/** What files lack of an exchange, or have in another form than it was sent. A remark says how often, and never what. */
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
  /** What is wrong, in a few words. Nothing of the traffic is in it. */
  readonly message: string;
}
