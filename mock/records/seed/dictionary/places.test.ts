import { expect, test } from 'vitest';
import { ask, documentOf, serveText } from '../../../testing/serve.ts';
import { plainLetters } from './subject.ts';

const TEXT = { type: 'string' };
const NUMBER = { type: 'number' };
const point = {
  type: 'object',
  required: ['latitude', 'longitude'],
  properties: { latitude: NUMBER, longitude: NUMBER },
};
const address = {
  type: 'object',
  required: ['city', 'state', 'countryCode', 'geo'],
  properties: { city: TEXT, state: TEXT, countryCode: TEXT, geo: point },
};
const texts =
  'city cityName clinic_city region postcode country country_code timezone currency phone language iban';
const properties = {
  id: { type: 'integer' },
  ...Object.fromEntries(texts.split(' ').map((name) => [name, TEXT])),
  ...{ lat: NUMBER, lng: NUMBER, geo_lat: NUMBER, address },
};

// biome-ignore lint/suspicious/noExplicitAny: members of every type.
async function clinicsOf(locale: string): Promise<any[]> {
  const clinic = { type: 'object', required: Object.keys(properties), properties };
  const content = {
    'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Clinic' } } },
  };
  const paths = { '/clinics': { get: { responses: { 200: { description: 'All', content } } } } };
  const document = documentOf(paths, { components: { schemas: { Clinic: clinic } } });
  return (await ask(await serveText(document, { locale }), 'GET /clinics')).body;
}

interface Land {
  readonly code: string;
  readonly zones: RegExp;
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly east: number;
  readonly currency: string;
  readonly phone: RegExp;
}

const land = (
  code: string,
  zones: RegExp,
  [south, north, west, east]: [number, number, number, number],
  currency: string,
  phone: RegExp,
): Land => ({ code, zones, south, north, west, east, currency, phone });

const LANDS: Readonly<Record<string, Land>> = {
  de: land('DE', /^Europe\/Berlin$/, [47, 56, 5, 16], 'EUR', /^0/),
  'de-CH': land('CH', /^Europe\/Zurich$/, [45, 48, 5, 11], 'CHF', /\d/),
  fr: land('FR', /^Europe\/Paris$/, [41, 52, -5, 10], 'EUR', /^0\d /),
  ja: land('JP', /^Asia\/Tokyo$/, [30, 46, 128, 146], 'JPY', /^0/),
  ar: land('EG', /^Africa\/Cairo$/, [22, 32, 24, 37], 'EGP', /^\+20\d{9}$/),
  'pt-BR': land('BR', /^America\//, [-34, 6, -74, -34], 'BRL', /^\(/),
  pl: land('PL', /^Europe\/Warsaw$/, [48, 55, 14, 25], 'PLN', /^\d/),
  it: land('IT', /^Europe\/Rome$/, [36, 48, 6, 19], 'EUR', /\d/),
  sl: land('SI', /^Europe\/Ljubljana$/, [45, 47, 13, 17], 'EUR', /^\+386\d{9}$/),
  hr: land('HR', /^Europe\/Zagreb$/, [42, 47, 13, 20], 'EUR', /\d/),
  ka: land('GE', /^Asia\/Tbilisi$/, [41, 44, 40, 47], 'GEL', /\d/),
};

test.each(Object.entries(LANDS))(
  'all members of an object of %s are of one place in its country',
  async (locale, own) => {
    const clinics = await clinicsOf(locale);
    const ofCities = new Map<string, string>();
    for (const one of clinics) {
      const { city, region, address: at } = one;
      expect(one).toMatchObject({
        cityName: city,
        clinic_city: city,
        country_code: own.code,
        currency: own.currency,
      });
      expect(at).toMatchObject({ city, state: region, countryCode: own.code });
      expect([one.geo_lat, at.geo]).toEqual([one.lat, { latitude: one.lat, longitude: one.lng }]);
      expect(one.country).toBe(new Intl.DisplayNames([locale], { type: 'region' }).of(own.code));
      expect(one.language).toBe(locale.slice(0, 2));
      expect([one.timezone, one.phone]).toEqual([
        expect.stringMatching(own.zones),
        expect.stringMatching(own.phone),
      ]);
      expect(one.lat > own.south && one.lat < own.north && one.lng > own.west && one.lng < own.east).toBe(
        true,
      );
      expect(ofCities.get(city) ?? region).toBe(region);
      ofCities.set(city, region);
    }
    expect(ofCities.size).toBeGreaterThan(2);
  },
);

test('in English an account abroad has the phone, the currency and the time zone of its country', async () => {
  const clinics = await clinicsOf('en');
  const abroad = new Map(clinics.map((one) => [one.country_code, one]));
  expect(abroad.get('GB')).toMatchObject({
    currency: 'GBP',
    timezone: 'Europe/London',
    country: 'United Kingdom',
  });
  for (const [code, calling] of [
    ['GB', '+44'],
    ['AU', '+61'],
    ['US', '+1'],
  ] as const)
    expect(abroad.get(code)?.phone.startsWith(calling), code).toBe(true);
  expect(abroad.get('GB')?.iban.slice(0, 2)).toBe('GB');
});

test.each([
  ['de', 'Jürgen Größe', 'juergen groesse'],
  ['da-DK', 'Søren Åge', 'soeren aage'],
  ['sv', 'Åsa Öberg', 'asa oberg'],
  ['pl', 'Łukasz', 'lukasz'],
  ['es', 'Agüero', 'aguero'],
])('letters of %s are spelled as its people spell them in ASCII', (language, name, want) => {
  expect(plainLetters(name, language)).toBe(want);
});
