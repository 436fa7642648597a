import { foldedName, ID_NAMES, idStem, singularName, wordsOf } from '../meaning/names.ts';
import type { Shape } from '../schema/shape.ts';
import { recordName } from './paths.ts';
import { schemaKey } from './record-schema.ts';
import type { Resource } from './resource.ts';

/** A member that shows a record of another collection, or several, as names or schemas suggest. */
export interface Reference {
  readonly property: string;
  /** The object of the one record; of several, that of each. */
  readonly shape: Shape;
  readonly to: Resource;
}

/** The members of a schema that show records of collections which have a path of their own. */
export function referencesIn(shape: Shape, resources: readonly Resource[]): Reference[] {
  return [...shape.properties].flatMap(([property, member]) => {
    const inner = member.mainType === 'array' ? member.items : member;
    if (inner?.mainType !== 'object') return [];
    const isMeant = (one: Resource) =>
      one.parents.length === 0 &&
      one.id !== undefined &&
      one.id.inner === undefined &&
      (one.actions.read ?? one.actions.list) !== undefined &&
      inner.properties.get(one.id.property)?.mainType === one.id.shape.mainType;
    const key = schemaKey(inner);
    const able = resources.filter(isMeant);
    const same = able.filter((one) => key !== undefined && schemaKey(one.shape) === key);
    const named = able.filter((one) => recordName(one.path) === singularName(property));
    const [to, ...more] = same.length > 0 ? same : named;
    return to && more.length === 0 ? [{ property, shape: inner, to }] : [];
  });
}

/** What services put around the name of one thing in requests and responses. */
const AROUND = new Set(
  'create add new update edit request requests response responses dto dtos input output model'.split(' '),
);

/**
 * The members of a record that show what a request has under another name, by that name: `category` for `category_id`,
 * `tags` for `tag_ids`, `orderItems` for `createOrderItemRequests`.
 */
export function shownNames(sent: ReadonlyMap<string, Shape>, record: Shape): ReadonlyMap<string, string> {
  const free = [...record.properties].filter(([name, { writeOnly }]) => !sent.has(name) && !writeOnly);
  return new Map(
    [...sent].flatMap(([name, shape]) => {
      if (record.properties.has(name)) return [];
      const named = idStem(name);
      const found = free.filter(([own, member]) =>
        named === undefined
          ? isCompound(shape) && shape.mainType === member.mainType && stemOf(own) === stemOf(name)
          : singularName(own) === named && hasId(member, named),
      );
      const [only, ...more] = found;
      return only && more.length === 0 ? [[name, only[0]] as const] : [];
    }),
  );
}

const isCompound = ({ mainType }: Shape) => mainType === 'array' || mainType === 'object';

function hasId(member: Shape, noun: string): boolean {
  const { properties } = member.items ?? member;
  const isObject = (member.items ?? member).mainType === 'object';
  const names = [...properties.keys()].map(foldedName);
  return isObject && names.some((name) => ID_NAMES.includes(name) || name === `${noun}id`);
}

function stemOf(name: string): string {
  return singularName(
    wordsOf(name)
      .filter((word) => !AROUND.has(word))
      .join('-'),
  );
}
