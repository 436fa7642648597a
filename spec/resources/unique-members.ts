import type { Spot } from '../document/spot.ts';
import { isRecord } from '../json/json-value.ts';
import { escapeText } from '../pattern/pattern.ts';
import type { DocumentedResponse } from '../response.ts';
import type { Shape } from '../schema/shape.ts';
import type { Resource } from './resource.ts';

/** A member whose value no two records of a collection share. */
export interface UniqueMember {
  readonly property: string;
  /** `x-unique`: the document promises it. `conflict`: what it says of a status 409 suggests it. */
  readonly sign: 'x-unique' | 'conflict';
  /** Where the document has it. */
  readonly because: Spot;
}

/**
 * The unique members of a collection: those with `x-unique: true`; where there are none, the one required text of a
 * create that the documented 409 speaks of, such as `email` in "A user with this email already exists".
 */
export function uniqueMembers(resource: Resource): UniqueMember[] {
  const { shape, actions } = resource;
  const bodies = Object.values(actions).flatMap(bodyShapes);
  const marked = [shape, ...bodies].flatMap((one) => [...one.properties].flatMap(markOf));
  const stated = [...new Map(marked.map((one) => [one.property, one])).values()];
  if (stated.length > 0) return stated;
  const inferred = naturalKey(resource);
  return inferred ? [inferred] : [];
}

/** Whether the document states that a member is unique. */
export function isStatedUnique(shape: Shape): boolean {
  return shape.find('x-unique')?.value === true;
}

function bodyShapes({ body }: NonNullable<Resource['actions']['create']>): Shape[] {
  return (body?.content ?? []).flatMap(({ shape }) => shape ?? []);
}

function markOf([property, member]: readonly [string, Shape]): UniqueMember | [] {
  const mark = member.find('x-unique');
  return mark?.value === true ? { property, sign: 'x-unique', because: mark.spot } : [];
}

/** What says that a value is there already. */
const TAKEN = /\b(?:already|taken|exists?|duplicated?|unique|in use|uniqueness)\b/i;

function naturalKey({ id, actions: { create } }: Resource): UniqueMember | undefined {
  const conflict = create?.responses.find(({ key }) => key === '409');
  const text = conflict && textsOf(conflict).find((one) => TAKEN.test(one));
  if (!create || !conflict || text === undefined) return undefined;
  const candidates = bodyShapes(create).flatMap((shape) =>
    [...shape.properties]
      .filter(([name, member]) => shape.required.has(name) && isText(member))
      .map(([name]) => name),
  );
  const [property, ...more] = [...new Set(candidates)].filter((name) => speaksOf(text, name));
  if (property === undefined || more.length > 0 || property === id?.property) return undefined;
  return { property, sign: 'conflict', because: conflict.spot };
}

/** The description of a response, and the texts of its examples. */
function textsOf({ spot, content }: DocumentedResponse): string[] {
  const description = isRecord(spot.value) ? spot.value.description : undefined;
  const examples = content.flatMap((media) => [...media.examples.values()].flatMap(textsIn));
  return [description, ...examples].filter((one) => typeof one === 'string');
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return isRecord(value) || Array.isArray(value) ? Object.values(value).flatMap(textsIn) : [];
}

function isText(member: Shape): boolean {
  return member.mainType === 'string' && !member.values && !member.readOnly;
}

/** Whether a text has a name as a word: `displayName` as it is, or as "display name". */
function speaksOf(text: string, name: string): boolean {
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').split(/[\s_-]+/);
  return new RegExp(`\\b${words.map(escapeText).join('[\\s_-]*')}\\b`, 'i').test(text);
}
