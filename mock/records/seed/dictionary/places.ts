import { localPlaces } from './local-places.ts';
import { has, own, type Subject, shared, sharedRandom, type Words } from './subject.ts';

interface Place {
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

/** City, region, ISO 3166-1 code, form of the postcode, latitude, longitude, time zone, currency. */
const CITIES: readonly string[] = [
  'Amsterdam|North Holland|NL|10## ??|52.37|4.90|Europe/Amsterdam|EUR',
  'Athens|Attica|GR|10# ##|37.98|23.73|Europe/Athens|EUR',
  'Auckland|Auckland|NZ|10##|-36.85|174.76|Pacific/Auckland|NZD',
  'Austin|Texas|US|787##|30.27|-97.74|America/Chicago|USD',
  'Barcelona|Catalonia|ES|080##|41.39|2.17|Europe/Madrid|EUR',
  'Berlin|Berlin|DE|10###|52.52|13.41|Europe/Berlin|EUR',
  'Boston|Massachusetts|US|021##|42.36|-71.06|America/New_York|USD',
  'Brussels|Brussels|BE|10##|50.85|4.35|Europe/Brussels|EUR',
  'Buenos Aires|Buenos Aires|AR|C10##|-34.60|-58.38|America/Argentina/Buenos_Aires|ARS',
  'Cape Town|Western Cape|ZA|80##|-33.92|18.42|Africa/Johannesburg|ZAR',
  'Chicago|Illinois|US|606##|41.88|-87.63|America/Chicago|USD',
  'Copenhagen|Capital Region|DK|21##|55.68|12.57|Europe/Copenhagen|DKK',
  'Denver|Colorado|US|802##|39.74|-104.99|America/Denver|USD',
  'Dublin|Leinster|IE|D0# ?#??|53.35|-6.26|Europe/Dublin|EUR',
  'Edinburgh|Scotland|GB|EH# #??|55.95|-3.19|Europe/London|GBP',
  'Geneva|Geneva|CH|12##|46.20|6.14|Europe/Zurich|CHF',
  'Hamburg|Hamburg|DE|20###|53.55|9.99|Europe/Berlin|EUR',
  'Helsinki|Uusimaa|FI|00###|60.17|24.94|Europe/Helsinki|EUR',
  'Kyoto|Kyoto|JP|60#-####|35.01|135.77|Asia/Tokyo|JPY',
  'Lisbon|Lisbon|PT|1###-###|38.72|-9.14|Europe/Lisbon|EUR',
  'London|England|GB|SW# #??|51.51|-0.13|Europe/London|GBP',
  'Lyon|Auvergne-Rhône-Alpes|FR|6900#|45.76|4.84|Europe/Paris|EUR',
  'Manchester|England|GB|M# #??|53.48|-2.24|Europe/London|GBP',
  'Melbourne|Victoria|AU|30##|-37.81|144.96|Australia/Melbourne|AUD',
  'Milan|Lombardy|IT|201##|45.46|9.19|Europe/Rome|EUR',
  'Montreal|Quebec|CA|H3B #?#|45.50|-73.57|America/Toronto|CAD',
  'Munich|Bavaria|DE|80###|48.14|11.58|Europe/Berlin|EUR',
  'Nairobi|Nairobi|KE|00###|-1.29|36.82|Africa/Nairobi|KES',
  'New York|New York|US|100##|40.71|-74.01|America/New_York|USD',
  'Oslo|Oslo|NO|01##|59.91|10.75|Europe/Oslo|NOK',
  'Paris|Île-de-France|FR|750##|48.86|2.35|Europe/Paris|EUR',
  'Portland|Oregon|US|972##|45.52|-122.68|America/Los_Angeles|USD',
  'Prague|Prague|CZ|1## ##|50.08|14.44|Europe/Prague|CZK',
  'Rome|Lazio|IT|001##|41.90|12.50|Europe/Rome|EUR',
  'San Francisco|California|US|941##|37.77|-122.42|America/Los_Angeles|USD',
  'Seattle|Washington|US|981##|47.61|-122.33|America/Los_Angeles|USD',
  'Seoul|Seoul|KR|04###|37.57|126.98|Asia/Seoul|KRW',
  'Singapore|Singapore|SG|0#####|1.35|103.82|Asia/Singapore|SGD',
  'Stockholm|Stockholm|SE|1## ##|59.33|18.07|Europe/Stockholm|SEK',
  'Sydney|New South Wales|AU|20##|-33.87|151.21|Australia/Sydney|AUD',
  'Toronto|Ontario|CA|M5V #?#|43.65|-79.38|America/Toronto|CAD',
  'Utrecht|Utrecht|NL|35## ??|52.09|5.12|Europe/Amsterdam|EUR',
  'Vancouver|British Columbia|CA|V6B #?#|49.28|-123.12|America/Vancouver|CAD',
  'Vienna|Vienna|AT|10#0|48.21|16.37|Europe/Vienna|EUR',
  'Warsaw|Masovia|PL|00-###|52.23|21.01|Europe/Warsaw|PLN',
  'Zurich|Zurich|CH|80##|47.37|8.54|Europe/Zurich|CHF',
];

function citiesOf(language: string): readonly string[] {
  if (language === 'en') return CITIES;
  const { region } = new Intl.Locale(language);
  const those = region ? CITIES.filter((row) => row.includes(`|${region}|`)) : [];
  return localPlaces(language)?.cities ?? (those.length > 0 ? those : CITIES);
}

/** The place that an object is about: city, postcode and country belong together. */
export function placeOf(subject: Subject): Place {
  const random = sharedRandom(subject, 'place');
  const row = random.pick(citiesOf(subject.library.language)).split('|');
  const [city = '', region = '', code = '', form = '', latitude, longitude, timeZone = '', currency = ''] =
    row;
  const postcode = form.replace(/[#?]/g, (sign) =>
    sign === '#' ? String(random.integer(1, 9)) : random.pick([...'ABDEFGHJLNPQRSTUWXYZ']),
  );
  const near = () => (random.next() - 0.5) / 10;
  const known = {
    ...{ city, region, code, postcode, timeZone, currency },
    ...{ latitude: degrees(Number(latitude) + near()), longitude: degrees(Number(longitude) + near()) },
  };
  return { ...known, country: countryName(code, subject.library.language) };
}

function countryName(code: string, language: string): string {
  return new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? code;
}

const degrees = (value: number) => Math.round(value * 1e4) / 1e4;

/** A code where the schema has no room for a name. */
function country(subject: Subject): string {
  const { country: name, code } = placeOf(subject);
  const isShort = subject.shape.examples.some((one) => /^[A-Z]{2}$/.test(String(one)));
  return isShort || (subject.shape.lowest('maxLength') ?? 99) <= 3 ? code : name;
}

function streetAddress(subject: Subject): string {
  const { location } = shared(subject, 'street');
  if (subject.library.language === 'pt-BR')
    return `${location.street()}, ${own(subject).number.int({ min: 1, max: 2400 })}`;
  return location.streetAddress();
}

const LARGEST_FIRST: ReadonlySet<string> = new Set(['ja', 'zh']);

export const PLACES: Words = {
  'street(?:_?(?:name|address|line))?(?:_?1)?|address(?:_?line)?_?1|line_?1': streetAddress,
  '(?:address_?)?line_?2|street_?2|address_?2|apartment|suite|unit_number': (subject) =>
    own(subject).location.secondaryAddress(),
  '(?:house|building|street)_?(?:number|no)': (subject) => own(subject).location.buildingNumber(),
  'address|full_address|formatted_address|postal_address|street_address': (subject) => {
    if (has(subject, /(?:^|_)city$/)) return streetAddress(subject);
    const { city, region, postcode } = placeOf(subject);
    const [language = ''] = subject.library.language.split('-');
    if (LARGEST_FIRST.has(language))
      return `${postcode} ${[...new Set([region, city])].join('')}${streetAddress(subject)}`;
    return `${streetAddress(subject)}, ${postcode} ${city}`;
  },
  'zip(?:_?code)?|post(?:al)?_?code|post_?code|zip_postal': (subject) => placeOf(subject).postcode,
  '(?:city|town|locality|municipality)(?:_?name)?|birth_?place|place_of_birth|hometown': (subject) =>
    placeOf(subject).city,
  'country_?(?:code|iso\\d?)|iso_country|nationality_code': (subject) => placeOf(subject).code,
  'country(?:_?name)?|nationality': country,
  'state_(?:name|province)|province|region(?:_?name)?|administrative_area|county|district': (subject) =>
    placeOf(subject).region,
  'time_?zone|tz': (subject) => placeOf(subject).timeZone,
  'currency(?:_?(?:code|iso))?': (subject) => {
    // Most services have one; of an account abroad it is that of the country.
    const isOne = subject.library.language === 'en' && !has(subject, /(?:^|_)(?:country|iban)/);
    const currency = isOne ? 'USD' : placeOf(subject).currency;
    return subject.shape.examples.some((one) => /^[a-z]{3}$/.test(String(one)))
      ? currency.toLowerCase()
      : currency;
  },
  '(?:location|venue|destination|origin|departure|arrival|place|area|neighbou?rhood)(?:_?name)?': (subject) =>
    placeOf(subject.name === 'location' ? subject : { ...subject, qualifier: subject.name }).city,
  'lat_?(?:lng|lon)|coordinates|geo(?:_?location)?': (subject) => {
    const { latitude, longitude } = placeOf(subject);
    return `${latitude},${longitude}`;
  },
};

export const COORDINATES: Words = {
  'lat(?:itude)?': (subject) => placeOf(subject).latitude,
  'lon(?:g|gitude)?|lng': (subject) => placeOf(subject).longitude,
};
