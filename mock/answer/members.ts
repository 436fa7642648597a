import type { Shape } from '#spec';

/** The members that a schema names, those of its alternatives as well. */
export function namedMembers(shape: Shape): ReadonlyMap<string, Shape> {
  return new Map([...shape.alternatives, shape].flatMap(({ properties }) => [...properties]));
}

/** The members that only the service sets (OpenAPI 3.1 §4.8.24). */
export function readOnlyMembers(shape: Shape): string[] {
  return [...namedMembers(shape)].flatMap(([name, { readOnly }]) => (readOnly ? [name] : []));
}

/** Whether a schema speaks of members that it does not name, or names none at all: those are then kept, too. */
export function keepsUnnamed(shape: Shape): boolean {
  const unnamed = shape.find('additionalProperties')?.value;
  const speaks = unnamed === true || (typeof unnamed === 'object' && unnamed !== null);
  return speaks || namedMembers(shape).size === 0;
}
