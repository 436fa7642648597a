import { rawChild, rawChildren, type Spot } from '../document/spot.ts';
import { isRecord } from '../json/json-value.ts';
import { oncePer } from '../json/once-per.ts';
import { compilePattern, type Pattern } from '../pattern/pattern.ts';
import { isShutOut } from './closing.ts';
import { randomFrom, seedOf } from './random.ts';
import { isCompound, isLeftOut, type Position } from './sample-position.ts';
import { Shape } from './shape.ts';

/** What is the same for every value of an object schema. */
interface Members {
  readonly required: readonly Member[];
  /** Without members that must not occur. */
  readonly optional: readonly Member[];
  readonly min: number;
  readonly max: number;
}

export interface Member {
  readonly name: string;
  /** Undefined: any value is valid. */
  readonly shape: Shape | undefined;
  readonly isCompound: boolean;
}

export const membersOf = oncePer((shape: Shape): Members => {
  const { required, properties } = shape;
  const described = (name: string): Member => {
    const member = memberAt(shape, name);
    return { name, shape: member, isCompound: member !== undefined && isCompound(member) };
  };
  return {
    required: [...required.keys()].map(described),
    optional: [...properties].flatMap(([name, member]) =>
      required.has(name) || isForbidden(member) || isShutOut(name, shape.parts) ? [] : described(name),
    ),
    min: shape.highest('minProperties') ?? 0,
    max: shape.lowest('maxProperties') ?? Number.POSITIVE_INFINITY,
  };
});

/** The `patternProperties` of a single Schema Object. */
function byPattern(part: Spot): { pattern: Pattern; spot: Spot; shape: Shape }[] {
  return rawChildren(rawChild(part, 'patternProperties')).map(([source, spot]) => ({
    pattern: compilePattern(source),
    spot,
    shape: Shape.of([spot]),
  }));
}

const patternsOf = oncePer(({ parts }: Shape) => parts.flatMap(byPattern));

/** `additionalProperties` applies to what the same Schema Object does not name (JSON Schema 2020-12 core §10.3.2.3). */
export function memberAt(shape: Shape, name: string): Shape | undefined {
  const described = shape.parts.flatMap((part) => {
    const properties = rawChild(part, 'properties');
    const property = properties && rawChild(properties, name);
    const matching = byPattern(part).flatMap(({ pattern, spot }) => (pattern.test(name) ? spot : []));
    if (property || matching.length > 0) return property ? [property, ...matching] : matching;
    const additional = rawChild(part, 'additionalProperties');
    return additional && isRecord(additional.value) ? additional : [];
  });
  return described.length > 0 ? Shape.of(described) : undefined;
}

/** The schemas that the names of further members may have; undefined in the list stands for any word. */
export const namesOf = oncePer((shape: Shape): readonly (Shape | undefined)[] => {
  const named = shape.all('propertyNames').map(({ spot }) => spot);
  const nameShape = (...spots: readonly Spot[]) => {
    const [first] = [...spots, ...named];
    return first && new Shape([{ ...first, value: { type: 'string' } }, ...spots, ...named]);
  };
  const isClosed = ['additionalProperties', 'unevaluatedProperties'].some((keyword) =>
    shape.all(keyword).some(({ value }) => value === false),
  );
  if (!isClosed) return [nameShape()];
  return patternsOf(shape).flatMap(({ pattern, spot, shape: member }) =>
    isForbidden(member) ? [] : nameShape({ ...spot, value: { pattern: pattern.expression.source } }),
  );
});

/** Members with those that they require, by name. */
export const dependentOf = oncePer((shape: Shape) =>
  shape.all('dependentRequired').flatMap(({ value }) => Object.entries(value as Record<string, string[]>)),
);

export const isForbidden = (member: Shape) => member.parts.some(({ value }) => value === false);

export function isOmitted(member: Shape, { options: { direction, omit } }: Position): boolean {
  const isHidden =
    (direction === 'request' && member.readOnly) || (direction === 'response' && member.writeOnly);
  return isHidden || (omit?.(member) ?? false);
}

/** The optional members of this value: at least `least` of them, if the schema has so many, and at most `most`. */
export function optionalOf(shape: Shape, at: Position, least: number, most: number): Member[] {
  const { include } = at.options;
  const isIncluded = ({ name, shape: member }: Member) =>
    !include || include(name, randomFrom(seedOf(`/${name}?`, at.seed)), member, shape);
  const possible = membersOf(shape).optional.filter(
    ({ shape: member, isCompound: isDeep }) =>
      !member || !(isOmitted(member, at) || (isDeep && isLeftOut(member, shape, at))),
  );
  const members = withoutRivals(possible, isIncluded, shape, at);
  const chosen = new Set(members.filter(isIncluded));
  for (const member of members) if (chosen.size < least) chosen.add(member);
  return members.filter((member) => chosen.has(member)).slice(0, Math.max(0, most));
}

/** Of members that exclude each other, keeps one that is wanted; none if a required one is among them. */
function withoutRivals(
  members: readonly Member[],
  isWanted: (member: Member) => boolean,
  shape: Shape,
  at: Position,
): readonly Member[] {
  return rivalsOf(shape).reduce((left, rivals) => {
    const group = left.filter(({ name }) => rivals.includes(name));
    if (group.length === 0) return left;
    const wanted = group.filter(isWanted);
    const isTaken = rivals.some((name) => shape.required.has(name));
    const kept = randomFrom(seedOf(`/${rivals.join()}!`, at.seed)).pick(wanted.length > 0 ? wanted : group);
    return left.filter((member) => !group.includes(member) || (member === kept && !isTaken));
  }, members);
}

/** `Only one of url, urlPath or urlPattern may be specified.` */
const ONE_OF =
  /\b(?:only|exactly|at most) one of ((?:["'`]?[\w.$-]+["'`]?(?:,? (?:or|and) |, ))+["'`]?[\w.$-]+["'`]?) (?:may|can|should|must|is|are) /gi;

/** The groups of members that exclude each other, found by a description that lists them along with the described one. */
export const rivalsOf = oncePer(({ properties }: Shape): readonly (readonly string[])[] => {
  const groups = new Map<string, readonly string[]>();
  for (const [name, { parts }] of properties)
    for (const { value } of parts)
      for (const [, list = ''] of textOf(value).matchAll(ONE_OF)) {
        const named = list.split(/,? (?:or|and) |, /).map((one) => one.replaceAll(/["'`]/g, ''));
        if (!named.includes(name) || !named.every((one) => properties.has(one))) continue;
        groups.set(named.toSorted().join(), named);
      }
  return [...groups.values()];
});

const textOf = (schema: unknown) =>
  isRecord(schema) && typeof schema.description === 'string' ? schema.description : '';
