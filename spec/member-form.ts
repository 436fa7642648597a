import type { Shape } from './schema/shape.ts';

/** The schema of a member: by its name, also of one that only an alternative has, else of members without a name. */
export function memberForm(shape: Shape, name: string): Shape | undefined {
  return namedForm(shape, name) ?? shape.additional;
}

function namedForm(shape: Shape, name: string): Shape | undefined {
  return (
    shape.properties.get(name) ??
    shape.alternatives.map((branch) => memberForm(branch, name)).find((found) => found !== undefined)
  );
}
