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
    if (schemas.some((schema) => new Shape([schema])[hidden])) return false;
    return isDocumented(schemas, theirs.named.get(name) ?? theirs.others, member, hidden);
  });
}

const OF_OBJECTS = ['properties', 'required', 'additionalProperties', 'patternProperties'];
const OF_LISTS = ['items', 'prefixItems'];
/** What says which values there are, whatever the type. */
const OF_ANY = ['type', 'enum', 'const', 'oneOf', 'anyOf', 'not', 'if'];

/** Of a schema with `properties` and without `type` an object is meant, though the specification allows any other value. */
function impliesType(schemas: readonly Spot[], value: unknown): boolean {
  if (schemas.length === 0) return true;
  return schemas.some((schema) => {
    const shape = new Shape([schema]);
    const has = (keywords: readonly string[]) => keywords.some((keyword) => shape.find(keyword));
    if (has(OF_ANY) || !(has(OF_OBJECTS) || has(OF_LISTS))) return true;
    return (has(OF_OBJECTS) && isRecord(value)) || (has(OF_LISTS) && Array.isArray(value));
  });
}
