import { ignoreMember, readAs } from '../document/repair.ts';
import { dereference, isReference, rawChild, type Spot } from '../document/spot.ts';
import { siblingsIgnored } from './references.ts';
import { subschemas } from './subschemas.ts';

/** The schemas without circular references, and those that are still being checked, in the order of application. */
export interface Visited {
  readonly done: Set<unknown>;
  /** By schema: the spot that refers to it or contains it. */
  readonly open: Map<unknown, Spot | undefined>;
}

/** A schema that applies itself to the same instance is cut with a warning: no validator would ever end. */
export function checkCircularReferences(schema: Spot, visited: Visited, from?: Spot): void {
  const { done, open } = visited;
  if (done.has(schema.value)) return;
  open.set(schema.value, from);
  for (const [next, applied] of inPlaceApplied(schema)) {
    if (!open.has(applied.value)) checkCircularReferences(applied, visited, next);
    else {
      const entered = [...open.keys()].indexOf(applied.value) + 1;
      cut([...[...open.values()].slice(entered), next] as Spot[]);
    }
  }
  open.delete(schema.value);
  done.add(schema.value);
}

const BRANCHES = ['oneOf', 'anyOf'];

/**
 * Takes one step out of a circle. `oneOf` that names the schemas which extend this one is such a circle, and is meant
 * as a list of them: it goes rather than the `allOf` that makes them have this one's members.
 */
function cut(circle: readonly Spot[]): void {
  const message = 'this leads back to a schema that contains it, without end';
  const keywordOf = ({ path }: Spot) => path.at(-2) ?? '';
  const branch = circle.find((step) => BRANCHES.includes(keywordOf(step)));
  const member = circle.findLast((step) => keywordOf(step) === 'allOf');
  if (branch) ignoreMember({ ...branch, path: branch.path.slice(0, -1) }, message);
  else if (member) readAs(member, true, `${message}; it is ignored`);
  else ignoreMember(circle.at(-1) as Spot, message);
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
