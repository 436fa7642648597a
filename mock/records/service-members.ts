import { isRecord, type Shape, type Validators } from '#spec';
import { compileForms } from './best-fit.ts';
import { formsOf } from './members.ts';

type Members = Readonly<Record<string, unknown>>;

/** Makes the value of a member; the place is its path inside of the record. */
type Make = (name: string, shape: Shape, place: string) => unknown;

/**
 * Compiles the completion of objects inside of a record: a client cannot send their required members that are
 * `readOnly` (OpenAPI 3.1 §4.8.24), and need not send those that only the record's own schema requires. Undefined: none
 * is required.
 */
export function compileServiceMembers(
  shape: Shape,
  validators: Validators,
): ((value: unknown, make: Make) => unknown) | undefined {
  if (!hasServiceMembers(shape, new Set())) return undefined;
  const choices = new Map<Shape, (value: Members) => Shape>();

  /** The form of the schema that a value has. */
  function formOf(described: Shape, value: Members): Shape {
    const choose = choices.get(described) ?? compileForms(described, validators, (form) => form);
    choices.set(described, choose);
    return choose(value);
  }

  function complete(described: Shape, value: unknown, place: string, make: Make): unknown {
    if (Array.isArray(value)) {
      const items = formsOf(described).find((form) => form.items)?.items;
      return items ? value.map((item, index) => complete(items, item, `${place}/${index}`, make)) : value;
    }
    if (!isRecord(value)) return value;
    const { properties, required, additional } = formOf(described, value);
    const given = Object.entries(value).map(([name, member]): [string, unknown] => {
      const inner = properties.get(name) ?? additional;
      return [name, inner ? complete(inner, member, `${place}/${name}`, make) : member];
    });
    const missing = [...properties].filter(
      ([name, member]) => required.has(name) && !member.writeOnly && !Object.hasOwn(value, name),
    );
    const made = missing.map(([name, member]): [string, unknown] => [
      name,
      make(name, member, `${place}/${name}`),
    ]);
    return Object.fromEntries([...made, ...given]);
  }
  return (value, make) => complete(shape, value, '', make);
}

/** Schemas may be circular, and joined ones are made anew each time. */
function hasServiceMembers(shape: Shape, seen: Set<unknown>): boolean {
  const values = shape.parts.map(({ value }) => value);
  if (values.every((value) => seen.has(value))) return false;
  for (const value of values) seen.add(value);
  const members = [...shape.properties];
  if (members.some(([name, member]) => shape.required.has(name) && !member.writeOnly)) return true;
  const inside = [
    ...members.map(([, member]) => member),
    ...[shape.items, shape.additional, ...shape.alternatives],
  ];
  return inside.some((one) => one !== undefined && hasServiceMembers(one, seen));
}
