import { randomOf } from '#spec';
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

/** What says where a thing is, and no more: `{ address: { geo: { lat } } }` is the latitude of what has the address. */
const WHERE = setOf('@address @coordinates @location');

function whoseOf({ owner, qualifier, entity }: Subject): Pick<Subject, 'owner' | 'qualifier'> {
  const within = (name: string) => {
    const found = lookUp(snakeCase(name), OF_MEMBERS);
    return found && WHERE.has(found.what) ? found.qualifier : undefined;
  };
  const isOwn = `_${entity}`.endsWith(`_${qualifier}`);
  const words = isOwn ? '' : (within(qualifier) ?? qualifier);
  let at = { owner, qualifier: words };
  for (let own = within(owner.name); own !== undefined && at.owner.above; own = within(at.owner.name))
    at = { owner: at.owner.above, qualifier: [own, at.qualifier].filter(Boolean).join('_') };
  return at;
}

/**
 * Countries (ISO 3166-1) with their calling code (ITU-T E.164), time zone, latitude and longitude: of faker they would not
 * agree. Its cities are those of the language.
 */
const COUNTRIES = `
US 1 America/New_York 40.7 -74; AM 374 Asia/Yerevan 40.2 44.5; AT 43 Europe/Vienna 48.2 16.4; AU 61
Australia/Sydney -33.9 151.2; AZ 994 Asia/Baku 40.4 49.9; BE 32 Europe/Brussels 51.2 4.4; BR 55
America/Sao_Paulo -23.6 -46.6; CA 1 America/Toronto 43.6 -79.4; CH 41 Europe/Zurich 47.4 8.5; CN 86
Asia/Shanghai 39.9 116.4; CZ 420 Europe/Prague 50.1 14.4; DE 49 Europe/Berlin 52.5 13.4; DK 45
Europe/Copenhagen 55.7 12.6; EG 20 Africa/Cairo 30 31.2; ES 34 Europe/Madrid 41.4 2.2; FI 358
Europe/Helsinki 60.2 24.9; FR 33 Europe/Paris 45.8 4.8; GB 44 Europe/London 51.5 -0.1; GE 995
Asia/Tbilisi 41.7 44.8; GR 30 Europe/Athens 38 23.7; HU 36 Europe/Budapest 47.5 19; ID 62
Asia/Jakarta -6.2 106.8; IE 353 Europe/Dublin 53.4 -6.3; IL 972 Asia/Jerusalem 32.1 34.8; IN 91
Asia/Kolkata 19.1 72.9; IQ 964 Asia/Baghdad 36.2 44; IR 98 Asia/Tehran 35.7 51.4; IT 39 Europe/Rome
45.5 9.2; JP 81 Asia/Tokyo 35 135.8; KE 254 Africa/Nairobi -1.3 36.8; KR 82 Asia/Seoul 37.6 127; MD
373 Europe/Chisinau 47 28.9; MN 976 Asia/Ulaanbaatar 47.9 106.9; MV 960 Indian/Maldives 4.2 73.5; MX
52 America/Mexico_City 19.4 -99.1; NG 234 Africa/Lagos 6.5 3.4; NL 31 Europe/Amsterdam 52.4 4.9; NO
47 Europe/Oslo 59.9 10.8; PK 92 Asia/Karachi 24.9 67; PL 48 Europe/Warsaw 52.2 21; PT 351
Europe/Lisbon 38.7 -9.1; RO 40 Europe/Bucharest 44.4 26.1; RU 7 Europe/Moscow 55.8 37.6; SE 46
Europe/Stockholm 59.3 18.1; SK 421 Europe/Bratislava 48.1 17.1; SN 221 Africa/Dakar 14.7 -17.4; TH
66 Asia/Bangkok 13.8 100.5; TR 90 Europe/Istanbul 41 29; TW 886 Asia/Taipei 25 121.6; UA 380
Europe/Kyiv 50.5 30.5; UZ 998 Asia/Tashkent 41.3 69.2; VN 84 Asia/Ho_Chi_Minh 21 105.8; BD 880
Asia/Dhaka 23.8 90.4; GH 233 Africa/Accra 5.6 -0.2; HK 852 Asia/Hong_Kong 22.3 114.2; HR 385
Europe/Zagreb 45.8 16; LU 352 Europe/Luxembourg 49.6 6.1; LV 371 Europe/Riga 57 24.1; MK 389
Europe/Skopje 42 21.4; NP 977 Asia/Kathmandu 27.7 85.3; RS 381 Europe/Belgrade 44.8 20.5; SI 386
Europe/Ljubljana 46.1 14.5; ZA 27 Africa/Johannesburg -26.2 28.1
`;

type Land = Pick<Place, 'code' | 'calling' | 'timeZone' | 'latitude' | 'longitude'>;

const LANDS = COUNTRIES.split(';').map((row): Land => {
  const [code = '', calling = '', timeZone = '', latitude, longitude] = row.trim().split(/\s+/);
  return { code, calling, timeZone, latitude: Number(latitude), longitude: Number(longitude) };
});

/** In English, of which nobody says whose it is, an account may be abroad. */
const ABROAD = LANDS.filter(({ code }) => ['US', 'GB', 'AU', 'CA', 'IE'].includes(code));

/** The country of a language; undefined: English without one. */
function landOf({ language }: Library): Land | undefined {
  const tag = new Intl.Locale(language);
  if (tag.language === 'en' && tag.region === undefined) return undefined;
  return LANDS.find(({ code }) => code === tag.maximize().region);
}

/** The place that an object is about: members of one object, and of addresses in it, belong together. */
export function placeOf(subject: Subject): Place {
  const random = sharedRandom(whoseOf(subject), 'place');
  const land = landOf(subject.library) ?? random.pick(ABROAD);
  const near = (degrees: number) => Math.round((degrees + (random.next() - 0.5) / 10) * 1e4) / 1e4;
  const [latitude, longitude] = [near(land.latitude), near(land.longitude)];
  const { library } = subject;
  const [city, postcode] = [library.from(random).location.city(), library.from(random).location.zipCode()];
  // A city is in one region.
  const { location } = library.from(randomOf(`region/${city}`));
  const region = land.code === 'US' || landOf(library) ? location.state() : location.county();
  return { ...land, latitude, longitude, city, region, postcode };
}

/** ISO 4217. Most services have one; of an account abroad it is that of the country. */
export function currencyOf(subject: Subject): string {
  const isOne = landOf(subject.library) === undefined && !has(subject, 'country', 'country_code', 'iban');
  const code = isOne ? 'US' : placeOf(subject).code;
  const { currency: all } = fakerOf(subject).definitions.finance;
  return all.find((one) => one.code.startsWith(code))?.code ?? 'EUR';
}

const streetOf = (subject: Subject) => shared(subject, 'street').location.streetAddress();

export const OF_PLACES: Readonly<Record<string, Make>> = {
  ...{ currency: currencyOf, street: streetOf },
  location: (subject) => placeOf(subject).city,
  /** Another place than that of the object. */
  elsewhere: (subject) => placeOf(aboutName(subject)).city,
  coordinates: (subject) => `${placeOf(subject).latitude},${placeOf(subject).longitude}`,
  /** A code where the schema has no room for a name. */
  country(subject) {
    const { code } = placeOf(subject);
    const isShort = subject.shape.examples.some((one) => /^[A-Z]{2}$/.test(String(one)));
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
  /** As people of the country write it, where faker has its form; else ITU-T E.164. */
  phone(subject) {
    const own = landOf(subject.library);
    const isOne = !own && !has(subject, 'country', 'country_code', 'city');
    const calling = isOne ? '1' : placeOf(subject).calling;
    const { phone, helpers, definitions } = shared(subject, 'phone');
    // What a language lacks faker has in American.
    const isAmerican = definitions.phone_number.format.international[0]?.startsWith('+1');
    if (isAmerican !== (calling === '1')) return `+${calling}${helpers.fromRegExp('[2-9][0-9]{8}')}`;
    return phone.number({ style: own ? 'national' : 'international' });
  },
  /** Of the country, unless it has none. */
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
  /** That of the records, with the country where the member is a locale. */
  language({ library, name, random }) {
    if (library.language === 'en') return random.pick(['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'ja']);
    const { language, region } = new Intl.Locale(library.language).maximize();
    return name.endsWith('locale') ? `${language}-${region}` : language;
  },
};
