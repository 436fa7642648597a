import type { Contract, Operation } from '#spec';
import type { Refusal } from './refusal.ts';

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

/** What the log adds to each call of an operation that will go. */
export function deprecationRemark({ deprecated, sunset }: Operation): string | undefined {
  if (!deprecated) return undefined;
  return sunset === undefined ? 'deprecated' : `deprecated, removed on ${sunset}`;
}

/** Says no from the operation's last day on (RFC 9110 §15.5.11). */
export type Removal = (now: number) => Refusal | undefined;

/** Compiles the end of a deprecated operation; undefined: the document names no day for it. */
export function compileRemoval(
  { deprecated, sunset, successor, method, path }: Operation,
  { operations }: Contract,
  basePath: string,
): Removal | undefined {
  if (!deprecated || sunset === undefined) return undefined;
  const from = Date.parse(sunset);
  const next = operations.find(({ id }) => id === successor);
  const instead = next ? `; use ${next.method} ${basePath}${next.path} instead` : '';
  const refusal: Refusal = {
    refuse: 'gone',
    message: `${method} ${basePath}${path} was removed on ${sunset}${instead}`,
  };
  return (now) => (now >= from ? refusal : undefined);
}
