import { EXPOSED, withExposed } from './cors.ts';
import type { MockRequest, MockResponse } from './exchange.ts';

/** Why a request got its response: what it met on its way, in order. Credentials are redacted. */
export interface Trace {
  readonly route: TraceRoute;
  readonly credential: TraceCredential;
  readonly validated: TraceValidation;
  readonly answered: TraceAnswer;
  /**
   * The steps that the request has met, in order; the last one is the action, what has refused it, or the rule that has
   * answered. Absent: no operation has it.
   */
  readonly steps?: readonly string[];
  /** Rules that would have applied, but for one thing. */
  readonly nearMisses: readonly NearMiss[];
  /** What of the request had no effect. */
  readonly ignored: readonly IgnoredPart[];
  /** What the response breaks of the document. */
  readonly violations: readonly string[];
  readonly latency: TraceLatency;
  /** What the clock of the session showed: RFC 3339, UTC; absent: the session has none of its own. */
  readonly clock?: string;
}

export interface TraceRoute {
  /** The operationId; absent: no operation has this path and method. */
  readonly operation?: string;
  /** The path template of the document that matches, with its method if that matches, too. */
  readonly path?: string;
  /** The line of the document: `spec/openapi.yaml:41`. */
  readonly at?: string;
  /** That the slash at the end of the path is not as in the document; absent: it is. */
  readonly note?: string;
  /** Of an unknown path or method: the operations that are nearest, such as `GET /pets/{petId}`. */
  readonly nearest?: readonly string[];
}

export interface TraceCredential {
  /** `not reached`: something before has decided. `not judged`: that is for the real service to do. */
  readonly result: 'none needed' | 'accepted' | 'refused' | 'not reached' | 'not judged';
  /** The names of the security schemes that let the request in, or that it would have needed. */
  readonly schemes?: readonly string[];
  /** Whom the token was given to; absent: a key, or a token of somebody else. */
  readonly account?: string;
  /** What the account is, by the members that the document has for it. */
  readonly roles?: readonly string[];
}

export interface TraceValidation {
  readonly result: 'valid' | 'invalid' | 'not reached' | 'not judged';
  /** What was held to the document: `path.petId`, `query.limit`, `body`. */
  readonly parts: readonly string[];
  readonly errors: number;
}

/** Who or what has made the response. */
export type Answering =
  | 'record'
  | 'records'
  | 'example'
  | 'sample'
  | 'rule'
  | 'Prefer'
  | 'code'
  | 'upstream'
  | 'refusal';

export interface TraceAnswer {
  readonly by: Answering;
  /** Why that, in a sentence. */
  readonly because: string;
  /** Absent: no rule has applied, whoever has made the response. */
  readonly rule?: AppliedRule;
  /** Of records. */
  readonly collection?: string;
  /** The id of the one record. */
  readonly record?: string;
  /** What a query has selected of a list: `51 records, status=sold: 17, page 1 of limit 3`. */
  readonly selected?: string;
  /** The name of the documented example. */
  readonly example?: string;
  /** The line of the document that it comes from. */
  readonly at?: string;
}

export interface AppliedRule {
  readonly id: number;
  /** Which of its conditions matched; empty: it is for every request. */
  readonly matched: readonly string[];
  /** What it did: `status 503`, `delay 120 ms`. */
  readonly did: readonly string[];
  /** The how manieth request of the rule this was. */
  readonly used: number;
}

export interface NearMiss {
  readonly rule: number;
  /** Which of its conditions does not hold; `times`: it is used up; `order`: another one goes before it; `refused`: the request was. */
  readonly of:
    | ('operation' | 'tag' | 'method' | 'path' | 'query' | 'headers' | 'body')
    | ('off' | 'times' | 'order' | 'refused');
  /** What was missing, in words. */
  readonly but: string;
}

export interface IgnoredPart {
  /** `query.page`, `body` */
  readonly where: string;
  readonly why: string;
  /** The line of the document that declares it; absent: none does. */
  readonly at?: string;
}

/** In milliseconds, with three decimals. */
export interface TraceLatency {
  readonly total: number;
  /** What the mock itself needed. */
  readonly own: number;
  /** The latency of the session. */
  readonly session?: number;
  /** The delay of the rule. */
  readonly rule?: number;
  /** What the real service needed. */
  readonly upstream?: number;
}

/** The header of a request that asks for the trace, and of the response that has it. */
const TRACE_HEADER = 'Paddock-Trace';

/** `Paddock-Trace: 1`; a Boolean of RFC 9651 is taken, too. */
export function asksForTrace({ headers }: Pick<MockRequest, 'headers'>): boolean {
  const asked = headers['paddock-trace'];
  return asked !== undefined && /^\s*(?:1|\?1)\s*$/.test(String(asked));
}

/** Of the whole value: servers and proxies refuse headers of several KiB. */
const LONGEST_VALUE = 1500;
const LONGEST_TEXT = 120;
const MOST_OF_LIST = 8;

/**
 * A trace as a dictionary of RFC 9651, with what matters most first; what makes it too long is left out, and counted in
 * `more`.
 */
function traceText({ route, credential, validated, answered, ...trace }: Trace): string {
  const { rule } = answered;
  const members: (string | undefined)[] = [
    member('answered', token(answered.by)),
    member('rule', rule && String(rule.id) + parameter('matched', text(rule.matched.join('; ')))),
    member('operation', text(route.operation)),
    member('path', text(route.path)),
    member('nearest', list(route.nearest ?? [])),
    member('record', text(recordOf(answered))),
    member('selected', text(answered.selected)),
    member('example', text(answered.example)),
    member('ignored', list(trace.ignored.map(({ where }) => where))),
    member(
      'near-misses',
      inner(trace.nearMisses.map(({ rule, but }) => `${rule}${parameter('but', text(but))}`)),
    ),
    member('violations', list(trace.violations)),
    member(
      'credential',
      token(credential.result) + parameter('schemes', text(credential.schemes?.join(' '))),
    ),
    member('account', text(credential.account)),
    member(
      'validated',
      token(validated.result) +
        parameter('parts', String(validated.parts.length)) +
        parameter('errors', String(validated.errors)),
    ),
    member('latency', decimal(trace.latency.total) + latencyParameters(trace.latency)),
    member('clock', trace.clock === undefined ? undefined : `@${Math.floor(Date.parse(trace.clock) / 1000)}`),
    member('because', text(answered.because)),
    member('steps', text(trace.steps?.join(' > '))),
  ];
  const present = members.filter((one) => one !== undefined);
  const room = LONGEST_VALUE - ', more=99'.length;
  let written = '';
  let left = 0;
  for (const one of present) {
    const longer = written === '' ? one : `${written}, ${one}`;
    if (longer.length <= room) written = longer;
    else left += 1;
  }
  return left > 0 ? `${written}, more=${left}` : written;
}

function recordOf({ collection, record }: TraceAnswer): string | undefined {
  return record === undefined || collection === undefined ? collection : `${collection}/${record}`;
}

const member = (key: string, value: string | undefined) =>
  value === undefined ? undefined : `${key}=${value}`;
const parameter = (key: string, value: string | undefined) => (value === undefined ? '' : `;${key}=${value}`);
const token = (words: string) => words.replaceAll(' ', '-');
const decimal = (value: number) => (Math.round(value * 1000) / 1000).toFixed(1);

function latencyParameters({ session, rule, upstream }: TraceLatency): string {
  return [...Object.entries({ session, rule, upstream })]
    .map(([name, ms]) => parameter(name, ms === undefined ? undefined : decimal(ms)))
    .join('');
}

function list(texts: readonly string[]): string | undefined {
  return inner(texts.map((one) => text(one) as string));
}

function inner(items: readonly string[]): string | undefined {
  return items.length === 0 ? undefined : `(${items.slice(0, MOST_OF_LIST).join(' ')})`;
}

/** A String, or a Display String (RFC 9651 §3.3.8) where there is more than ASCII. */
function text(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const short = value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}...` : value;
  if (/^[\x20-\x7e]*$/.test(short)) return `"${short.replace(/["\\]/g, '\\$&')}"`;
  const bytes = new TextEncoder().encode(short);
  const shown = [...bytes].map((byte) =>
    byte < 0x20 || byte > 0x7e || byte === 0x25 || byte === 0x22
      ? `%${byte.toString(16).padStart(2, '0')}`
      : String.fromCharCode(byte),
  );
  return `%"${shown.join('')}"`;
}

/** A response that says why it is what it is; pages of another origin may read that, too (Fetch §4.10). */
export function withTrace(response: MockResponse, trace: Trace): MockResponse {
  const { fields } = response;
  const headers = withExposed(response.headers, { [TRACE_HEADER]: traceText(trace) });
  const added = [TRACE_HEADER, ...(EXPOSED in headers ? [EXPOSED] : [])];
  const isReplaced = (at: number) => added.some((name) => name.toLowerCase() === fields?.[at]?.toLowerCase());
  return {
    ...response,
    headers,
    ...(fields && {
      fields: [
        ...fields.filter((_, at) => !isReplaced(at - (at % 2))),
        ...added.flatMap((name) => [name, headers[name] ?? '']),
      ],
    }),
  };
}
