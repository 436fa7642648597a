import type { Contract, Operation } from '#spec';

/**
 * `Sunset` (RFC 8594 §3): when the operation will be gone. `Link` with the relation `successor-version`
 * (RFC 5829 §3.2): what to use instead. `Deprecation` (RFC 9745) needs the date on which the deprecation
 * began; no document gives one, and it is not for a mock to invent.
 */
export function deprecationHeaders(
  { sunset, successor }: Operation,
  { operations }: Contract,
  basePath: string,
): Record<string, string> {
  const next = operations.find(({ id }) => id === successor);
  return {
    ...(sunset !== undefined && { Sunset: new Date(sunset).toUTCString() }),
    ...(next && { Link: `<${encodeURI(basePath + next.path)}>; rel="successor-version"` }),
  };
}
