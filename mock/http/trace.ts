import { EXPOSED, withExposed } from './cors.ts';
import type { MockRequest, MockResponse } from './exchange.ts';

/** Why a request got its response: what happened to it, in order. Credentials are redacted. */
export interface Trace {
  readonly route: TraceRoute;
  readonly credential: TraceCredential;
  readonly validated: TraceValidation;
  readonly answered: TraceAnswer;
  /**
   * The steps of the request, in order; the last one is the action, the step that refused it, or the rule that responded.
   * Absent: it has no operation.
   */
  readonly steps?: readonly string[];
  /** Rules that failed to apply by one condition only. */
  readonly nearMisses: readonly NearMiss[];
  /** Parts of the request without effect. */
  readonly ignored: readonly IgnoredPart[];
  /** How the response violates the document. */
  readonly violations: readonly string[];
  readonly latency: TraceLatency;
  /** The time of the session's clock: RFC 3339, UTC. Absent: the session uses real time. */
  readonly clock?: string;
}

export interface TraceRoute {
  /** The operationId. Absent: no operation has this path and method. */
  readonly operation?: string;
  /** The matching path template of the document, with its method if that matches, too. */
  readonly path?: string;
  /** The line of the document: `spec/openapi.yaml:41`. */
  readonly at?: string;
  /** Notes that path and document differ in the trailing slash. Absent: they agree. */
  readonly note?: string;
  /** For an unknown path or method: the nearest operations, such as `GET /pets/{petId}`. */
  readonly nearest?: readonly string[];
}

export interface TraceCredential {
  /** `not reached`: an earlier step has decided. `not judged`: the real service does it. */
  readonly result: 'none needed' | 'accepted' | 'refused' | 'not reached' | 'not judged';
  /** The names of the security schemes that accepted the request, or that it needs. */
  readonly schemes?: readonly string[];
  /** The account of the token. Absent: the credential is a key or a foreign token. */
  readonly account?: string;
  /** The account's roles, by the members that the document has for them. */
  readonly roles?: readonly string[];
}

export interface TraceValidation {
  readonly result: 'valid' | 'invalid' | 'not reached' | 'not judged';
  /** The validated parts: `path.petId`, `query.limit`, `body`. */
  readonly parts: readonly string[];
  readonly errors: number;
}

/** What has made the response. */
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
  /** The reason, in a sentence. */
  readonly because: string;
  /** Absent: no rule has applied. */
  readonly rule?: AppliedRule;
  /** The collection of the records. */
  readonly collection?: string;
  /** The id of a single record. */
  readonly record?: string;
  /** What a list's query has selected: `51 records, status=sold: 17, page 1 of limit 3`. */
  readonly selected?: string;
  /** The name of the documented example. */
  readonly example?: string;
  /** The line of the document with the example. */
  readonly at?: string;
}

export interface AppliedRule {
  readonly id: number;
  /** The conditions that matched; empty: it applies to every request. */
  readonly matched: readonly string[];
  /** Its effects: `status 503`, `delay 120 ms`. */
  readonly did: readonly string[];
  /** How many requests the rule has applied to, including this one. */
  readonly used: number;
}

export interface NearMiss {
  readonly rule: number;
  /**
   * The condition that does not hold; `times`: the rule is used up; `order`: another rule precedes it; `refused`: the
   * request was refused.
   */
  readonly of:
    | ('operation' | 'tag' | 'method' | 'path' | 'query' | 'headers' | 'body')
    | ('off' | 'times' | 'order' | 'refused');
  /** What did not match, in words. */
  readonly but: string;
}

export interface IgnoredPart {
  /** `query.page`, `body` */
  readonly where: string;
  readonly why: string;
  /** The line of the document that declares it. Absent: it is undocumented. */
  readonly at?: string;
}

/** In milliseconds, with three decimals. */
export interface TraceLatency {
  readonly total: number;
  /** The time that the mock itself took. */
  readonly own: number;
  /** The latency of the session. */
  readonly session?: number;
  /** The delay of the rule. */
  readonly rule?: number;
  /** The time that the real service took. */
  readonly upstream?: number;
}

/** The header with which a request asks for a trace, and which returns it. */
const TRACE_HEADER = 'Paddock-Trace';

/** Whether a request asks for a trace: `Paddock-Trace: 1`, or a Boolean of RFC 9651. */
export function asksForTrace({ headers }: Pick<MockRequest, 'headers'>): boolean {
  const asked = headers['paddock-trace'];
  return asked !== undefined && /^\s*(?:1|\?1)\s*$/.test(String(asked));
}

/** The limit for the header: servers and proxies refuse headers of several KiB. */
const LONGEST_VALUE = 1500;
const LONGEST_TEXT = 120;
const MOST_OF_LIST = 8;

/** A trace as a dictionary of RFC 9651, the most important first; parts that do not fit are counted in `more`. */
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

/** A String, or a Display String (RFC 9651 §3.3.8) if it has more than ASCII. */
function text(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const short = value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}...` : value;
  if (/^[\x20-\x7e]*$/.test(short)) return `"${short.replace(/["\\]/g, '\\$&')}"`;
  const bytes = new TextEncoder().encode(short);
  const characters = [...bytes].map((byte) =>
    byte < 0x20 || byte > 0x7e || byte === 0x25 || byte === 0x22
      ? `%${byte.toString(16).padStart(2, '0')}`
      : String.fromCharCode(byte),
  );
  return `%"${characters.join('')}"`;
}

/** A response with its trace, which pages of another origin may read, too (Fetch §4.10). */
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
