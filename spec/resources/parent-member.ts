import type { Parameter } from '../parameter.ts';
import type { Shape } from '../schema/shape.ts';

/** The member of a nested record that names its parent. */
export interface ParentMember {
  readonly property: string;
  /** The member of that object which holds the parent's id; undefined: the member itself is the id. */
  readonly inner: string | undefined;
}

/**
 * The member that holds the value of a path parameter of the collection: of `/owners/{ownerId}/dogs` that is `ownerId`,
 * `owner_id`, `owner` where it is an id of the same type, or `owner.id`. The record's own id is none of them.
 */
export function parentMember(
  shape: Shape,
  path: string,
  parameter: string,
  described: Parameter | undefined,
  own: string | undefined,
): ParentMember | undefined {
  const members = membersOf(shape).filter(([name]) => name !== own);
  const named = (wanted: string) => members.filter(([name]) => plain(name) === wanted);
  const exact = members.find(([name]) => name === parameter);
  if (exact) return { property: exact[0], inner: undefined };
  const nouns = nounsOf(path, parameter);
  for (const noun of nouns) {
    const id = named(`${noun}id`).find(([, member]) => isId(member, described));
    if (id) return { property: id[0], inner: undefined };
  }
  for (const noun of nouns) {
    for (const [property, member] of named(noun)) {
      if (isSameKind(member, described)) return { property, inner: undefined };
      const inner = member.properties.get('id');
      if (inner && isId(inner, described)) return { property, inner: 'id' };
    }
  }
  return undefined;
}

/** Also those of the branches of `oneOf` and `anyOf`. */
function membersOf(shape: Shape): [string, Shape][] {
  return [...shape.properties, ...shape.alternatives.flatMap(membersOf)];
}

const plain = (name: string) => name.replace(/[_-]/g, '').toLowerCase();

/** What a parameter names, in lower case: from its own name, and from the segment before it. */
function nounsOf(path: string, parameter: string): string[] {
  const segments = path.split('/');
  const before = plain(segments[segments.indexOf(`{${parameter}}`) - 1] ?? '');
  const own = plain(parameter).replace(/(?:id|uuid|key)$/, '');
  return [...new Set([own, ...singularsOf(before)])].filter((noun) => noun !== '');
}

function singularsOf(noun: string): string[] {
  if (/ies$/.test(noun)) return [noun.replace(/ies$/, 'y')];
  if (/(?:s|x|z|ch|sh)es$/.test(noun)) return [noun.replace(/es$/, ''), noun.replace(/s$/, '')];
  return [noun.replace(/(?<!s)s$/, '')];
}

const SCALARS = new Set(['string', 'integer', 'number']);

/** A parameter is often described as a text where the member is a number, and vice versa. */
function isId({ mainType, values }: Shape, parameter: Parameter | undefined): boolean {
  return (
    mainType !== undefined && SCALARS.has(mainType) && !values && parameter?.shape.mainType !== 'boolean'
  );
}

/** A member without `id` in its name may be a text about the parent: only a number, or the same format, is its id. */
function isSameKind(member: Shape, parameter: Parameter | undefined): boolean {
  const type = parameter?.shape.mainType;
  if (member.mainType === undefined || member.mainType !== type || member.values) return false;
  const format = (shape: Shape | undefined) => shape?.find('format')?.value;
  return type === 'integer' || (format(member) !== undefined && format(member) === format(parameter?.shape));
}
