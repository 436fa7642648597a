import type { Faker } from '@faker-js/faker';
import { fakerLibrary } from '#platform';
import {
  type Contract,
  canonicalInteger,
  canonicalNumber,
  fullyFits,
  isInteger,
  type Owner,
  oncePer,
  type Random,
  type SampleOptions,
  type Shape,
  singular,
} from '#spec';
import { isKnownNumber, meaningOf } from './dictionary/meaning.ts';
import { difficultName } from './dictionary/people.ts';
import { type Library, setOf } from './dictionary/subject.ts';
import { type Call, callOf, currentName, type Method, methodOf, unknownHints } from './faker-method.ts';
import { ENGLISH, languageOf } from './locale.ts';

/** A realistic value for a member. Undefined: one is sampled from the schema. */
export type Fake = NonNullable<SampleOptions['fake']>;

type Plan = (random: Random, owner: Owner) => unknown;

export interface FakeOptions {
  /** A locale of faker, such as `de` or `pt_BR`. */
  readonly locale: string;
  /** The current time for seeded records, in milliseconds since 1970. */
  readonly now: number;
}

/** Values from `x-faker`, else from the member's meaning, if they fit the schema. */
export function createFake(options: FakeOptions): Fake {
  const library = createLibrary(options);
  // The meaning of a schema depends on its place; most schemas have just one.
  const plansOf = oncePer((_shape: Shape) => oncePer((_owner: Shape) => new Map<string, Plan | undefined>()));

  function planFor(name: string, shape: Shape, owner: Owner): Plan | undefined {
    const hint = callOf(shape.find('x-faker')?.value);
    const make = hint ? planOf(hint, library) : meaningOf(name, shape, owner, library);
    if (!make) return undefined;
    const fits = compileFit(shape);
    return (random, holder) => {
      const value = plain(make(random, holder), shape);
      return value === undefined || fits(value) ? value : otherForms(value).find(fits);
    };
  }

  return (name, written, random, owner) => {
    const shown = shownOf(written);
    if (shown.length > 0) return random.pick(shown);
    if (!owner || written.mainType === 'object' || written.mainType === 'array') return undefined;
    const shape = typedBy(name || (owner.name ?? ''), written);
    if (!shape) return undefined;
    const plans = plansOf(shape)(owner.shape);
    const place = [owner.above?.name, owner.name, name].join('\n');
    if (!plans.has(place)) plans.set(place, planFor(name, shape, owner));
    return plans.get(place)?.(random, owner);
  };
}

/** The examples and the default of an object or array, if its schema does not say what is in it. */
const shownOf = oncePer((shape: Shape): readonly unknown[] => {
  const inner = shape.mainType === 'array' ? shape.items : shape;
  if (inner && !isUndescribed(inner)) return [];
  return shape.examples.filter(
    (value) => typeof value === 'object' && Object.keys(value ?? {}).length > 0 && fullyFits(shape, value),
  );
});

function isUndescribed({
  mainType,
  isUntyped,
  properties,
  additional,
  values,
  alternatives,
}: Shape): boolean {
  const isOpen = properties.size === 0 && alternatives.length === 0 && values === undefined;
  return isOpen && (isUntyped || mainType === 'object') && additional?.isUntyped !== false;
}

/** Names of untyped members that are objects. */
const OPEN_OBJECTS = setOf(
  'data datum metadata meta attribute property option config configuration setting param parameter context extra payload object json field',
);

/** Types an untyped schema as number or text, by its name. Undefined: it is an object. */
function typedBy(name: string, shape: Shape): Shape | undefined {
  if (!shape.isUntyped) return shape;
  if (OPEN_OBJECTS.has(singular(name))) return undefined;
  return shape.withType(isKnownNumber(name) ? 'integer' : 'string');
}

const NAMING = /^(?:animal\.petName|person\.(?:first|last|full)Name)$/;

/** Other forms that a pattern may require: letters and digits, or digits alone. */
function otherForms(value: unknown): string[] {
  if (typeof value !== 'string') return [];
  const forms = [value.replace(/[^\p{L}\p{N}]/gu, ''), value.replace(/\D/g, '').slice(-10)];
  return forms.filter((text) => text !== '');
}

/** Calls a method of faker, such as `person.firstName`. Undefined: there is no such method, or it throws. */
function planOf({ method, args }: Call, library: Library): Plan {
  const isNaming = NAMING.test(currentName(method));
  let make: Method | undefined;
  return (random, owner) => {
    const difficult = isNaming ? difficultName({ owner, qualifier: '', library }) : undefined;
    if (difficult !== undefined) return difficult;
    const faker = library.from(random);
    make ??= methodOf(faker, method);
    try {
      return make?.(...args);
    } catch {
      return undefined;
    }
  };
}

const KEYWORDS_OF_NUMBERS = ['multipleOf', 'not', 'oneOf', 'anyOf', 'if'];
const KEYWORDS_OF_STRINGS = ['pattern', 'format', 'not', 'oneOf', 'anyOf', 'if'];

/**
 * Compiles a quick check for schemas with just a type and bounds, as most are, so that starting the mock loads no
 * validator.
 */
export function compileFit(shape: Shape): (value: unknown) => boolean {
  const has = (keyword: string) => shape.find(keyword) !== undefined;
  const { low, high } = shape.range;
  if (shape.mainType === 'string' && !KEYWORDS_OF_STRINGS.some(has)) {
    const [least = 0, most = Number.POSITIVE_INFINITY] = [
      shape.highest('minLength'),
      shape.lowest('maxLength'),
    ];
    return (value) => typeof value === 'string' && isWithin(Array.from(value).length, least, most);
  }
  if (shape.mainType === 'integer' && !KEYWORDS_OF_NUMBERS.some(has) && !low?.exclusive && !high?.exclusive) {
    return (value) => isInteger(value) && (!low || value >= low.value) && (!high || value <= high.value);
  }
  return (value) => fullyFits(shape, value);
}

const isWithin = (length: number, least: number, most: number) => length >= least && length <= most;

/** As JSON: dates are strings (RFC 3339), integers exact. */
function plain(value: unknown, shape: Shape): unknown {
  if (!(value instanceof Date)) return exact(value);
  const text = value.toISOString();
  return shape.find('format')?.value === 'date' ? text.slice(0, 10) : text;
}

function exact(value: unknown): unknown {
  if (typeof value === 'bigint') return canonicalInteger(value);
  return typeof value === 'number' ? canonicalNumber(value) : value;
}

/**
 * Loads one locale on first use, since many documents never need it. Our random numbers replace faker's generator, whose
 * seeding for each value takes longer than making the values.
 */
export function createLibrary({ locale, now }: FakeOptions): Library {
  let current: Random | undefined;
  let faker: Faker | undefined;

  function load(): Faker {
    const { faker: of } = fakerLibrary(locale);
    const english = locale === ENGLISH ? of : fakerLibrary(ENGLISH).faker;
    const next = () => (current as Random).next();
    const made = new (of.constructor as typeof Faker)({
      locale: locale === ENGLISH ? of.rawDefinitions : whole(of.rawDefinitions, english.rawDefinitions),
      randomizer: { next, seed() {} },
    });
    made.setDefaultRefDate(now);
    return made;
  }

  return {
    from(random) {
      current = random;
      faker ??= load();
      return faker;
    },
    language: languageOf(locale),
    now,
  };
}

type Definitions = Faker['rawDefinitions'];

/**
 * Entries that a language does not use (`null`), such as name prefixes in Russian, are English, since a member may ask for
 * them.
 */
function whole(definitions: Definitions, english: Definitions): Definitions {
  const groups = Object.entries(definitions).map(([group, entries]) => {
    const spare = english[group] as Record<string, unknown> | undefined;
    const all = Object.entries(entries ?? {}).map(([name, entry]) => [name, entry ?? spare?.[name]]);
    return [group, Object.fromEntries(all)];
  });
  return Object.fromEntries(groups) as Definitions;
}

/** A line for each `x-faker` that has no effect. */
export function unknownFakes({ document }: Contract): string[] {
  return unknownHints(document, () => fakerLibrary(ENGLISH).faker);
}

/**
 * A value of a faker method, as JSON.
 * @throws Error if there is no such method, or it throws
 */
export type NamedFake = (method: string, args: readonly unknown[], random: Random) => unknown;

export function createNamedFake(options: FakeOptions): NamedFake {
  const library = createLibrary(options);
  return (method, args, random) => {
    const make = methodOf(library.from(random), method);
    if (!make) throw new Error(`faker has no method "${method}"; one of its is "person.firstName"`);
    const value = make(...args);
    return value instanceof Date ? value.toISOString() : exact(value);
  };
}
