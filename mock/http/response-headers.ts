import type { Contract, Operation } from '#spec';
import { CORS_HEADERS, EXPOSED } from './cors.ts';
import type { MockResponse, ResponseContent } from './exchange.ts';
import { memoizeFew, memoizeReusable, reusable } from './memoize.ts';
import type { Outcome, Refusal } from './refusal.ts';

/** Adds the headers that all responses of an operation share. */
export type Finish = (content: ResponseContent) => MockResponse;

/** The base path of an operation. */
export type BasePathOf = (operation: Operation) => string | undefined;

const firstBasePath: BasePathOf = ({ basePaths }) => basePaths[0];

/** Compiles the last step of a response; without an operation, for undocumented paths. */
export function compileFinish(
  operation: Operation | undefined,
  contract: Contract,
  basePathOf = firstBasePath,
): Finish {
  const shared = reusable({
    ...CORS_HEADERS,
    ...(operation && deprecationHeaders(operation, contract, basePathOf)),
  });
  const remark = operation && deprecationRemark(operation);
  // Responses of one type share a headers object, which the server converts only once.
  const headersOf = memoizeFew((type: string | undefined): MockResponse['headers'] =>
    type === undefined ? shared : reusable({ 'Content-Type': type, ...shared }),
  );

  return memoizeReusable(({ status, type, headers: contentHeaders, body, remark: ownRemark, ...content }) => {
    const headers = headersOf(type);
    const remarks = ownRemark === undefined ? remark : [remark ?? [], ownRemark].flat().join('; ');
    const all = contentHeaders ? merge(headers, contentHeaders) : headers;
    const { selected, shows, reason, fault } = content;
    const about = { remark: remarks, selected, shows, reason, operation: operation?.id };
    return { status, headers: all, body, ...about, fault };
  });
}

function merge(shared: MockResponse['headers'], added: MockResponse['headers']): MockResponse['headers'] {
  const all = { ...shared, ...added };
  return added.Vary === undefined ? all : { ...all, Vary: `${shared.Vary}, ${added.Vary}` };
}

/**
 * `Sunset` (RFC 8594 §3), and `Link` to the successor version (RFC 5829 §3.2). No `Deprecation` (RFC 9745): it needs the
 * date of the deprecation, which documents do not state.
 */
function deprecationHeaders(
  { sunset, successor }: Operation,
  { operations }: Contract,
  basePathOf: BasePathOf,
): Record<string, string> {
  const next = successor === undefined ? undefined : operations.find(({ id }) => id === successor);
  return {
    ...(sunset !== undefined && { Sunset: new Date(sunset).toUTCString() }),
    ...(next && { Link: `<${encodeURI(basePathOf(next) + next.path)}>; rel="successor-version"` }),
  };
}

export function deprecationRemark({ deprecated, sunset }: Operation): string | undefined {
  if (!deprecated) return undefined;
  return sunset === undefined ? 'deprecated' : `deprecated, removed on ${sunset}`;
}

/** Refuses with 410 after the sunset (RFC 9110 §15.5.11). */
export type Removal = (now: number) => Refusal | undefined;

/** Compiles the removal of a deprecated operation. Undefined: it has no sunset. */
export function compileRemoval(operation: Operation, { operations }: Contract): Removal | undefined {
  const { deprecated, sunset, successor } = operation;
  if (!deprecated || sunset === undefined) return undefined;
  const nameOf = (one: Operation) => `${one.method} ${firstBasePath(one)}${one.path}`;
  const from = Date.parse(sunset);
  const next = operations.find(({ id }) => id === successor);
  const instead = next ? `; use ${nameOf(next)} instead` : '';
  const refusal: Refusal = {
    refuse: 'gone',
    message: `${nameOf(operation)} was removed on ${sunset}${instead}`,
  };
  return (now) => (now >= from ? refusal : undefined);
}

/**
 * Notes in a header and the log that a response violates the document.
 * @param cause the reason for it: `as a rule says`; undefined: the log already has it
 */
export function withViolation(
  content: ResponseContent,
  violation: string,
  cause: string | undefined,
): ResponseContent {
  return {
    ...withOwnHeaders(content, { [VIOLATION]: headerText(violation) }),
    ...(cause !== undefined && { remark: `against the document, ${cause}: ${violation}` }),
  };
}

const VIOLATION = 'X-Paddock-Violation';
const LONGEST_TEXT = 500;

/** A header is limited to printable ASCII. */
function headerText(text: string): string {
  const printable = text.replace(/[^\x20-\x7e]/g, '?');
  return printable.length > LONGEST_TEXT ? `${printable.slice(0, LONGEST_TEXT)}...` : printable;
}

/** Adds the user's own headers, which pages of another origin may read, too (Fetch §4.10). */
export function withOwnHeaders<T extends Outcome>(
  outcome: T,
  userHeaders: Readonly<Record<string, string>>,
): T {
  const exposed = outcome.headers?.[EXPOSED] ?? CORS_HEADERS[EXPOSED];
  const added = { [EXPOSED]: [exposed, ...Object.keys(userHeaders)].join(', ') };
  return { ...outcome, headers: { ...outcome.headers, ...added, ...userHeaders } };
}
