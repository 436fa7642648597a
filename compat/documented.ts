import { isRecord, Shape, type Spot } from '#spec';
import { membersOf, schemasAt } from './members.ts';

/**
 * Whether who keeps to a schema sends such a value: with members that it documents only, and none that the other side
 * alone may send. What a schema merely does not forbid, nobody relies on.
 * @param own of the sender
 * @param other of the receiver: a member that only this one documents is new
 * @param hidden `readOnly` for requests, `writeOnly` for responses
 */
export function isDocumented(
  own: readonly Spot[],
  other: readonly Spot[],
  value: unknown,
  hidden: 'readOnly' | 'writeOnly',
): boolean {
  if (!impliesType(own, value)) return false;
  if (Array.isArray(value)) {
    const [items, theirs] = [schemasAt(own, '0'), schemasAt(other, '0')];
    return value.every((item) => isDocumented(items, theirs, item, hidden));
  }
  if (!isRecord(value)) return true;
  const [mine, theirs] = [membersOf(own), membersOf(other)];
  return Object.entries(value).every(([name, member]) => {
    const schemas = mine.named.get(name);
    if (!schemas) return mine.isOpen && !theirs.named.has(name);
    if (schemas.some((schema) => Shape.of([schema])[hidden])) return false;
    return isDocumented(schemas, theirs.named.get(name) ?? theirs.others, member, hidden);
  });
}

const OF_OBJECTS = ['properties', 'required', 'additionalProperties', 'patternProperties'];
const OF_LISTS = ['items', 'prefixItems'];
/** What says which values there are, whatever the type. */
const OF_ANY = ['type', 'enum', 'const', 'oneOf', 'anyOf', 'not', 'if'];

/** Of which types the values of schemas are meant to be, as their keywords suggest; undefined: of any. */
interface Implied {
  readonly objects: boolean;
  readonly lists: boolean;
}

const IMPLIED = new WeakMap<readonly Spot[], readonly (Implied | undefined)[]>();

/** Of a schema with `properties` and without `type` an object is meant, though the specification allows any other value. */
function impliesType(schemas: readonly Spot[], value: unknown): boolean {
  const implied = IMPLIED.get(schemas) ?? schemas.map(impliedBy);
  IMPLIED.set(schemas, implied);
  const admits = (one: Implied | undefined) =>
    one === undefined || (one.objects && isRecord(value)) || (one.lists && Array.isArray(value));
  return implied.length === 0 || implied.some(admits);
}

function impliedBy(schema: Spot): Implied | undefined {
  const shape = Shape.of([schema]);
  const has = (keywords: readonly string[]) => keywords.some((keyword) => shape.find(keyword));
  if (has(OF_ANY)) return undefined;
  const [objects, lists] = [has(OF_OBJECTS), has(OF_LISTS)];
  return objects || lists ? { objects, lists } : undefined;
}
