import { addProblem, dereference, isReference, rawChild, type Spot } from '../document/spot.ts';
import { siblingsIgnored } from './references.ts';
import { subschemas } from './subschemas.ts';

/** For each schema: still being checked, or without circular reference. */
export type Visited = Map<unknown, 'open' | 'done'>;

/** A schema that applies itself to the same instance is a problem: no validator would ever end. */
export function checkCircularReferences(schema: Spot, visited: Visited): void {
  if (visited.has(schema.value)) return;
  visited.set(schema.value, 'open');
  for (const [from, applied] of inPlaceApplied(schema)) {
    if (visited.get(applied.value) === 'open') {
      addProblem(
        from,
        'this leads back to a schema that contains it, without end: take it out of one of the two',
      );
    } else checkCircularReferences(applied, visited);
  }
  visited.set(schema.value, 'done');
}

/** Keywords whose subschemas apply to the same instance (JSON Schema 2020-12 core §10.2). */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'dependentSchemas', 'not', 'if', 'then', 'else'];

/** The schemas that apply to the same instance as this one, each with the spot that refers to or contains it. */
function inPlaceApplied(schema: Spot): [from: Spot, applied: Spot][] {
  const applied: [Spot, Spot][] = [];
  if (isReference(schema.value)) {
    // `dereference` reports a circle of references alone.
    const target = dereference(schema) && schema.document.resolve(schema);
    if (target) applied.push([rawChild(schema, '$ref') as Spot, target]);
    if (siblingsIgnored(schema)) return applied;
  }
  return [...applied, ...subschemas(schema, IN_PLACE).map((member): [Spot, Spot] => [member, member])];
}
