import type { Operation, Shape } from '#spec';

type Members = Readonly<Record<string, unknown>>;

/** Compiles which members of a body count: a client's value for a `readOnly` member is ignored (OpenAPI 3.1 §4.8.24). */
export function compileGivenMembers(operation: Operation): (body: Members) => Members {
  const shapes = (operation.body?.content ?? []).flatMap(({ shape }) => shape ?? []);
  const readOnly = new Set(shapes.flatMap(readOnlyMembers));
  if (readOnly.size === 0) return (body) => body;
  return (body) => Object.fromEntries(Object.entries(body).filter(([name]) => !readOnly.has(name)));
}

/** The members that only the service sets, those of the schema's alternatives as well. */
export function readOnlyMembers(shape: Shape): string[] {
  const members = [shape, ...shape.alternatives].flatMap(({ properties }) => [...properties]);
  return [...new Set(members.flatMap(([name, member]) => (member.readOnly ? [name] : [])))];
}
