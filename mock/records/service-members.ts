import { isRecord, type Shape } from '#spec';

/** Makes the value of a member; the place is its path inside of the record. */
type Make = (name: string, shape: Shape, place: string) => unknown;

/**
 * Compiles the completion of objects inside of a record: a client cannot send their required members that are
 * `readOnly` (OpenAPI 3.1 §4.8.24), and need not send those that only the record's own schema requires. Undefined: none
 * is required.
 */
export function compileServiceMembers(shape: Shape): ((value: unknown, make: Make) => unknown) | undefined {
  return hasServiceMembers(shape, new Set()) ? (value, make) => complete(shape, value, '', make) : undefined;
}

/** Schemas may be circular, and joined ones are made anew each time. */
function hasServiceMembers(shape: Shape, seen: Set<unknown>): boolean {
  const values = shape.parts.map(({ value }) => value);
  if (values.every((value) => seen.has(value))) return false;
  for (const value of values) seen.add(value);
  const members = [...shape.properties];
  if (members.some(([name, member]) => shape.required.has(name) && !member.writeOnly)) return true;
  const inside = [...members.map(([, member]) => member), shape.items, shape.additional];
  return inside.some((one) => one !== undefined && hasServiceMembers(one, seen));
}

function complete(shape: Shape, value: unknown, place: string, make: Make): unknown {
  if (Array.isArray(value)) {
    const { items } = shape;
    return items ? value.map((item, index) => complete(items, item, `${place}/${index}`, make)) : value;
  }
  if (!isRecord(value)) return value;
  const given = Object.entries(value).map(([name, member]): [string, unknown] => {
    const described = shape.properties.get(name) ?? shape.additional;
    return [name, described ? complete(described, member, `${place}/${name}`, make) : member];
  });
  const missing = [...shape.properties].filter(
    ([name, member]) => shape.required.has(name) && !member.writeOnly && !Object.hasOwn(value, name),
  );
  const made = missing.map(([name, member]): [string, unknown] => [
    name,
    make(name, member, `${place}/${name}`),
  ]);
  return Object.fromEntries([...made, ...given]);
}
