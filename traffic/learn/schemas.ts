import { isRecord, isSecretName, oncePer, TEXT_FORMATS } from '#spec';
import { pascal, pascalSingular, unused } from './names.ts';
import type { NamedTally } from './operation-tally.ts';
import { enumOf, integerFormat, type TextTally } from './text-tally.ts';
import { copyOf, kindsOf, mapValues, mergeValues, type ObjectTally, type ValueTally } from './value-tally.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** Where a body occurs: requests need not have the members of responses. */
export type Position = 'request' | 'response' | 'error';

/** A body that needs a schema. */
interface Root {
  readonly position: Position;
  readonly values: ValueTally;
}

/** An object at one place of a body. */
interface Candidate {
  readonly position: Position;
  readonly tally: ValueTally & { readonly object: ObjectTally };
  /** Its name, if it becomes a component. */
  readonly name: string;
  /** Whether it is a record of a resource: then it becomes a component even if it is used once. */
  readonly isRecord: boolean;
}

/**
 * The schemas of bodies, with shared objects as components: objects of the same form and name are merged, whichever
 * members each place shows.
 * @param minimum members with fewer values are left out
 */
export class Schemas {
  readonly #minimum: number;
  readonly #candidates: Candidate[] = [];
  readonly #groups = new Map<ValueTally, Candidate>();
  /** Links each candidate to another one of the same component, up to its representative. */
  readonly #same = new Map<Candidate, Candidate>();
  readonly #merged = new Map<Candidate, ValueTally>();
  readonly #names = new Map<Candidate, string>();
  readonly #taken: Set<string>;
  /** Members that any response has. */
  readonly #shown = new Set<string>();
  readonly components: Record<string, Schema> = {};

  /** @param taken existing component names */
  constructor(minimum: number, taken: Iterable<string>) {
    this.#minimum = minimum;
    this.#taken = new Set(taken);
  }

  /**
   * Registers a body for {@link schemaOf}.
   * @param name of its record
   */
  expect({ position, values }: Root, name: string): void {
    const visit = (tally: ValueTally, called: string, isRecord: boolean, depth: number): void => {
      if (tally.items) visit(tally.items, pascalSingular(called), isRecord, depth + 1);
      const { object } = tally;
      if (!object) return;
      const values = mapOf(object);
      if (values) {
        visit(values, pascalSingular(called), false, depth + 1);
        return;
      }
      const isEnvelope = isRecord && depth === 0 && isListed(object);
      if (object.members.size >= 2 || isRecord) {
        const suffix = isEnvelope ? 'List' : position === 'request' && isRecord ? 'Input' : '';
        const candidate: Candidate = {
          position,
          tally: tally as Candidate['tally'],
          name: position === 'error' && isRecord ? 'Error' : pascal(called) + suffix,
          isRecord: isRecord && !isEnvelope,
        };
        this.#candidates.push(candidate);
        this.#groups.set(tally, candidate);
      }
      const lists = listsOf(object);
      for (const [member, inner] of object.members) {
        if (position === 'response') this.#shown.add(member);
        const isTheRecord = isEnvelope && lists.length === 1 && lists[0] === member;
        visit(inner, isTheRecord ? called : pascal(member), isTheRecord, depth + 1);
      }
    };
    visit(values, name, true, 0);
  }

  /** Call it once all bodies are known. */
  settle(): void {
    const byName = Map.groupBy(this.#candidates, ({ name, position }) => `${position} ${name}`);
    for (const group of byName.values())
      for (const [index, candidate] of group.entries())
        for (const other of group.slice(0, index))
          if (isAlike(candidate.tally, other.tally)) this.#join(candidate, other);
    const byShape = Map.groupBy(
      this.#candidates,
      ({ tally, position }) => `${position} ${shapeKey(tally.object)}`,
    );
    for (const [first, ...others] of byShape.values())
      for (const other of others) if (first && isAlike(first.tally, other.tally)) this.#join(first, other);
    this.#close();
    const groups = Map.groupBy(this.#candidates, (candidate) => this.#root(candidate));
    for (const [root, members] of groups) {
      const [first, ...others] = members as [Candidate, ...Candidate[]];
      const merged = copyOf(first.tally);
      for (const { tally } of others) mergeValues(merged, tally);
      this.#merged.set(root, merged);
      // A copy has its own members, which belong to the same components.
      this.#follow(
        merged,
        members.map(({ tally }) => tally),
      );
      if (members.length < 2 && !members.some(({ isRecord }) => isRecord)) continue;
      const named = members.find(({ isRecord }) => isRecord) ?? first;
      const name = unused(nameOf(named.name), this.#taken);
      this.#taken.add(name);
      this.#names.set(root, name);
    }
    for (const [root, name] of this.#names)
      this.components[name] = this.#objectSchema(this.#merged.get(root) as ValueTally);
  }

  /**
   * The schema of values at one place.
   * @param name of their member or parameter
   */
  schemaOf(tally: ValueTally, name = ''): Schema {
    const kinds = kindsOf(tally);
    if (kinds.length === 0) return {};
    const candidate = this.#groups.get(tally);
    const component = candidate && this.#names.get(this.#root(candidate));
    if (component === undefined) return this.#inline(tally, name, kinds);
    const $ref = { $ref: `#/components/schemas/${component}` };
    const others = kinds.filter((kind) => kind !== 'object');
    if (others.length === 0) return $ref;
    const beside = others.filter((kind) => kind !== 'null');
    const rest =
      beside.length > 0 ? [this.#inline({ ...tally, object: undefined, nulls: 0 }, name, beside)] : [];
    return { anyOf: [$ref, ...rest, ...(others.includes('null') ? [{ type: 'null' }] : [])] };
  }

  #inline(tally: ValueTally, name: string, kinds: readonly string[]): Schema {
    const candidate = this.#groups.get(tally);
    const merged = candidate && this.#merged.get(this.#root(candidate));
    const format = kinds.includes('integer') ? integerFormat(tally) : undefined;
    return {
      type: kinds.length === 1 ? kinds[0] : kinds,
      ...(kinds.includes('object') && this.#members(merged?.object ?? (tally.object as ObjectTally))),
      ...(kinds.includes('array') && {
        items: tally.items ? this.schemaOf(tally.items, pascalSingular(name)) : {},
      }),
      ...(kinds.includes('string') &&
        kinds.every((kind) => kind === 'string' || kind === 'null') &&
        textKeywords(tally.texts, name, kinds.includes('null'))),
      ...(format && { format }),
    };
  }

  #objectSchema(tally: ValueTally): Schema {
    return { type: 'object', ...this.#members(tally.object as ObjectTally) };
  }

  #members(object: ObjectTally): Schema {
    const values = mapOf(object);
    if (values) return { additionalProperties: this.schemaOf(values) };
    const members = [...object.members].filter(
      ([name, tally]) =>
        tally.count >= Math.min(this.#minimum, object.count) && !this.#isIgnored(tally, name),
    );
    const required = members.filter(([, { count }]) => count === object.count).map(([name]) => name);
    if (members.length === 0) return {};
    return {
      ...(required.length > 0 && { required }),
      properties: Object.fromEntries(
        members.map(([name, tally]) => [name, { ...this.schemaOf(tally, name), ...this.#access(tally) }]),
      ),
    };
  }

  /** The access keywords of a member that the service does not store as it was sent. */
  #access({ isSet, isLost }: ValueTally): Schema {
    return { ...(isSet && { readOnly: true }), ...(isLost && { writeOnly: true }) };
  }

  /** Whether clients send a member that the service sets itself. */
  #isIgnored({ isIgnored, isLost }: ValueTally, name: string): boolean {
    return isIgnored || (isLost && this.#shown.has(name));
  }

  /** A recorded body without the members that {@link schemaOf} leaves out. */
  withoutIgnored(value: unknown, { object }: ValueTally): unknown {
    if (!isRecord(value) || !object) return value;
    const members = Object.entries(value).filter(([name]) => {
      const tally = object.members.get(name);
      return !tally || !this.#isIgnored(tally, name);
    });
    return Object.fromEntries(
      members.map(([name, member]) => {
        const tally = object.members.get(name);
        return [name, tally ? this.withoutIgnored(member, tally) : member];
      }),
    );
  }

  #root(candidate: Candidate): Candidate {
    let here = candidate;
    for (let next = this.#same.get(here); next; next = this.#same.get(here)) here = next;
    return here;
  }

  #join(one: Candidate, other: Candidate): boolean {
    const [left, right] = [this.#root(one), this.#root(other)];
    if (left === right) return false;
    this.#same.set(left, right);
    return true;
  }

  /** Values at the same place of one component belong to one component, too. */
  #close(): void {
    for (let isChanged = true; isChanged; ) {
      isChanged = false;
      for (const members of Map.groupBy(this.#candidates, (candidate) => this.#root(candidate)).values()) {
        const places = new Map<string, Candidate>();
        for (const { tally } of members)
          for (const [place, inner] of placesIn(tally, '')) {
            const candidate = this.#groups.get(inner);
            const other = places.get(place);
            if (candidate && other && this.#join(candidate, other)) isChanged = true;
            if (candidate && !other) places.set(place, candidate);
          }
      }
    }
  }

  #follow(merged: ValueTally, from: readonly ValueTally[]): void {
    const origins = new Map<string, ValueTally>();
    for (const tally of from)
      for (const [place, inner] of placesIn(tally, ''))
        if (this.#groups.has(inner)) origins.set(place, inner);
    for (const [place, inner] of placesIn(merged, '')) {
      const candidate = this.#groups.get(origins.get(place) as ValueTally);
      if (candidate) this.#groups.set(inner, candidate);
    }
  }
}

/** The values below one, up to the next object at each place. */
function* placesIn(tally: ValueTally, place: string): Generator<[string, ValueTally]> {
  if (tally.items) {
    yield [`${place}/[]`, tally.items];
    yield* placesIn(tally.items, `${place}/[]`);
  }
  if (!tally.object) return;
  const values = mapOf(tally.object);
  for (const [name, member] of values ? [['{}', values] as const] : tally.object.members) {
    yield [`${place}/${name}`, member];
    yield* placesIn(member, `${place}/${name}`);
  }
}

/** Cached, as it is read repeatedly after all values are noted. */
const mapOf = oncePer(mapValues);

function listsOf(object: ObjectTally): string[] {
  return [...object.members].filter(([, { items }]) => items?.object).map(([name]) => name);
}

/** Whether an object describes a list, and is no record itself. */
function isListed(object: ObjectTally): boolean {
  const names = [...object.members.keys()];
  return (
    listsOf(object).length > 0 &&
    names.length <= 12 &&
    !names.some((name) => /^_?(?:id|uuid|key|slug)$/i.test(name))
  );
}

function shapeKey({ members }: ObjectTally): string {
  return [...members.keys()].sort().join('\n');
}

/** Whether two objects can be merged: most members are common, and none of these differs in type. */
function isAlike(one: Candidate['tally'], other: Candidate['tally']): boolean {
  const [left, right] = [one.object.members, other.object.members];
  const shared = [...left.keys()].filter((name) => right.has(name));
  const all = left.size + right.size - shared.length;
  if (all === 0 || shared.length / all < 0.6) return false;
  return shared.every((name) => {
    const [here, there] = [left, right].map((members) =>
      kindsOf(members.get(name) as ValueTally).filter((kind) => kind !== 'null'),
    );
    if (!here?.length || !there?.length) return true;
    return here.some(
      (kind) => there.includes(kind) || (NUMBERS.has(kind) && there.some((one) => NUMBERS.has(one))),
    );
  });
}

const NUMBERS = new Set(['integer', 'number']);

/** Redocly and code generators accept these characters, and no leading digit. */
function nameOf(name: string): string {
  return /^[A-Za-z]/.test(name) ? name : `Object${name}`;
}

function textKeywords(texts: TextTally | undefined, name: string, isNullable: boolean): Schema {
  if (!texts || isSecretName(name)) return {};
  const values = enumOf(texts, name);
  if (values) return { enum: isNullable ? [...values, null] : values };
  const format =
    texts.first === undefined ? undefined : TEXT_FORMATS.find((one) => texts.forms.includes(one));
  return format ? { format } : {};
}

/** The schema of a value that is sent as text: a parameter, a header, a form field. */
export function textSchema({ texts, isRepeated, isFile }: NamedTally, name: string): Schema {
  const one = isFile ? { type: 'string', format: 'binary' } : scalarSchema(texts, name);
  return isRepeated ? { type: 'array', items: one } : one;
}

/** The schema of a scalar from its texts. */
export function scalarSchema(texts: TextTally, name: string): Schema {
  const { forms, first } = texts;
  if (first === undefined) return { type: 'string' };
  const format = integerFormat(texts);
  if (forms.includes('integer')) return { type: 'integer', ...(format && { format }) };
  if (forms.includes('number')) return { type: 'number' };
  if (forms.includes('boolean')) return { type: 'boolean' };
  return { type: 'string', ...textKeywords(texts, name, false) };
}
