import {
  compileRequestReader,
  fillTemplate,
  mediaTypeFor,
  type OutgoingOperation,
  placeOf,
  type RequestReader,
  type RequestViolation,
  type Validators,
} from '#spec';
import type { ReceivedCallback } from '../send/receiver.ts';
import type { Exchange } from '../send/response.ts';
import { jsonOf } from '../send/response.ts';
import { shorten } from './compare-records.ts';
import type { Breach, Law } from './law.ts';

/** Judged over what the service has sent, and not over a response. */
export const CALLBACK_LAW: Law = {
  name: 'callback',
  about: 'sequence',
  applies: () => false,
  judge: () => [],
};

const readers = new WeakMap<OutgoingOperation, RequestReader>();

/**
 * What of a callback is not as documented: path, method, parameters and body.
 * @param outgoing the documented operations at its URL
 * @param exchange the request that has asked for it
 * @param root the URL of the mailbox that has received it
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
  const reader = readers.get(documented) ?? compileRequestReader(documented, validators);
  readers.set(documented, reader);
  const { violations } = reader({
    path: {},
    query: callback.target.split('?')[1] ?? '',
    headers: callback.headers,
    body: callback.body.length > 0 ? callback.body : undefined,
  });
  return violations
    .filter((violation) => !isOfDirection(documented, violation, callback, validators))
    .map(({ in: place, name, pointer, received, expected, keyword, at }) => {
      const what = `${place}${name && ` ${name}`}${pointer}`;
      return {
        law: 'callback',
        kind: { keyword },
        received: `the callback ${documented.name} has a ${what} that is ${shorten(received)}`,
        documented: `${what} ${expected}`,
        at,
      };
    });
}

function breach(outgoing: OutgoingOperation, received: string, documented: string): Breach {
  return { law: 'callback', kind: 'unequal', received, documented, at: placeOf(outgoing.spot) };
}

const withoutSlash = (path: string) => path.replace(/\/+$/, '');

/** What follows the URL that the run has given; undefined: it cannot be told. */
function documentedPath({ url }: OutgoingOperation, exchange: Exchange, root: string): string | undefined {
  const filled = url && fillTemplate(url, expressed(exchange));
  if (!filled || !('text' in filled) || !filled.text.startsWith(root)) return undefined;
  return filled.text.slice(root.length).split('?', 1)[0];
}

/** The exchange as runtime expressions see it. */
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
 * `readOnly` and `writeOnly` are said of what clients send, and here the service does: what either reading permits is right.
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
