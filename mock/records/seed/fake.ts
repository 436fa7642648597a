import type { Faker } from '@faker-js/faker';
import { fakerLibrary } from '#platform';
import {
  exactNumber,
  isInteger,
  isLargeHint,
  isRecord,
  type Random,
  type Shape,
  type Validators,
} from '#spec';

/** A realistic value for a member; undefined: one is sampled from the schema. */
export type Fake = (name: string, shape: Shape, random: Random) => unknown;

interface Call {
  readonly method: string;
  readonly args: readonly unknown[];
}

interface Plan extends Call {
  readonly fits: (value: unknown) => boolean;
}

/** Values from `x-faker`, else from the member's name, if they fit the schema. */
export function createFake(validators: Validators): Fake {
  const callFaker: CallFaker = createFaker();
  const plans = new WeakMap<Shape, Plan | 'none'>();
  return (name, shape, random) => {
    let plan = plans.get(shape);
    if (!plan) {
      plan = planFor(name, shape, validators) ?? 'none';
      plans.set(shape, plan);
    }
    if (plan === 'none') return undefined;
    const value = plain(callFaker(plan.method, plan.args, random), shape);
    return value !== undefined && plan.fits(value) ? value : undefined;
  };
}

function planFor(name: string, shape: Shape, validators: Validators): Plan | undefined {
  const wanted = methodOf(name, shape);
  return wanted && { ...wanted, fits: compileFit(shape, validators) };
}

/** The method of faker to call; undefined: none. */
export function methodOf(name: string, shape: Shape): Call | undefined {
  return hintOf(shape) ?? methodFor(name, shape);
}

/** `x-faker: person.firstName`, or `x-faker: { number.int: { min: 1 } }`; a list stands for several arguments. */
function hintOf(shape: Shape): Call | undefined {
  const hint = shape.find('x-faker')?.value;
  if (typeof hint === 'string') return { method: hint, args: [] };
  if (isLargeHint(hint)) return undefined;
  const [entry] = isRecord(hint) ? Object.entries(hint) : [];
  return entry && { method: entry[0], args: Array.isArray(entry[1]) ? entry[1] : [entry[1]] };
}

function methodFor(name: string, shape: Shape): Call | undefined {
  if (shape.mainType === 'string') {
    const found = STRING_METHODS.find(([pattern]) => pattern.test(name));
    return found && { method: found[1], args: [] };
  }
  if (shape.mainType !== 'integer' && shape.mainType !== 'number') return undefined;
  const found = NUMBER_METHODS.find(([pattern]) => pattern.test(name));
  return found && { method: found[1], args: [found[2]] };
}

const KEYWORDS_OF_NUMBERS = ['multipleOf', 'not', 'oneOf', 'anyOf', 'if'];
const KEYWORDS_OF_STRINGS = ['pattern', 'format', 'not', 'oneOf', 'anyOf', 'if'];

/** Most members have a type and bounds only: for them no validator need be loaded when the mock starts. */
export function compileFit(shape: Shape, validators: Validators): (value: unknown) => boolean {
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
  const checks = shape.parts.map((part) => validators.compile(part, 'response'));
  return (value) => checks.every((check) => check(value).length === 0);
}

const isWithin = (length: number, least: number, most: number) => length >= least && length <= most;

/** As JSON: dates are strings (RFC 3339), integers exact. */
function plain(value: unknown, shape: Shape): unknown {
  if (typeof value === 'bigint') return exactNumber(String(value));
  if (!(value instanceof Date)) return value;
  const text = value.toISOString();
  return shape.find('format')?.value === 'date' ? text.slice(0, 10) : text;
}

/** Calls a method of faker, e.g. `person.firstName`; undefined: there is none of this name, or it throws. */
type CallFaker = (method: string, args: readonly unknown[], random: Random) => unknown;

/** The reference date of relative dates, so that every day gives the same ones. */
const TODAY = Date.UTC(2024, 6, 1);

/** One locale, loaded at the first call, since many documents never need it. */
function createFaker(): CallFaker {
  let current: Random | undefined;
  let faker: Faker | undefined;
  return (method, args, random) => {
    faker ??= loadFaker(() => (current as Random).next());
    current = random;
    return call(faker, method, args);
  };
}

/**
 * Our keyed numbers replace faker's own generator: seeding that one for each value costs more than the values do.
 */
function loadFaker(next: () => number): Faker {
  const { faker } = fakerLibrary();
  const locale = faker.rawDefinitions;
  const own = new (faker.constructor as typeof Faker)({ locale, randomizer: { next, seed() {} } });
  own.setDefaultRefDate(TODAY);
  return own;
}

function call(faker: Faker, method: string, args: readonly unknown[]): unknown {
  const [group = '', name = '', ...rest] = method.split('.');
  // Names come from the document: only faker's own modules and their methods may be reached by one.
  if (rest.length > 0 || !Object.hasOwn(faker, group) || name === 'constructor') return undefined;
  const owner = faker[group as keyof Faker] as unknown as Record<string, unknown>;
  const make = owner[name];
  if (typeof make !== 'function') return undefined;
  try {
    return make.apply(owner, args);
  } catch {
    return undefined;
  }
}

/** The method of faker that gives a realistic value for a member of this name; the first match wins. */
export const STRING_METHODS: readonly (readonly [name: RegExp, method: string])[] = [
  [/^(?:first_?name|given_?name|name|nick_?name)$/i, 'person.firstName'],
  [/^(?:last_?name|family_?name|surname)$/i, 'person.lastName'],
  [/^(?:full_?name|display_?name|owner|author|customer|contact)$/i, 'person.fullName'],
  [/^(?:user_?name|login|handle)$/i, 'internet.username'],
  [/e_?mail/i, 'internet.exampleEmail'],
  [/(?:phone|mobile|fax)/i, 'phone.number'],
  [/(?:job|position|occupation)/i, 'person.jobTitle'],
  [/(?:company|organi[sz]ation|vendor|supplier|manufacturer|employer)/i, 'company.name'],
  [/country_?code$/i, 'location.countryCode'],
  [/country/i, 'location.country'],
  [/(?:^city|_city|City|^town)$/, 'location.city'],
  [/(?:zip|postal|postcode)/i, 'location.zipCode'],
  [/(?:street|address)/i, 'location.streetAddress'],
  [/time_?zone/i, 'location.timeZone'],
  [/^(?:title|subject|headline|label|caption)$/i, 'lorem.words'],
  [
    /^(?:description|summary|bio|about|comments?|notes?|remarks?|text|content|body|message|review)$/i,
    'lorem.sentence',
  ],
  [/^(?:colou?r)$/i, 'color.human'],
  [/currency/i, 'finance.currencyCode'],
  [/^(?:iban)$/i, 'finance.iban'],
  [/^(?:product|item)(?:_?name)?$/i, 'commerce.productName'],
  [/department/i, 'commerce.department'],
  [/isbn/i, 'commerce.isbn'],
  [/slug/i, 'lorem.slug'],
  [/^(?:tags?|keywords?)$/i, 'word.noun'],
];

export const NUMBER_METHODS: readonly (readonly [name: RegExp, method: string, argument: unknown])[] = [
  [/^(?:latitude|lat)$/i, 'location.latitude', {}],
  [/^(?:longitude|lng|lon)$/i, 'location.longitude', {}],
  [
    /(?:price|amount|cost|total|fee|balance|salary)/i,
    'number.float',
    { min: 1, max: 500, fractionDigits: 2 },
  ],
  [/^age$/i, 'number.int', { min: 1, max: 90 }],
  [/year$/i, 'number.int', { min: 1990, max: 2024 }],
  [/^(?:quantity|qty|stock)$/i, 'number.int', { min: 0, max: 100 }],
  [/rating/i, 'number.int', { min: 1, max: 5 }],
];
