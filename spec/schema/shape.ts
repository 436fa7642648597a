import {
  children,
  type Document,
  isReference,
  isVersion30,
  rawChild,
  rawChildren,
  type Spot,
  siblingsIgnored,
} from '../document/spot.ts';
import { hasType, isEqual, isRecord, JSON_TYPES, type JsonType } from '../json/json-value.ts';
import { oncePer } from '../json/once-per.ts';
import { compilePattern, type Pattern } from '../pattern/pattern.ts';
import { isExtended } from './closing.ts';
import { discriminatorOf, discriminatorValues } from './discriminator.ts';
import { type Range, rangeOf } from './numeric-keywords.ts';

/** A keyword of a schema: its value and location. */
interface Occurrence {
  readonly value: unknown;
  readonly spot: Spot;
}

/** Marks a result of undefined in the cache, so that a single lookup tells whether it was computed. */
const ABSENT = Symbol('absent');

/** Cached by document and Schema Object. */
const shapesIn = oncePer((_: Document) => oncePer((_: object, spots: readonly Spot[]) => new Shape(spots)));

/**
 * A read-only view of a whole schema: the conjunction of the Schema Objects that `$ref` and `allOf` join, across any
 * number of objects and files.
 */
export class Shape {
  /** The joined Schema Objects, the outermost first. */
  readonly parts: readonly Spot[];
  /** The schemas whose conjunction the shape is, before references and `allOf` are followed. */
  readonly roots: readonly Spot[];
  readonly #cache = new Map<string, unknown>();
  #joined: ((other: Shape) => Shape) | undefined;

  constructor(spots: readonly Spot[]) {
    this.roots = spots;
    const parts = spots.flatMap((spot) => flatten(spot, new Set()));
    this.parts = [...parts, ...parts.flatMap((part) => heirTag(part, parts))];
  }

  /** A schema that is not joined with others has a single shape, however many paths lead to it. */
  static of(spots: readonly Spot[]): Shape {
    const [spot, ...others] = spots;
    if (!spot || others.length > 0 || !isRecord(spot.value)) return new Shape(spots);
    return shapesIn(spot.document)(spot.value, spots);
  }

  /** The conjunction with another schema; repeated calls return the same shape. */
  and(other: Shape): Shape {
    this.#joined ??= oncePer((shape: Shape) => new Shape([...this.roots, ...shape.roots]));
    return this.#joined(other);
  }

  #cached<T>(name: string, compute: () => T): T {
    let value = this.#cache.get(name);
    if (value === undefined) {
      value = compute() ?? ABSENT;
      this.#cache.set(name, value);
    }
    return (value === ABSENT ? undefined : value) as T;
  }

  /** Whether no type, enumeration or alternative restricts its values. */
  get isUntyped(): boolean {
    return this.mainType === undefined && !this.values && this.alternatives.length === 0;
  }

  /** The same schema with a type; repeated calls return the same shape. */
  withType(type: JsonType): Shape {
    return this.#cached(`type ${type}`, () => this.and(new Shape([{ ...this.spot, value: { type } }])));
  }

  /** The outermost Schema Object. */
  get spot(): Spot {
    return this.parts[0] as Spot;
  }

  /** Every occurrence of a keyword in the conjunction. */
  all(keyword: string): Occurrence[] {
    const spots = this.parts.flatMap((part) => rawChild(part, keyword) ?? []);
    return spots.map((spot) => ({ value: spot.value, spot }));
  }

  /** The first occurrence of a keyword. */
  find(keyword: string): Occurrence | undefined {
    return this.all(keyword)[0];
  }

  /** Whether a flag such as `uniqueItems` is true anywhere in the conjunction. */
  has(flag: string): boolean {
    return this.#valuesOf(flag).includes(true);
  }

  /** The strictest of several lower limits such as `minLength`; undefined if there is none. */
  highest(keyword: string): number | undefined {
    return this.#limit(keyword, Math.max);
  }

  /** The strictest of several upper limits such as `maxLength`; undefined if there is none. */
  lowest(keyword: string): number | undefined {
    return this.#limit(keyword, Math.min);
  }

  #limit(keyword: string, pick: (...limits: number[]) => number): number | undefined {
    const limits = this.#valuesOf(keyword).map(Number);
    return limits.length > 0 ? pick(...limits) : undefined;
  }

  /** Values without positions: few callers need those, and each has a path to build. */
  #valuesOf(keyword: string): unknown[] {
    const values: unknown[] = [];
    for (const { value } of this.parts)
      if (isRecord(value) && Object.hasOwn(value, keyword)) values.push(value[keyword]);
    return values;
  }

  /** The schema's own `example` and `examples`. */
  get ownExamples(): readonly unknown[] {
    return [...this.#valuesOf('example'), ...this.#severalExamples()];
  }

  /** Its examples and its `default`. */
  get examples(): readonly unknown[] {
    return [...this.#valuesOf('example'), ...this.#valuesOf('default'), ...this.#severalExamples()];
  }

  #severalExamples(): unknown[] {
    return this.#valuesOf('examples').flatMap((all) => (Array.isArray(all) ? all : []));
  }

  /** The types that a value may have; undefined if the schema sets none. */
  get types(): ReadonlySet<JsonType> | undefined {
    return this.#cached('types', () => {
      const [first, ...rest] = this.parts.flatMap((part) => typesOf(part));
      return first && rest.reduce(intersection, first);
    });
  }

  /** Whether its values are integers or other numbers. */
  get isNumeric(): boolean {
    return this.mainType === 'integer' || this.mainType === 'number';
  }

  /** The first type that is not `null`; without a type, the one that other keywords imply. */
  get mainType(): JsonType | undefined {
    return this.#cached('mainType', () => {
      if (this.types) return [...this.types].find((type) => type !== 'null') ?? 'null';
      if (this.properties.size > 0) return 'object';
      if (this.find('items') || this.find('prefixItems')) return 'array';
      return this.find('pattern') || this.find('minLength') || this.find('format') ? 'string' : undefined;
    });
  }

  /** Whether a value has one of the types and is in the `enum`. A `default`, for example, may violate both. */
  allows(value: unknown): boolean {
    const { types, values } = this;
    const isOfType = !types || [...types].some((type) => hasType(value, type));
    return isOfType && (!values || values.some((one) => isEqual(one, value)));
  }

  get nullable(): boolean {
    return this.#cached('nullable', () => this.types?.has('null') ?? false);
  }

  get properties(): ReadonlyMap<string, Shape> {
    return this.#cached('properties', () => {
      const members = this.all('properties').flatMap(({ spot }) => rawChildren(spot));
      const byName = Map.groupBy(members, ([name]) => name);
      return new Map([...byName].map(([name, spots]) => [name, Shape.of(spots.map(([, spot]) => spot))]));
    });
  }

  /** The required properties, each with its item of `required`. */
  get required(): ReadonlyMap<string, Spot> {
    return this.#cached('required', () => {
      const items = this.all('required').flatMap(({ spot }) => children(spot));
      return new Map(items.map(([, item]) => [String(item.value), item]));
    });
  }

  get items(): Shape | undefined {
    return this.#cached('items', () => this.#subschema('items'));
  }

  get prefixItems(): readonly Shape[] {
    return this.#cached('prefixItems', () => {
      const items = this.all('prefixItems').flatMap(({ spot }) => rawChildren(spot));
      const byIndex = Map.groupBy(items, ([index]) => index);
      return [...byIndex.values()].map((spots) => Shape.of(spots.map(([, spot]) => spot)));
    });
  }

  /** The schema under `additionalProperties`, if it is an object. */
  get additional(): Shape | undefined {
    return this.#cached('additional', () => this.#subschema('additionalProperties'));
  }

  #subschema(keyword: string): Shape | undefined {
    const objects = this.all(keyword).filter(({ value }) => isRecord(value));
    return objects.length > 0 ? Shape.of(objects.map(({ spot }) => spot)) : undefined;
  }

  /** The values of `enum` that the types allow; `const` counts as one. Undefined if the schema has neither. */
  get values(): readonly unknown[] | undefined {
    return this.#cached('values', () => {
      const constants = this.#valuesOf('const').map((value) => [value]);
      const [first, ...rest] = [...constants, ...(this.#valuesOf('enum') as unknown[][])];
      const { types } = this;
      return first
        ?.filter((value) => rest.every((list) => list.some((other) => isEqual(other, value))))
        .filter((value) => !types || [...types].some((type) => hasType(value, type)));
    });
  }

  /**
   * The branches of the first `oneOf` or `anyOf`, each joined with the rest of the schema; else the components that its
   * discriminator names; empty if it has neither.
   */
  get alternatives(): readonly Shape[] {
    return this.#cached('alternatives', () => {
      for (const part of this.parts) {
        for (const keyword of ['oneOf', 'anyOf']) {
          const branches = rawChild(part, keyword);
          if (!branches || !Array.isArray(branches.value)) continue;
          // The parts are already flat, so joining them again must not repeat what they join.
          const others = this.parts.map((other) =>
            without(other, ['allOf', '$ref', ...(other === part ? [keyword] : [])]),
          );
          return rawChildren(branches).map(
            ([, branch]) => new Shape([branch, ...namedBy(part, branch), ...others]),
          );
        }
      }
      return this.#heirs();
    });
  }

  /** Not for the shape of an heir, which has the base schema among its parts. */
  #heirs(): readonly Shape[] {
    const schemas = new Set(this.parts.map(({ value }) => value));
    for (const part of this.parts) {
      const { property, named, fallback } = discriminatorOf(part) ?? { named: [] };
      const heirs = named.filter(({ branch }) => branch.value !== part.value);
      if (property === undefined || heirs.length === 0 || heirs.length > MAX_HEIRS) continue;
      if (heirs.some(({ branch }) => schemas.has(branch.value))) continue;
      const others = this.parts
        .filter((other) => other !== part)
        .map((other) => without(other, ['allOf', '$ref']));
      return heirs.map(({ branch, values }) => {
        const tag = branch.value === fallback?.value ? [] : tagOf(branch, property, values, part);
        return new Shape([branch, ...tag, ...others]);
      });
    }
    return [];
  }

  /** Schemas that apply to the same value conditionally, other than the alternatives. */
  get conditional(): readonly Shape[] {
    return this.#cached('conditional', () => {
      const dependent = this.all('dependentSchemas').flatMap(({ spot }) => rawChildren(spot));
      const outcomes = ['if', 'then', 'else'].flatMap((keyword) => this.all(keyword));
      return [...dependent.map(([, spot]) => spot), ...outcomes.map(({ spot }) => spot)].map((spot) =>
        Shape.of([spot]),
      );
    });
  }

  get readOnly(): boolean {
    return this.#cached('readOnly', () => this.has('readOnly'));
  }

  get writeOnly(): boolean {
    return this.#cached('writeOnly', () => this.has('writeOnly'));
  }

  get patterns(): readonly Pattern[] {
    return this.#cached('patterns', () =>
      this.all('pattern').map(({ value }) => compilePattern(String(value))),
    );
  }

  /** The strictest bounds of a number, including those of `int32` and `int64`. */
  get range(): Range {
    return this.#cached('range', () => rangeOf(this.parts));
  }
}

/** A Schema Object and all objects that it joins by `$ref` and `allOf`. */
function flatten(spot: Spot, seen: Set<unknown>): Spot[] {
  if (seen.has(spot.value)) return [];
  seen.add(spot.value);
  if (!isRecord(spot.value)) return [spot];
  const target = isReference(spot.value) ? spot.document.resolve(spot) : undefined;
  const referenced = target ? flatten(target, seen) : [];
  if (isReference(spot.value) && siblingsIgnored(spot)) return referenced;
  const joined = rawChildren(rawChild(spot, 'allOf')).flatMap(([, member]) => flatten(member, seen));
  return [spot, ...referenced, ...joined];
}

/** Some schemas are the base of hundreds, and each record would be tried with all of them. */
const MAX_HEIRS = 32;

/**
 * The discriminator's condition for a branch as a Schema Object: its property has one of the values that name the
 * branch.
 */
function namedBy(part: Spot, branch: Spot): Spot[] {
  const named = discriminatorValues(part, branch);
  return named ? tagOf(branch, named.property, named.values, named.spot) : [];
}

function tagOf(branch: Spot, property: string, values: readonly string[], spot: Spot): Spot[] {
  const memberValues = Shape.of([branch]).properties.get(property)?.values;
  if (memberValues && !values.some((value) => memberValues.includes(value))) return [];
  return [{ ...spot, value: { required: [property], properties: { [property]: { enum: values } } } }];
}

/** The discriminator's condition for an heir, which has the base among its parts: the value that names the heir. */
function heirTag(base: Spot, parts: readonly Spot[]): Spot[] {
  if (!isRecord(base.value) || !isExtended(base.value)) return [];
  const { property, named } = discriminatorOf(base) ?? { named: [] };
  const member = property && rawChild(rawChild(base, 'properties') ?? base, property);
  const heir = parts.find(
    ({ value }) => value !== base.value && named.some(({ branch }) => branch.value === value),
  );
  const { values = [] } = named.find(({ branch }) => branch.value === heir?.value) ?? {};
  const memberValues = (member && Shape.of([member]).values) ?? values;
  const allowed = values.filter((value) => memberValues.includes(value));
  return property && allowed.length > 0
    ? [{ ...base, value: { properties: { [property]: { enum: allowed } } } }]
    : [];
}

function without(spot: Spot, keywords: readonly string[]): Spot {
  if (!isRecord(spot.value)) return spot;
  const kept = Object.entries(spot.value).filter(([keyword]) => !keywords.includes(keyword));
  return { ...spot, value: Object.fromEntries(kept) };
}

function typesOf(part: Spot): ReadonlySet<JsonType>[] {
  if (!isRecord(part.value)) return [];
  const { type, nullable, not } = part.value;
  const types = [type ?? []].flat() as JsonType[];
  const others = typesBeside(not);
  if (types.length === 0) return others;
  return [new Set<JsonType>(nullable === true && isVersion30(part) ? [...types, 'null'] : types), ...others];
}

/** The types that `not: { type: ... }` leaves; most such values are texts. */
function typesBeside(not: unknown): ReadonlySet<JsonType>[] {
  if (!isRecord(not) || Object.keys(not).join() !== 'type') return [];
  const excluded = [not.type].flat() as JsonType[];
  const isExcluded = (type: JsonType) =>
    excluded.includes(type) || (type === 'integer' && excluded.includes('number'));
  return [new Set(['string' as const, ...JSON_TYPES].filter((type) => !isExcluded(type)))];
}

/** Integers are numbers: `number` and `integer` have `integer` in common. */
function intersection(left: ReadonlySet<JsonType>, right: ReadonlySet<JsonType>): ReadonlySet<JsonType> {
  const both = [...left].filter((type) => right.has(type) || (type === 'integer' && right.has('number')));
  return new Set(left.has('number') && right.has('integer') ? [...both, 'integer'] : both);
}

/** The possible forms of a value: the branches of `oneOf` or `anyOf`, recursively; else the schema itself. */
export function formsOf(shape: Shape): readonly Shape[] {
  return shape.alternatives.length === 0 ? [shape] : shape.alternatives.flatMap(formsOf);
}
