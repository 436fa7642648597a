import {
  basePathsAt,
  type Contract,
  hidesAt,
  inBrief,
  type Mask,
  nearestOperations,
  type Operation,
  placeOf,
  pointerTokens,
  type RequestViolation,
  rawChild,
  showPlace,
  stringifyJson,
} from '#spec';
import { MASK } from '../../contract-tests/report/redact.ts';
import { needsKey } from '../../contract-tests/send/credentials.ts';
import type { ObservedRequest, RequestFault } from './observed.ts';
import { hasCredential, type Match, type NotFound, type ReadInput } from './read-request.ts';

/** What is wrong with a request for a documented operation; undefined: nothing. */
export function invalidRequest(
  { operation }: Match,
  { read: { violations }, wire }: ReadInput,
  request: ObservedRequest,
  mask: Mask,
): RequestFault | undefined {
  if (lacksCredential(operation, request)) {
    const describe = () => {
      const credentials = operation.security.flat();
      const schemes = [...new Set(credentials.map(({ scheme }) => scheme))];
      const at = showPlace(placeOf(credentials[0]?.spot ?? operation.spot));
      return { reason: `the credential is missing (${schemes.join(', ')})`, at };
    };
    return { kind: 'invalid', operation, key: `${operation.id} credential`, describe };
  }
  const [first] = violations;
  if (!first) return undefined;
  const parts = violations.map(({ in: place, name, pointer, keyword }) =>
    [place, name, pointer.replace(/\/\d+(?=\/|$)/g, '/-'), keyword].join(' '),
  );
  const key = `${wire.method} ${operation.id} ${[...new Set(parts)].join('; ')}`;
  const describe = () => {
    const credentials = new Set(operation.security.flat().map(({ name }) => name.toLowerCase()));
    const reason = violations.map((violation) => describeViolation(violation, credentials, mask)).join('; ');
    return { reason: inBrief(reason, LONGEST), at: showPlace(first.at) };
  };
  return { kind: 'invalid', operation, key, describe };
}

/** Whether an operation needs a credential, and a request has none. */
export function lacksCredential(operation: Operation, request: ObservedRequest): boolean {
  return needsKey(operation) && request.method !== 'OPTIONS' && !hasCredential(operation, request);
}

/** What the document has instead of an unknown path or method; undefined: every service supports it. */
export function unknownRequest(
  { operations, basePaths, document: { root } }: Contract,
  { method, url }: Pick<ObservedRequest, 'method' | 'url'>,
  { why, base, methods = new Map() }: NotFound,
): RequestFault | undefined {
  if (why === 'elsewhere' || why === 'unread' || base === undefined || isImplied(method, methods))
    return undefined;
  const key = `${method} ${url.pathname.slice(0, LONGEST).replace(IDS, '/-')}`;
  const operation = undefined;
  if (why === 'unknownMethods') {
    const describe = () => {
      const [other] = methods.values();
      const reason = `the document has no ${method} there; it has ${[...methods.keys()].join(', ')}`;
      return { reason, at: showPlace(placeOf(other?.operation.spot ?? root)) };
    };
    return { kind: 'unknown method', operation, key, describe };
  }
  const describe = () => {
    const prefix = URL.parse(base)?.pathname.replace(/\/$/, '') ?? '';
    const near = nearestOperations(
      { method, path: url.pathname.slice(0, LONGEST) },
      operations,
      (one) => basePathsAt(prefix, basePaths, one)[0],
    );
    const reason = `the document has no such path${near.length > 0 ? `; nearest: ${near.join(', ')}` : ''}`;
    return { reason, at: showPlace(placeOf(rawChild(root, 'paths') ?? root)) };
  };
  return { kind: 'unknown path', operation, key, describe };
}

/** Whether a method is implied: HEAD for each GET (RFC 9110 §9.3.2), and OPTIONS for CORS preflights of browsers. */
function isImplied(method: string, methods: NonNullable<NotFound['methods']>): boolean {
  return (method === 'HEAD' && methods.has('GET')) || (method === 'OPTIONS' && methods.size > 0);
}

/** Maximum lengths, in characters, of an examined path and of a reason. */
const LONGEST = 500;
/** Segments that name a record. */
const IDS = /\/(?:\d+|[\da-f]{8}-[\da-f-]{27}|[\da-f]{16,})(?=\/|$)/gi;

function describeViolation(
  violation: RequestViolation,
  credentials: ReadonlySet<string>,
  mask: Mask,
): string {
  const { in: place, name, pointer, keyword, expected, received } = violation;
  const steps = [...(name === '' ? [] : [name]), ...pointerTokens(pointer)];
  const isHidden = keyword === 'required' || credentials.has(name.toLowerCase()) || hidesAt(mask, steps);
  const value = isHidden ? '' : show(received);
  return `${[place, ...steps].join('.')} ${expected}${value === '' ? '' : `, not ${value}`}`;
}

const MAX_SHOWN = 60;

/** A value, unless it is long or has members, which may contain anything. */
function show(value: unknown): string {
  if (value === undefined || (typeof value === 'object' && value !== null)) return '';
  const text = stringifyJson(value) ?? String(value);
  return text.length > MAX_SHOWN || text.includes(MASK) ? '' : text;
}
