import type { Shape } from '#spec';

/** The members that a schema or one of its alternatives names. */
export function namedMembers(shape: Shape): ReadonlyMap<string, Shape> {
  return new Map([...shape.alternatives, shape].flatMap(({ properties }) => [...properties]));
}

/** The members that only the service sets (OpenAPI 3.1 §4.8.24). */
export function readOnlyMembers(shape: Shape): string[] {
  return [...namedMembers(shape)].flatMap(([name, { readOnly }]) => (readOnly ? [name] : []));
}

/** Whether members that a schema does not name are kept: it has `additionalProperties`, or names none at all. */
export function keepsUnnamed(shape: Shape): boolean {
  const unnamed = shape.find('additionalProperties')?.value;
  const hasUnnamed = unnamed === true || (typeof unnamed === 'object' && unnamed !== null);
  return hasUnnamed || namedMembers(shape).size === 0;
}
