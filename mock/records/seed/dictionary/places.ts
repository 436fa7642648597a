import { randomOf } from '#spec';
import LANDS from './countries.json' with { type: 'json' };
import { lookUp, OF_MEMBERS } from './look-up.ts';
import {
  aboutName,
  fakerOf,
  has,
  isEnglish,
  type Library,
  type Make,
  type Subject,
  setOf,
  shared,
  sharedRandom,
  snakeCase,
} from './subject.ts';

/** `latitude` and `longitude` in degrees (WGS 84); `code` of ISO 3166-1. */
export type Place = Readonly<
  Record<'code' | 'calling' | 'timeZone' | 'city' | 'region' | 'postcode', string> &
    Record<'latitude' | 'longitude', number>
>;

/** Objects that only say where something is: `{ address: { geo: { lat } } }` is the latitude of what has the address. */
const WHERE = setOf('@address @coordinates @location');

function whoseOf({ owner, qualifier, entity }: Subject): Pick<Subject, 'owner' | 'qualifier'> {
  const within = (name: string) => {
    const entry = lookUp(snakeCase(name), OF_MEMBERS);
    return entry && WHERE.has(entry.what) ? entry.qualifier : undefined;
  };
  const isOwn = `_${entity}`.endsWith(`_${qualifier}`);
  const words = isOwn ? '' : (within(qualifier) ?? qualifier);
  let at = { owner, qualifier: words };
  for (let word = within(owner.name); word !== undefined && at.owner.above; word = within(at.owner.name))
    at = { owner: at.owner.above, qualifier: [word, at.qualifier].filter(Boolean).join('_') };
  return at;
}

/**
 * A country (ISO 3166-1) with its calling code (ITU-T E.164), time zone, latitude and longitude, which faker would not
 * match. Its cities are in the chosen language.
 */
type Land = (typeof LANDS)[number];

/** In English without a country, an account may be abroad. */
const ABROAD = LANDS.filter(({ code }) => ['US', 'GB', 'AU', 'CA', 'IE'].includes(code));

/** The country of a language. Undefined: English without a country. */
function landOf({ language }: Library): Land | undefined {
  const tag = new Intl.Locale(language);
  if (tag.language === 'en' && tag.region === undefined) return undefined;
  return LANDS.find(({ code }) => code === tag.maximize().region);
}

/** The place of an object, shared by its members and the addresses in it. */
export function placeOf(subject: Subject): Place {
  const random = sharedRandom(whoseOf(subject), 'place');
  const land = landOf(subject.library) ?? random.pick(ABROAD);
  const near = (degrees: number) => Math.round((degrees + (random.next() - 0.5) / 10) * 1e4) / 1e4;
  const [latitude, longitude] = [near(land.latitude), near(land.longitude)];
  const { library } = subject;
  const [city, postcode] = [library.from(random).location.city(), library.from(random).location.zipCode()];
  // Each city is in one region.
  const { location } = library.from(randomOf(`region/${city}`));
  const region = land.code === 'US' || landOf(library) ? location.state() : location.county();
  return { ...land, latitude, longitude, city, region, postcode };
}

/** ISO 4217. Most services use one currency; an account abroad uses its country's. */
export function currencyOf(subject: Subject): string {
  const isOne = landOf(subject.library) === undefined && !has(subject, 'country', 'country_code', 'iban');
  const code = isOne ? 'US' : placeOf(subject).code;
  const { currency: all } = fakerOf(subject).definitions.finance;
  return all.find((currency) => currency.code.startsWith(code))?.code ?? 'EUR';
}

const streetOf = (subject: Subject) => shared(subject, 'street').location.streetAddress();

export const OF_PLACES: Readonly<Record<string, Make>> = {
  currency: currencyOf,
  street: streetOf,
  location: (subject) => placeOf(subject).city,
  /** Another place than the object's. */
  elsewhere: (subject) => placeOf(aboutName(subject)).city,
  coordinates: (subject) => `${placeOf(subject).latitude},${placeOf(subject).longitude}`,
  /** A code if the schema is too short for a name. */
  country(subject) {
    const { code } = placeOf(subject);
    const isShort = subject.shape.examples.some((example) => /^[A-Z]{2}$/.test(String(example)));
    if (isShort || (subject.shape.lowest('maxLength') ?? 99) <= 3) return code;
    return new Intl.DisplayNames([subject.library.language], { type: 'region' }).of(code) ?? code;
  },
  address(subject) {
    const street = streetOf(subject);
    if (has(subject, 'city')) return street;
    const { city, postcode } = placeOf(subject);
    const isLargeFirst = /^(?:ja|zh)/.test(subject.library.language);
    return isLargeFirst ? `${postcode} ${city}${street}` : `${street}, ${postcode} ${city}`;
  },
  /** In the country's format if faker has it; else ITU-T E.164. */
  phone(subject) {
    const land = landOf(subject.library);
    const isOne = !land && !has(subject, 'country', 'country_code', 'city');
    const calling = isOne ? '1' : placeOf(subject).calling;
    const { phone, helpers, definitions } = shared(subject, 'phone');
    // Faker falls back to the American format for such languages.
    const isAmerican = definitions.phone_number.format.international[0]?.startsWith('+1');
    if (isAmerican !== (calling === '1')) return `+${calling}${helpers.fromRegExp('[2-9][0-9]{8}')}`;
    return phone.number({ style: land ? 'national' : 'international' });
  },
  /** Of the country, unless it has no IBANs. */
  iban(subject) {
    const isAbroad = has(subject, 'country', 'country_code') || !isEnglish(subject);
    const countryCode = isAbroad ? placeOf(subject).code : '';
    const { finance } = fakerOf(subject);
    try {
      return finance.iban({ countryCode });
    } catch {
      return finance.iban();
    }
  },
  /** The language of the records, with the country where the member is a locale. */
  language({ library, name, random }) {
    if (library.language === 'en') return random.pick(['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'ja']);
    const { language, region } = new Intl.Locale(library.language).maximize();
    return name.endsWith('locale') ? `${language}-${region}` : language;
  },
};
