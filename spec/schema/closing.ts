import type { Spot } from '../document/spot.ts';
import { isRecord } from '../json/json-value.ts';

/**
 * Whether the closed parts of a schema (`additionalProperties: false`, JSON Schema 2020-12 core §10.3.2.3) are meant to
 * close it as a whole: two of them forbid each other's members, or one without properties forbids all. Generators write
 * classes with inheritance this way; read literally, no object could have the members of both.
 */
export function isClosedTogether(parts: readonly Spot[]): boolean {
  if (parts.length < 2) return false;
  const all = parts.map(({ value }) => (isRecord(value) ? value : {}));
  const closed = all.filter(isClosed).map(namesIn);
  const isNamed = all.some((part) => namesIn(part).size > 0);
  return closed.some(
    (names) =>
      (names.size === 0 && isNamed) ||
      closed.some((other) => names.difference(other).size > 0 && other.difference(names).size > 0),
  );
}

/** Whether a part of a schema forbids a member. A base schema with a discriminator forbids none. */
export function isShutOut(name: string, parts: readonly Spot[]): boolean {
  const isForbidding = (value: unknown) =>
    isRecord(value) && isClosed(value) && !isExtended(value) && !namesIn(value).has(name);
  return parts.some(({ value }) => isForbidding(value)) && !isClosedTogether(parts);
}

type Part = Readonly<Record<string, unknown>>;

/** Whether other schemas extend this one in their `allOf` (OpenAPI 3.1 §4.8.25), adding members. */
export const isExtended = ({ discriminator, oneOf, anyOf }: Part): boolean =>
  isRecord(discriminator) && oneOf === undefined && anyOf === undefined;

const isClosed = (part: Part) => part.additionalProperties === false && !part.patternProperties;

const namesIn = ({ properties }: Part): ReadonlySet<string> =>
  new Set(isRecord(properties) ? Object.keys(properties) : []);
