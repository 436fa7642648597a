import { complain, follow, isReference, rawChild, type Spot } from '../document/spot.ts';
import { rawChildren, siblingsIgnored } from './shape.ts';

/** What is known of each schema: still on the way down from it, or found free of loops. */
export type Visited = Map<unknown, 'open' | 'done'>;

/** Notes a schema that applies itself to the very same value: no validator would ever end. */
export function checkLoops(schema: Spot, visited: Visited): void {
  if (visited.has(schema.value)) return;
  visited.set(schema.value, 'open');
  for (const [place, applied] of appliedInPlace(schema)) {
    if (visited.get(applied.value) === 'open') {
      complain(
        place,
        'this leads back to a schema that contains it, without end: take it out of one of the two',
      );
    } else checkLoops(applied, visited);
  }
  visited.set(schema.value, 'done');
}

/** The schemas that judge the same value as this one, each with the place that says so. */
function appliedInPlace(schema: Spot): [place: Spot, applied: Spot][] {
  if (typeof schema.value !== 'object' || schema.value === null) return [];
  const applied: [Spot, Spot][] = [];
  if (isReference(schema.value)) {
    // A reference to itself by references alone is noted by `follow`.
    const target = follow(schema) && schema.document.resolve(schema);
    if (target) applied.push([rawChild(schema, '$ref') as Spot, target]);
    if (siblingsIgnored(schema)) return applied;
  }
  for (const keyword of ['allOf', 'anyOf', 'oneOf', 'dependentSchemas']) {
    const holder = rawChild(schema, keyword);
    for (const [, member] of holder ? rawChildren(holder) : []) applied.push([member, member]);
  }
  for (const keyword of ['not', 'if', 'then', 'else']) {
    const member = rawChild(schema, keyword);
    if (member) applied.push([member, member]);
  }
  return applied;
}
