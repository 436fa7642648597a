import {
  compileRequestReader,
  deliveryTimeOf,
  fillTemplate,
  isRecord,
  mediaTypeFor,
  type OutgoingOperation,
  oncePer,
  ownEntry,
  pathText,
  placeOf,
  pointerTokens,
  type RequestViolation,
  type SentMoment,
  sentMomentsOf,
  tryJson,
  type Validators,
} from '#spec';
import type { ReceivedCallback } from '../send/receiver.ts';
import type { Exchange } from '../send/response.ts';
import { jsonOf } from '../send/response.ts';
import { headerOf } from '../send/wire.ts';
import { shorten } from './compare-records.ts';
import type { Breach } from './law.ts';

const readerOf = oncePer(compileRequestReader);

/**
 * Where a callback differs from the document: path, method, parameters and body.
 * @param outgoing the documented operations at its URL
 * @param exchange the request that subscribed to it
 * @param root the URL of the mailbox that received it
 */
export function judgeCallback(
  outgoing: readonly OutgoingOperation[],
  callback: ReceivedCallback,
  exchange: Exchange,
  root: string,
  validators: Validators,
): Breach[] {
  const [first] = outgoing;
  if (!first) return [];
  const sent = `${callback.method} ${callback.target || '/'}`;
  const wanted = documentedPath(first, exchange, root);
  const [path = ''] = callback.target.split('?', 1);
  if (wanted !== undefined && withoutSlash(path) !== withoutSlash(wanted))
    return [
      breach(
        first,
        `the callback ${first.name} came as ${sent}`,
        `the path ${wanted || '/'} below the URL of the request`,
      ),
    ];
  const documented = outgoing.find(({ method }) => method === callback.method);
  if (!documented) {
    const methods = outgoing.map(({ method }) => method).join(' or ');
    return [breach(first, `the callback ${first.name} came as ${sent}`, `the method ${methods}`)];
  }
  const reader = readerOf(documented, validators);
  const { violations } = reader({
    path: {},
    query: callback.target.split('?')[1] ?? '',
    headers: callback.headers,
    body: callback.body.length > 0 ? callback.body : undefined,
  });
  return violations
    .filter((violation) => !isOfDirection(documented, violation, callback, validators))
    .map(({ in: place, name, pointer, received, expected, keyword, at }) => {
      const what = pathText([name ? `${place} ${name}` : place, ...pointerTokens(pointer)]);
      return {
        law: 'callback',
        kind: { keyword },
        received: `the callback ${documented.name}: ${what} is ${shorten(received)}`,
        documented: `${what} ${expected}`,
        at,
      };
    });
}

/** Tolerance added to every documented time, in milliseconds: service and run may both be on a busy machine. */
export const LENIENCY = 1000;

/**
 * Whether a callback arrived within the documented time.
 * @param delay from the response that caused it to its arrival, in milliseconds; undefined: it did not arrive
 * @param waited how long the run waited for it, in milliseconds
 */
export function judgeDelay(outgoing: OutgoingOperation, delay: number | undefined, waited: number): Breach[] {
  const promise = deliveryTimeOf(outgoing);
  if (!promise) return [];
  const latest = promise.within + LENIENCY;
  if (delay === undefined ? waited < latest : delay <= latest) return [];
  const came =
    delay === undefined ? `did not come within ${seconds(waited)}` : `came after ${seconds(delay)}`;
  return [
    {
      law: 'callback',
      kind: delay === undefined ? 'missing' : 'unequal',
      received: `the callback ${outgoing.name} ${came}`,
      documented: `it comes within ${seconds(promise.within)}`,
      at: placeOf(promise.because),
    },
  ];
}

const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;

/** Standard Webhooks 1.0.0: receivers reject timestamps outside this tolerance. */
const TOLERANCE = 5 * 60_000;

/**
 * Whether a callback states its sending time as documented.
 * @param caused when the response of the exchange arrived, on the clock of `performance.now()`
 */
export function judgeMoment(
  outgoing: OutgoingOperation,
  callback: ReceivedCallback,
  { response }: Exchange,
  caused: number,
): Breach[] {
  const wall = performance.timeOrigin;
  // The service's clock may be wrong: a timestamp that agrees with its `Date` header is accepted.
  const dateSkew = Date.parse(headerOf(response, 'date') ?? '') - (wall + caused);
  const clocks = [0, ...(Number.isNaN(dateSkew) ? [] : [dateSkew])].map((skew) => wall + callback.at + skew);
  return sentMomentsOf(outgoing).flatMap((moment): Breach | [] => {
    const value = momentIn(moment, callback);
    const times = momentsOf(value, moment.in);
    const isNear = times.some((time) => clocks.some((clock) => Math.abs(time - clock) <= TOLERANCE));
    if (times.length === 0 || isNear) return [];
    const what = moment.in === 'header' ? `header ${moment.name}` : `body.${moment.name}`;
    const arrived = new Date(wall + callback.at).toISOString();
    return {
      law: 'callback',
      kind: 'unequal',
      received: `the callback ${outgoing.name} that came at ${arrived}: ${what} is ${shorten(value)}`,
      documented: `${what} is the moment of sending, within 5 minutes of arrival`,
      at: placeOf(moment.because),
    };
  });
}

function momentIn({ in: place, name }: SentMoment, { headers, body }: ReceivedCallback): unknown {
  if (place === 'header') return headers[name];
  const value = tryJson(new TextDecoder().decode(body));
  return isRecord(value) ? ownEntry(value, name) : undefined;
}

/**
 * The possible moments in milliseconds since 1970: a number may be in seconds. Empty: no moment, which the schema rule
 * judges.
 */
function momentsOf(value: unknown, place: SentMoment['in']): number[] {
  const isDigits = typeof value === 'string' && /^\d{1,15}$/.test(value);
  if (place === 'header') return isDigits ? [Number(value) * 1000] : [];
  if (typeof value === 'number' || typeof value === 'bigint' || isDigits)
    return [Number(value) * 1000, Number(value)];
  const time =
    typeof value === 'string' && /^\d{4}-\d\d-\d\d[Tt ]/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? [] : [time];
}

function breach(outgoing: OutgoingOperation, received: string, documented: string): Breach {
  return { law: 'callback', kind: 'unequal', received, documented, at: placeOf(outgoing.spot) };
}

const withoutSlash = (path: string) => path.replace(/\/+$/, '');

/** The documented path behind the URL that the run supplied; undefined: unknown. */
function documentedPath({ url }: OutgoingOperation, exchange: Exchange, root: string): string | undefined {
  const filled = url && fillTemplate(url, expressed(exchange));
  if (!filled || !('text' in filled) || !filled.text.startsWith(root)) return undefined;
  return filled.text.slice(root.length).split('?', 1)[0];
}

/** The exchange in the form that runtime expressions read. */
function expressed({ input, request, response }: Exchange) {
  const lower = (pairs: Iterable<readonly [string, string]>) =>
    Object.fromEntries([...pairs].map(([name, value]) => [name.toLowerCase(), value]));
  return {
    url: request.url.href,
    method: request.method,
    request: {
      headers: lower(request.headers),
      query: Object.fromEntries(request.url.searchParams),
      path: input.path ?? {},
      body: input.body,
    },
    response: { headers: lower(response.headers), body: jsonOf(response) },
  };
}

/**
 * `readOnly` and `writeOnly` are defined for requests from clients. Here the service sends the request, so either reading
 * is accepted.
 */
function isOfDirection(
  { body }: OutgoingOperation,
  { in: place, kind, pointer, keyword }: RequestViolation,
  { headers, body: bytes }: ReceivedCallback,
  validators: Validators,
): boolean {
  const media = body && mediaTypeFor(body.content, String(headers['content-type'] ?? ''));
  if (place !== 'body' || kind !== 'schema' || !media?.schema || !media.isJson) return false;
  const value = JSON.parse(new TextDecoder().decode(bytes));
  const asResponse = validators.compile(media.schema, 'response')(value);
  return !asResponse.some((other) => other.pointer === pointer && other.keyword === keyword);
}
