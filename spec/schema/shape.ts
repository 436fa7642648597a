import { children, isRecord, isReference, rawChild, type Spot } from '../document/spot.ts';
import { compilePattern, type Pattern } from '../pattern/pattern.ts';
import { hasType, intersection, type JsonType } from './json-type.ts';
import { type Range, rangeOf } from './range.ts';
import { sameValue } from './same-value.ts';

/** A keyword's value, and where it stands. */
export interface Found {
  readonly value: unknown;
  readonly spot: Spot;
}

/**
 * What a schema demands as a whole: the conjunction of the schema objects that `$ref` and `allOf` join,
 * so that readers of it need not care over how many objects and files a schema is spread.
 */
export class Shape {
  /** The joined Schema Objects, the outermost first. */
  readonly parts: readonly Spot[];
  /** What was worked out once: parts never change, and servers ask at each request. */
  readonly #known = new Map<string, unknown>();

  constructor(spots: readonly Spot[]) {
    this.parts = spots.flatMap((spot) => flatten(spot, new Set()));
  }

  #once<T>(name: string, workOut: () => T): T {
    if (!this.#known.has(name)) this.#known.set(name, workOut());
    return this.#known.get(name) as T;
  }

  /** Where the schema begins. */
  get spot(): Spot {
    return this.parts[0] as Spot;
  }

  /** Every occurrence of a keyword in the conjunction. */
  all(keyword: string): Found[] {
    return this.parts.flatMap((part) => {
      const spot = rawChild(part, keyword);
      return spot && spot.value !== undefined ? [{ value: spot.value, spot }] : [];
    });
  }

  /** The first occurrence of a keyword. */
  find(keyword: string): Found | undefined {
    return this.all(keyword)[0];
  }

  /** The tightest of several lower limits such as `minLength`. */
  highest(keyword: string): number | undefined {
    const limits = this.all(keyword).map(({ value }) => Number(value));
    return limits.length > 0 ? Math.max(...limits) : undefined;
  }

  /** The tightest of several upper limits such as `maxLength`. */
  lowest(keyword: string): number | undefined {
    const limits = this.all(keyword).map(({ value }) => Number(value));
    return limits.length > 0 ? Math.min(...limits) : undefined;
  }

  /** What the schema itself gives as `example`, `examples` or `default`. */
  get examples(): readonly unknown[] {
    const several = this.all('examples').flatMap(({ value }) => (Array.isArray(value) ? value : []));
    return [...this.all('example'), ...this.all('default')].map(({ value }) => value).concat(several);
  }

  /** The types that a value may have; undefined where the schema leaves that open. */
  get types(): ReadonlySet<JsonType> | undefined {
    return this.#once('types', () => {
      const [first, ...rest] = this.parts.flatMap((part) => typesOf(part));
      return first && rest.reduce((left, right) => intersection(left, right), first);
    });
  }

  /** The one type to make values of: the first that is not null, guessed from other keywords where none is given. */
  get mainType(): JsonType | undefined {
    return this.#once('mainType', () => this.#guessType());
  }

  #guessType(): JsonType | undefined {
    const types = this.types;
    if (types) return [...types].find((type) => type !== 'null') ?? 'null';
    if (this.properties.size > 0) return 'object';
    if (this.find('items')) return 'array';
    if (this.find('pattern') || this.find('minLength') || this.find('format')) return 'string';
    return undefined;
  }

  get nullable(): boolean {
    return this.types?.has('null') ?? false;
  }

  get properties(): ReadonlyMap<string, Shape> {
    return this.#once('properties', () => {
      const members = [...this.#propertySpots()];
      return new Map(members.map(([name, spots]) => [name, new Shape(spots)]));
    });
  }

  #propertySpots(): Map<string, Spot[]> {
    const spots = new Map<string, Spot[]>();
    for (const { spot } of this.all('properties')) {
      for (const [name, property] of rawChildren(spot))
        spots.set(name, [...(spots.get(name) ?? []), property]);
    }
    return spots;
  }

  /** The required members, each with the place that says so. */
  get required(): ReadonlyMap<string, Spot> {
    return new Map(
      this.all('required').flatMap(({ spot }) =>
        children(spot).map(([, item]) => [String(item.value), item] as const),
      ),
    );
  }

  get items(): Shape | undefined {
    return this.#once('items', () => {
      const found = this.all('items').filter(({ value }) => isRecord(value));
      return found.length > 0 ? new Shape(found.map(({ spot }) => spot)) : undefined;
    });
  }

  /** The schemas of the first items, where a list has a fixed beginning. */
  get prefixItems(): readonly Shape[] {
    const found = this.find('prefixItems');
    return found ? rawChildren(found.spot).map(([, spot]) => new Shape([spot])) : [];
  }

  /** The schema of members that no property describes, where there is one. */
  get additional(): Shape | undefined {
    const found = this.all('additionalProperties').filter(({ value }) => isRecord(value));
    return found.length > 0 ? new Shape(found.map(({ spot }) => spot)) : undefined;
  }

  /** The enumerated values that the types admit, where there are any; a `const` counts as one. */
  get values(): readonly unknown[] | undefined {
    const constants = this.all('const').map(({ value }) => [value]);
    const [first, ...rest] = [...constants, ...this.all('enum').map(({ value }) => value as unknown[])];
    const { types } = this;
    return first
      ?.filter((value) => rest.every((list) => list.some((other) => sameValue(other, value))))
      .filter((value) => !types || [...types].some((type) => hasType(value, type)));
  }

  /** The branches of the first `oneOf` or `anyOf`, each joined with the rest of the schema; none: an empty list. */
  get alternatives(): readonly Shape[] {
    return this.#once('alternatives', () => this.#branch());
  }

  #branch(): Shape[] {
    for (const [index, part] of this.parts.entries()) {
      for (const keyword of ['oneOf', 'anyOf']) {
        const branches = rawChild(part, keyword);
        if (!branches || !Array.isArray(branches.value)) continue;
        const { [keyword]: _, allOf: __, $ref: ___, ...rest } = part.value as Record<string, unknown>;
        const others = this.parts.flatMap((other, at) =>
          at === index ? [{ ...part, value: rest }] : [alone(other)],
        );
        return rawChildren(branches).map(([, branch]) => new Shape([branch, ...others]));
      }
    }
    return [];
  }

  get readOnly(): boolean {
    return this.all('readOnly').some(({ value }) => value === true);
  }

  get writeOnly(): boolean {
    return this.all('writeOnly').some(({ value }) => value === true);
  }

  get patterns(): readonly Pattern[] {
    return this.#once('patterns', () =>
      this.all('pattern').map(({ value }) => compilePattern(String(value))),
    );
  }

  /** The highest of the lower bounds and the lowest of the upper ones. */
  get range(): Range {
    return rangeOf(this);
  }
}

/** A schema and all that it joins by `$ref` and `allOf`. */
function flatten(spot: Spot, seen: Set<unknown>): Spot[] {
  if (seen.has(spot.value)) return [];
  seen.add(spot.value);
  if (!isRecord(spot.value)) return [spot];
  const target = isReference(spot.value) ? spot.document.resolve(spot) : undefined;
  if (isReference(spot.value) && siblingsIgnored(spot)) return target ? flatten(target, seen) : [];
  const joined = rawChild(spot, 'allOf');
  return [
    spot,
    ...(target ? flatten(target, seen) : []),
    ...(joined ? rawChildren(joined).flatMap(([, member]) => flatten(member, seen)) : []),
  ];
}

/** OpenAPI 3.0 ignores what stands beside a `$ref`; 3.1 follows JSON Schema 2020-12, where it counts. */
export function siblingsIgnored(spot: Spot): boolean {
  return isVersion30(spot) || Object.keys(spot.value as object).length === 1;
}

export function isVersion30(spot: Spot): boolean {
  const root = spot.document.root.value;
  return isRecord(root) && String(root.openapi).startsWith('3.0');
}

/** A part that was already flattened, so that joining it again does not repeat its own `$ref` and `allOf`. */
function alone(part: Spot): Spot {
  if (!isRecord(part.value)) return part;
  const { allOf: _, $ref: __, ...own } = part.value;
  return { ...part, value: own };
}

/** Members of a map or list of schemas; references stay, the shape follows them. */
export function rawChildren(spot: Spot): [string, Spot][] {
  if (typeof spot.value !== 'object' || spot.value === null) return [];
  return Object.keys(spot.value).map((key) => [key, rawChild(spot, key) as Spot]);
}

function typesOf(part: Spot): ReadonlySet<JsonType>[] {
  if (!isRecord(part.value)) return [];
  const { type, nullable } = part.value;
  const listed = (Array.isArray(type) ? type : type === undefined ? [] : [type]) as JsonType[];
  if (listed.length === 0) return [];
  return [new Set<JsonType>(nullable === true && isVersion30(part) ? [...listed, 'null'] : listed)];
}
