import {
  bodyMedia,
  hasType,
  isRecord,
  memberShape,
  placeOf,
  type Resource,
  type Shape,
  type Spot,
  stringifyJson,
} from '#spec';
import type { Breach, LawName } from './law.ts';

type Data = Readonly<Record<string, unknown>>;

/**
 * The documented members that were sent and are not as they were sent; members that the service adds are its own
 * affair. Members without a place in the response's schema, of a type that it does not have there, and write-only ones
 * promise nothing; what a nested record belongs to is said by its path.
 */
export function notAsSent(
  law: LawName,
  { parents }: Pick<Resource, 'parents'>,
  shape: Shape,
  sent: Data,
  got: unknown,
  spot: Spot,
): Breach[] {
  if (!isRecord(got)) return [];
  const ofPath = new Set(parents.map(({ property }) => property));
  return Object.entries(sent).flatMap(([name, value]) => {
    const member = ofPath.has(name) ? undefined : memberShape(shape, name);
    if (!member || member.writeOnly || member.readOnly || !mayBe(member, value)) return [];
    if (includes(got[name], value)) return [];
    return [
      {
        law: typeof value === 'bigint' ? 'exact-integers' : law,
        kind: 'unequal',
        received: `${name} ${shorten(got[name])}`,
        documented: `${name} ${shorten(value)}, as it was sent`,
        at: placeOf(member.spot ?? spot),
      },
    ];
  });
}

/** Whether the schema has room for values of the type, whatever else it says. */
function mayBe({ types }: Shape, value: unknown): boolean {
  return types === undefined || value === null || [...types].some((type) => hasType(value, type));
}

/** In a merge patch (RFC 7396) null takes a member away; elsewhere it is a value. */
export function withoutNulls(changes: Data): Data {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null));
}

/** In nested records, too, the service may add members. */
function includes(got: unknown, sent: unknown): boolean {
  if (isRecord(sent) && isRecord(got))
    return Object.keys(sent).every((name) => includes(got[name], sent[name]));
  if (Array.isArray(sent) && Array.isArray(got)) {
    return sent.length === got.length && sent.every((item, index) => includes(got[index], item));
  }
  return equalJson(sent, got);
}

/** The documented members that changed, but for those named. Members that the service keeps itself may change. */
export function changedMembers(
  law: LawName,
  resource: Resource,
  before: Data,
  after: Data,
  spot: Spot,
  but: readonly string[] = [],
): Breach[] {
  return documentedMembers(resource, before, after).flatMap(([name, member]) => {
    if (but.includes(name) || member.readOnly || member.writeOnly || equalJson(before[name], after[name]))
      return [];
    return [
      {
        law,
        kind: 'unequal',
        received: `${name} ${shorten(after[name])}`,
        documented: `${name} ${shorten(before[name])}, as before`,
        at: placeOf(spot),
      },
    ];
  });
}

/** Members that a replacing body left out, and that kept their old value all the same (RFC 9110 §9.3.4). */
export function leftOverMembers(resource: Resource, before: Data, sent: Data, after: Data): Breach[] {
  const body = bodyMedia(resource.actions.replace?.body)?.shape;
  return documentedMembers(resource, before, after).flatMap(([name, member]) => {
    const kept = before[name] !== undefined && before[name] !== null && equalJson(before[name], after[name]);
    if (name in sent || member.readOnly || !kept || member.find('default')) return [];
    // What a body cannot say of the record it does not take away.
    const replaced = body && memberShape(body, name);
    if (body && (!replaced || replaced.readOnly)) return [];
    // The service has to show something there, and what it has is as good as anything.
    if (name === resource.id?.property || resource.shape.required.has(name)) return [];
    // The path of the request says what the record belongs to.
    if (resource.parents.some(({ property }) => property === name)) return [];
    return [
      {
        law: 'replaced-is-replaced',
        kind: 'kept',
        received: `${name} ${shorten(after[name])}, as before`,
        documented: `nothing of the record that was replaced by ${shorten(sent)}`,
        at: placeOf(member.spot),
      },
    ];
  });
}

/** The members of either record that the document knows, in whatever form of the record. */
export function documentedMembers(
  { shape }: Resource,
  left: Data,
  right: Data,
): [name: string, member: Shape][] {
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].flatMap((name) => {
    const member = memberShape(shape, name);
    return member ? [[name, member] as [string, Shape]] : [];
  });
}

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

const LONGEST = 240;

/** A value as one line of JSON that people can take in. */
export function shorten(value: unknown): string {
  return shortenText(value === undefined ? 'nothing' : stringifyJson(value));
}

export function shortenText(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length} characters)`;
}
