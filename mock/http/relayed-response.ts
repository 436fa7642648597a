import { EXPOSED, withExposed } from './cors.ts';
import type { MockRequest, MockResponse, Relayed, ResponseContent } from './exchange.ts';

const SOURCE_HEADER = 'Paddock-Source';

const LOOPBACK_ORIGIN = /^https?:\/\/(?:localhost|[\w-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** Whether a page is on this machine, by its `Origin`. */
export function isOfThisMachine(origin: string | readonly string[] | undefined): boolean {
  return typeof origin === 'string' && LOOPBACK_ORIGIN.test(origin);
}

/**
 * Completes a response of a real service: its own headers, and those that the mock adds. Pages on this machine may read it,
 * since they are under development; for all others, the real service's headers decide.
 */
export function finishRelayed(
  { status, headers: contentHeaders = {}, body, remark, fault }: ResponseContent,
  { fields, source, violations }: Relayed,
  { method, headers: { origin } }: Pick<MockRequest, 'method' | 'headers'>,
  operation: string | undefined,
): MockResponse {
  const came = pairsOf(fields);
  const cameAs = (wanted: string) =>
    came.flatMap(([name, value]) => (name.toLowerCase() === wanted ? value : [])).join(', ');
  const isBare = method === 'HEAD' || status === 204 || status === 304;
  const added: Record<string, string> = { ...contentHeaders, [SOURCE_HEADER]: source };
  delete added[EXPOSED];
  const names = [...came.map(([name]) => name), ...Object.keys(added)];
  if (typeof origin === 'string' && isOfThisMachine(origin)) {
    added['Access-Control-Allow-Origin'] = origin;
    added['Access-Control-Allow-Credentials'] = 'true';
    added[EXPOSED] = [...new Set(names.map((name) => name.toLowerCase()))].join(', ');
    added.Vary = [cameAs('vary'), 'Origin'].filter((text) => text !== '').join(', ');
  } else if (cameAs('access-control-allow-origin') !== '') {
    added[EXPOSED] = [cameAs(EXPOSED.toLowerCase()), SOURCE_HEADER].filter((text) => text !== '').join(', ');
  }
  if (!isBare && typeof body !== 'function') added['Content-Length'] = String(lengthOf(body));
  const replaced = new Set(Object.keys(added).map((name) => name.toLowerCase()));
  const kept = came.filter(([name]) => !replaced.has(name.toLowerCase()));
  const all = [...kept, ...Object.entries(added)];
  return {
    status,
    body,
    remark,
    operation,
    fault,
    source,
    violations,
    headers: joined(all),
    fields: all.flat(),
  };
}

const ENCODER = new TextEncoder();

function lengthOf(body: string | Uint8Array): number {
  return typeof body === 'string' ? ENCODER.encode(body).length : body.length;
}

export function pairsOf(fields: readonly string[]): [name: string, value: string][] {
  return Array.from({ length: fields.length / 2 }, (_, at) => [
    fields[2 * at] ?? '',
    fields[2 * at + 1] ?? '',
  ]);
}

/** As an object: repeated headers are joined (RFC 9110 §5.3). */
function joined(pairs: readonly (readonly [name: string, value: string])[]): Record<string, string> {
  const headers: Record<string, string> = {};
  const spelled = new Map<string, string>();
  for (const [name, value] of pairs) {
    const spelling = spelled.get(name.toLowerCase()) ?? name;
    spelled.set(name.toLowerCase(), spelling);
    headers[spelling] = headers[spelling] === undefined ? value : `${headers[spelling]}, ${value}`;
  }
  return headers;
}

/** Marks a response of the mock in front of a real service; pages may read the mark. */
export function withMockSource(response: MockResponse): MockResponse {
  return { ...response, headers: withExposed(response.headers, { [SOURCE_HEADER]: 'mock' }), source: 'mock' };
}
