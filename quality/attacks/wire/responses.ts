/** One response as it came over the wire. */
export interface WireResponse {
  readonly status: number;
  /** By lower-case name; the last one counts. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** All responses of a connection; `rest` holds what is no whole response. */
export interface WireResponses {
  readonly responses: readonly WireResponse[];
  readonly rest: Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const STATUS_LINE = /^HTTP\/1\.1 ([1-5]\d\d) [\x20-\x7e]+$/;
const FIELD = /^([!#$%&'*+.^_`|~\w-]+): ([\x20-\x7e]*)$/;

/**
 * Reads the bytes of a connection more strictly than clients do: RFC 9112 without its allowances for recipients.
 * @param heads how many of the first responses belong to HEAD requests, and so have no body
 * @throws Error at the first byte that no response can have
 */
export function readResponses(bytes: Buffer, heads = 0): WireResponses {
  const responses: WireResponse[] = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf(HEAD_END);
    if (end < 0) return { responses, rest };
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const status = Number(STATUS_LINE.exec(statusLine)?.[1] ?? fail(`no status line: ${statusLine}`));
    const headers = new Map(lines.map(readField));
    const length = headers.get('content-length');
    const bare = status < 200 || status === 204 || responses.length < heads;
    if (!bare && !/^\d+$/.test(length ?? '')) fail(`no Content-Length: ${lines.join(' | ')}`);
    const begin = end + HEAD_END.length;
    const size = bare ? 0 : Number(length);
    if (rest.length < begin + size) return { responses, rest };
    if (status >= 200) responses.push({ status, headers, body: rest.subarray(begin, begin + size) });
    rest = rest.subarray(begin + size);
  }
}

function readField(line: string): [string, string] {
  const [, name, value] = FIELD.exec(line) ?? fail(`no header: ${line}`);
  return [(name as string).toLowerCase(), value as string];
}

function fail(message: string): never {
  throw new Error(message);
}
