import { readExamples } from './media-type.ts';
import type { Parameter } from './parameter.ts';

/** The values that the document shows for a parameter: its own examples first, then those of its schema. */
export function parameterExamples({ spot, shape }: Parameter): readonly unknown[] {
  const own = [...readExamples(spot).values()];
  const ofSchema = [...shape.all('example').map(({ value }) => value)];
  const several = shape.all('examples').flatMap(({ value }) => (Array.isArray(value) ? value : []));
  return [...own, ...ofSchema, ...several];
}
