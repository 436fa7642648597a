import { has, isEnglish, plainLetters, plainNoun, type Subject, shared, sharedRandom } from './subject.ts';

export interface Person {
  readonly sex: 'female' | 'male';
  readonly first: string;
  readonly last: string;
}

/** Names as real data has them and clients fail on, by kind. */
const DIFFICULT: readonly (readonly string[])[] = [
  ["D'Artagnan", "Ma'alin"],
  ['Zoë', 'Łukasz', 'Nguyễn Thị Ánh', 'Ŋũgĩ', 'Ağaoğlu'],
  ['Ελένη', 'Дмитрий', 'Անահիտ', 'नेहा', 'ใบเตย'],
  ['さくら', '小花', '하늘'],
  ['שָׂרָה', 'محمد الأمين'],
  ['O’Malley', 'Momo 🐾', 'Tom & "Jerry"', '<b>Bo</b>', 'Wolfeschlegelsteinhausenbergerdorff'],
];
const SHARE = 0.12;

/** One name in eight is one that clients fail on; other languages have letters enough for that. */
export function difficultName(of: Pick<Subject, 'owner' | 'qualifier' | 'library'>): string | undefined {
  if (!isEnglish(of)) return undefined;
  const random = sharedRandom(of, 'difficult');
  return random.next() < SHARE ? random.pick(random.pick(DIFFICULT)) : undefined;
}

/** The person that an object is about, the same for each of its members. */
export function personOf(subject: Subject): Person {
  const faker = shared(subject, 'person');
  const sex = faker.datatype.boolean() ? 'female' : 'male';
  const [first, last] = [faker.person.firstName(sex), faker.person.lastName(sex)];
  return { sex, first: difficultName(subject) ?? first, last };
}

/** Scripts that faker does not spell in ASCII. */
const UNSPELLED =
  /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Deva}\p{sc=Beng}\p{sc=Taml}\p{sc=Thaa}]/u;

export function userName(subject: Subject): string {
  const { first, last } = personOf(subject);
  const [firstName = '', lastName = ''] = [first, last].map((name) =>
    plainLetters(name).replace(/[^\p{L}\p{N}]/gu, ''),
  );
  const random = sharedRandom(subject, 'user name');
  if (UNSPELLED.test(firstName)) return plainNoun(random) + random.integer(10, 99);
  return subject.library.from(random).internet.username({ firstName, lastName }).toLowerCase();
}

const FAMILY_FIRST: ReadonlySet<string> = new Set(['hu', 'ja', 'ko', 'vi', 'zh']);

export function fullName(subject: Subject): string {
  const { first, last } = personOf(subject);
  const [language = ''] = subject.library.language.split('-');
  const isJoined = language === 'ko' || language === 'zh';
  return (FAMILY_FIRST.has(language) ? [last, first] : [first, last]).join(isJoined ? '' : ' ');
}

/** Whether a text has Latin letters and others: then it is of no language. */
export const isMixed = (text: string) =>
  /\p{Script=Latin}/u.test(text) && /(?!\p{Script=Latin})\p{L}/u.test(text);

export interface Place {
  readonly city: string;
  readonly region: string;
  readonly country: string;
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  readonly postcode: string;
  /** In degrees (WGS 84). */
  readonly latitude: number;
  readonly longitude: number;
  readonly timeZone: string;
  /** ISO 4217. */
  readonly currency: string;
}

/** City, region, ISO 3166-1 code, form of the postcode, latitude, longitude, time zone: of faker they would not agree. */
const CITIES = `
Amsterdam|North Holland|NL|10## ??|52.37|4.90|Europe/Amsterdam
Austin|Texas|US|787##|30.27|-97.74|America/Chicago
Barcelona|Catalonia|ES|080##|41.39|2.17|Europe/Madrid
Berlin|Berlin|DE|10###|52.52|13.41|Europe/Berlin
Boston|Massachusetts|US|021##|42.36|-71.06|America/New_York
Chicago|Illinois|US|606##|41.88|-87.63|America/Chicago
Copenhagen|Capital Region|DK|21##|55.68|12.57|Europe/Copenhagen
Denver|Colorado|US|802##|39.74|-104.99|America/Denver
Dublin|Leinster|IE|D0# ?#??|53.35|-6.26|Europe/Dublin
Edinburgh|Scotland|GB|EH# #??|55.95|-3.19|Europe/London
Kyoto|Kyoto|JP|60#-####|35.01|135.77|Asia/Tokyo
Lisbon|Lisbon|PT|1###-###|38.72|-9.14|Europe/Lisbon
London|England|GB|SW# #??|51.51|-0.13|Europe/London
Lyon|Auvergne-Rhône-Alpes|FR|6900#|45.76|4.84|Europe/Paris
Manchester|England|GB|M# #??|53.48|-2.24|Europe/London
Melbourne|Victoria|AU|30##|-37.81|144.96|Australia/Melbourne
Milan|Lombardy|IT|201##|45.46|9.19|Europe/Rome
Nairobi|Nairobi|KE|00###|-1.29|36.82|Africa/Nairobi
New York|New York|US|100##|40.71|-74.01|America/New_York
Oslo|Oslo|NO|01##|59.91|10.75|Europe/Oslo
Portland|Oregon|US|972##|45.52|-122.68|America/Los_Angeles
Prague|Prague|CZ|1## ##|50.08|14.44|Europe/Prague
San Francisco|California|US|941##|37.77|-122.42|America/Los_Angeles
Stockholm|Stockholm|SE|1## ##|59.33|18.07|Europe/Stockholm
Sydney|New South Wales|AU|20##|-33.87|151.21|Australia/Sydney
Toronto|Ontario|CA|M5V #?#|43.65|-79.38|America/Toronto
Vienna|Vienna|AT|10#0|48.21|16.37|Europe/Vienna
Zurich|Zurich|CH|80##|47.37|8.54|Europe/Zurich
`
  .trim()
  .split('\n')
  .map((row) => row.split('|'));

/** Of countries that do not pay in euros. */
const CURRENCIES = `AM AMD AR ARS AU AUD AZ AZN BD BDT BR BRL CA CAD CH CHF CN CNY CZ CZK DK DKK EG EGP GB GBP GE GEL GH GHS
HK HKD HU HUF ID IDR IL ILS IN INR IQ IQD IR IRR JP JPY KE KES KR KRW MD MDL MK MKD MN MNT MV MVR MX MXN NG NGN NO NOK
NP NPR PK PKR PL PLN RO RON RS RSD RU RUB SE SEK SN XOF TH THB TR TRY TW TWD UA UAH US USD UZ UZS VN VND ZA ZAR`;
const currencyOf = (code: string) => new RegExp(`\\b${code} ([A-Z]{3})`).exec(CURRENCIES)?.[1] ?? 'EUR';

/** The place that an object is about: city, postcode and country belong together. */
export function placeOf(subject: Subject): Place {
  const random = sharedRandom(subject, 'place');
  const { location, definitions } = subject.library.from(random);
  const { language, region: ofLanguage = '' } = new Intl.Locale(subject.library.language);
  const { region: likely = '' } = new Intl.Locale(subject.library.language).maximize();
  const rows = CITIES.filter(([, , country]) => ofLanguage === '' || ofLanguage === country);
  const near = () => (random.next() - 0.5) / 10;
  if (language === 'en' && rows.length > 0) {
    const [city = '', region = '', code = '', form = '', latitude, longitude, timeZone = ''] =
      random.pick(rows);
    return {
      ...{ city, region, code, country: countryName(code, language), currency: currencyOf(code), timeZone },
      postcode: form.replace(/[#?]/g, (sign) =>
        sign === '#' ? `${random.integer(1, 9)}` : random.pick([...'ABEHLRTX']),
      ),
      ...{ latitude: degrees(Number(latitude) + near()), longitude: degrees(Number(longitude) + near()) },
    };
  }
  const { city_name: names, city_pattern: patterns } = definitions.location;
  // Where faker knows real ones it mixes them with made-up ones.
  const city = patterns.includes('{{location.city_name}}') ? random.pick(names) : location.city();
  const state = location.state();
  return {
    ...{ city, region: isMixed(city + state) ? city : state, code: likely, currency: currencyOf(likely) },
    country: countryName(likely, subject.library.language),
    postcode: location.zipCode(),
    ...{ latitude: location.latitude(), longitude: location.longitude() },
    timeZone: timeZoneOf(likely) ?? location.timeZone(),
  };
}

const countryName = (code: string, language: string) =>
  new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? code;

const degrees = (value: number) => Math.round(value * 1e4) / 1e4;

/** The first of a country; not every browser knows them. */
function timeZoneOf(country: string): string | undefined {
  const locale = new Intl.Locale(`und-${country}`) as { getTimeZones?: () => readonly string[] };
  return locale.getTimeZones?.()[0];
}

/** A code where the schema has no room for a name. */
export function countryOf(subject: Subject): string {
  const { country, code } = placeOf(subject);
  const isShort = subject.shape.examples.some((one) => /^[A-Z]{2}$/.test(String(one)));
  return isShort || (subject.shape.lowest('maxLength') ?? 99) <= 3 ? code : country;
}

export function currencyIn(subject: Subject): string {
  // Most services have one; of an account abroad it is that of the country.
  const isOne = subject.library.language === 'en' && !has(subject, 'country', 'country_code', 'iban');
  const currency = isOne ? 'USD' : placeOf(subject).currency;
  const isSmall = subject.shape.examples.some((one) => /^[a-z]{3}$/.test(String(one)));
  return isSmall ? currency.toLowerCase() : currency;
}

export function addressOf(subject: Subject): string {
  const street = shared(subject, 'street').location.streetAddress();
  if (has(subject, 'city')) return street;
  const { city, postcode } = placeOf(subject);
  return /^(?:ja|zh)/.test(subject.library.language)
    ? `${postcode} ${city}${street}`
    : `${street}, ${postcode} ${city}`;
}
