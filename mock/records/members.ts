import type { Shape } from '#spec';

/** The forms that a value may have: the branches of `oneOf` or `anyOf`, and theirs; else the schema itself. */
export function formsOf(shape: Shape): readonly Shape[] {
  return shape.alternatives.length === 0 ? [shape] : shape.alternatives.flatMap(formsOf);
}

/** The members that a schema or one of its forms names. */
export function namedMembers(shape: Shape): ReadonlyMap<string, Shape> {
  return new Map([...formsOf(shape), shape].flatMap(({ properties }) => [...properties]));
}

/** The members that only the service sets (OpenAPI 3.1 §4.8.24), whatever form the value has. */
export function readOnlyMembers(shape: Shape): string[] {
  const forms = formsOf(shape);
  const isWritable = (name: string) =>
    forms.some(({ properties }) => properties.get(name)?.readOnly === false);
  return [...namedMembers(shape).keys()].filter((name) => !isWritable(name));
}

/** Whether members that a schema does not name are kept: one of its forms has `additionalProperties`, or names none at all. */
export function keepsUnnamed(shape: Shape): boolean {
  return formsOf(shape).some((form) => {
    const unnamed = form.find('additionalProperties')?.value;
    const hasUnnamed = unnamed === true || (typeof unnamed === 'object' && unnamed !== null);
    return hasUnnamed || (form.properties.size === 0 && (form.mainType ?? 'object') === 'object');
  });
}
