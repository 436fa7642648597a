import { isRecord, memberShape, placeOf, type Resource, type Shape, type Spot } from '#spec';
import type { Breach, Law } from './law.ts';
import { shorten } from './shorten.ts';

/** Equal as JSON values: the order of members does not count, integers are exact. */
export function equalJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => equalJson(item, right[index]));
  }
  if (!isRecord(left) || !isRecord(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => name in right && equalJson(left[name], right[name]))
  );
}

/**
 * Every documented member that was sent comes back as it was sent; members that the service adds are its own affair.
 * Members without a place in the answer's schema, and write-only ones, promise nothing.
 */
export function judgeKept(
  law: Law,
  shape: Shape,
  sent: Record<string, unknown>,
  got: unknown,
  spot: Spot,
): Breach[] {
  if (!isRecord(got)) return [];
  return Object.entries(sent).flatMap(([name, value]) => {
    const member = memberShape(shape, name);
    if (!member || member.writeOnly || member.readOnly || keeps(value, got[name])) return [];
    return [
      {
        law: typeof value === 'bigint' ? 'exact-integers' : law,
        received: `${name} ${shorten(got[name])}`,
        documented: `${name} ${shorten(value)}, as it was sent`,
        at: placeOf(member.spot ?? spot),
      },
    ];
  });
}

/** In nested records, too, the service may add members. */
function keeps(sent: unknown, got: unknown): boolean {
  if (isRecord(sent) && isRecord(got)) return Object.keys(sent).every((name) => keeps(sent[name], got[name]));
  if (Array.isArray(sent) && Array.isArray(got)) {
    return sent.length === got.length && sent.every((item, index) => keeps(item, got[index]));
  }
  return equalJson(sent, got);
}

/** A read-only member is the service's own (OpenAPI 3.1, JSON Schema validation §9.4). */
export function judgeReadOnly(resource: Resource, name: string, sent: unknown, record: unknown): Breach[] {
  if (!isRecord(record) || !equalJson(record[name], sent)) return [];
  const spot = resource.shape.properties.get(name)?.find('readOnly')?.spot ?? resource.shape.spot;
  return [
    {
      law: 'read-only-ignored',
      received: `${name} ${shorten(sent)}, as the client sent it`,
      documented: `${name} is read-only`,
      at: placeOf(spot),
    },
  ];
}
