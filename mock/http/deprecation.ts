import type { Contract, Operation } from '#spec';
import type { Refusal } from './refusal.ts';

/**
 * `Sunset` (RFC 8594 §3), and `Link` to the successor version (RFC 5829 §3.2). No `Deprecation` (RFC 9745): it needs
 * the date on which the deprecation began, which no document states.
 */
export function deprecationHeaders(
  { sunset, successor }: Operation,
  { operations }: Contract,
  basePath: string,
): Record<string, string> {
  const next = successor === undefined ? undefined : operations.find(({ id }) => id === successor);
  return {
    ...(sunset !== undefined && { Sunset: new Date(sunset).toUTCString() }),
    ...(next && { Link: `<${encodeURI(basePath + next.path)}>; rel="successor-version"` }),
  };
}

/** The log remark for each call of a deprecated operation. */
export function deprecationRemark({ deprecated, sunset }: Operation): string | undefined {
  if (!deprecated) return undefined;
  return sunset === undefined ? 'deprecated' : `deprecated, removed on ${sunset}`;
}

/** Refuses with 410 from the sunset on (RFC 9110 §15.5.11). */
export type Removal = (now: number) => Refusal | undefined;

/** Compiles the removal of a deprecated operation; undefined: the document gives it no sunset. */
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
