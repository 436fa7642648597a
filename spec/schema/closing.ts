import type { Spot } from '../document/spot.ts';
import { isRecord } from '../json/json-value.ts';

/**
 * Whether the parts of a schema that have no further members (`additionalProperties: false`, JSON Schema 2020-12 core
 * §10.3.2.3) are meant to close it as a whole: each of two forbids what the other one names, or one that names nothing forbids
 * all. Generators write each class of an inheritance so, and no object would have the members of both.
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

/** Whether a part of a schema forbids a member; one that others extend by its discriminator forbids none. */
export function isShutOut(name: string, parts: readonly Spot[]): boolean {
  const isForbidding = (value: unknown) =>
    isRecord(value) && isClosed(value) && !isExtended(value) && !namesIn(value).has(name);
  return parts.some(({ value }) => isForbidding(value)) && !isClosedTogether(parts);
}

type Part = Readonly<Record<string, unknown>>;

/** Others refer to it in their `allOf` (OpenAPI 3.1 §4.8.25), and have members of their own. */
export const isExtended = ({ discriminator, oneOf, anyOf }: Part): boolean =>
  isRecord(discriminator) && oneOf === undefined && anyOf === undefined;

const isClosed = (part: Part) => part.additionalProperties === false && !part.patternProperties;

const namesIn = ({ properties }: Part): ReadonlySet<string> =>
  new Set(isRecord(properties) ? Object.keys(properties) : []);
