import { describe, expect, test } from 'vitest';
import { ask, serve, serveText } from '../../testing/serve.ts';
import { findLocale, languageOf } from './locale.ts';

const MEMBERS = ['fullName', 'email', 'username', 'city', 'postcode', 'country', 'countryCode', 'currency'];
const TEXTS = ['phone', 'address', 'jobTitle', 'bio', 'description', 'company'];

const names = [...MEMBERS, ...TEXTS];
const person = {
  type: 'object',
  required: ['id', ...names],
  properties: Object.fromEntries([
    ['id', { type: 'integer' }],
    ...names.map((name) => [name, { type: 'string' }]),
  ]),
};
const people = { schema: { type: 'array', items: { $ref: '#/components/schemas/Person' } } };

const documentWith = (info: object) => ({
  openapi: '3.1.0',
  info: { title: 'People', version: '1', ...info },
  paths: {
    '/people': {
      get: { responses: { 200: { description: 'All', content: { 'application/json': people } } } },
    },
  },
  components: { schemas: { Person: person } },
});

const peopleOf = async (locale?: string, info = {}) =>
  (await ask(await serveText(documentWith(info), { locale }), 'GET /people')).body as Record<
    string,
    string
  >[];

const ASCII_ADDRESS = /^[a-z0-9._]+@example\.com$/;
const USER = /^[a-z0-9._]+$/;
const [LATIN, JAPANESE, ARABIC] = [
  /^[\p{Script=Latin} .'’-]+$/u,
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}々ー ]+$/u,
  /^[\p{Script=Arabic}\p{M} ]+$/u,
];

const TABLE: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  de: {
    ...{
      fullName: LATIN,
      city: /^[\p{Script=Latin} .()-]+$/u,
      postcode: /^\d{5}$/,
      country: /^Deutschland$/,
      countryCode: /^DE$/,
    },
    ...{ currency: /^EUR$/, phone: /^0[\d ]+$/, address: /^\P{N}+ \d+ ?[a-z]?$/u },
    description: / (?:und|eine|am|von|man|die) /,
  },
  'de-AT': { country: /^Österreich$/, postcode: /^\d{4}$/, currency: /^EUR$/, phone: /^0[\d ]+$/ },
  fr: {
    fullName: LATIN,
    postcode: /^\d{5}$/,
    country: /^France$/,
    currency: /^EUR$/,
    phone: /^0\d(?: \d\d){4}$/,
  },
  ja: {
    ...{
      fullName: JAPANESE,
      city: JAPANESE,
      postcode: /^\d{3}-\d{4}$/,
      country: /^日本$/,
      currency: /^JPY$/,
    },
    ...{ phone: /^0[\d-]+$/, address: /丁目\d+番\d+号$/ },
  },
  'pt-BR': { fullName: LATIN, postcode: /^\d{5}-\d{3}$/, country: /^Brasil$/, currency: /^BRL$/ },
  ar: { fullName: ARABIC, city: ARABIC, country: /^مصر$/, currency: /^EGP$/, jobTitle: ARABIC },
  ko: {
    fullName: /^\p{Script=Hangul}+$/u,
    username: /^[a-z]+\d\d$/,
    country: /^대한민국$/,
    currency: /^KRW$/,
  },
  zh: { description: /^[\p{Script=Han}，。]+$/u },
  ka: { username: /^[a-z]+\d\d$/ },
  ur: { username: /^[a-z._]+\d{0,2}$/ },
  eo: { country: /^(?!mondo)/, city: LATIN },
  ru: { fullName: /^[\p{Script=Cyrillic} -]+$/u, country: /^Россия$/, currency: /^RUB$/ },
  'en-GB': { country: /^United Kingdom$/, currency: /^GBP$/, phone: /^[\d ]+$/ },
};

test.each(Object.entries(TABLE))(
  'records of %s are of its language and country',
  async (locale, patterns) => {
    const people = await peopleOf(locale);
    expect(people).toHaveLength(50);
    for (const person of people)
      for (const [member, pattern] of Object.entries({ email: ASCII_ADDRESS, username: USER, ...patterns }))
        expect(person[member], member).toMatch(pattern);
  },
);

test('the same seed and locale give the same bytes', async () => {
  expect(await peopleOf('fr')).toEqual(await peopleOf('FR'));
});

describe('x-locale of the document', () => {
  test('counts where no option says another', async () => {
    expect(await peopleOf(undefined, { 'x-locale': 'de-DE' })).toEqual(await peopleOf('de'));
    expect(await peopleOf('fr', { 'x-locale': 'de' })).toEqual(await peopleOf('fr'));
  });

  test('which is not there leaves English, with a notice', async () => {
    const notices: string[] = [];
    const mock = await serveText(documentWith({ 'x-locale': 'tlh' }), {
      notice: (text) => notices.push(text),
    });
    expect((await ask(mock, 'GET /people')).body).toEqual(await peopleOf());
    expect(notices.join()).toMatch(
      /^x-locale "tlh" is not there, so records are in English; there are af_ZA, /,
    );
  });
});

test('an option that names no language says which were perhaps meant', async () => {
  await expect(serve('unused.yaml', { locale: 'German' })).rejects.toThrow(
    /^option locale must be a language, perhaps de; there are af_ZA, ar, .*, not "German"$/,
  );
});

test.each([
  ...[
    ['de', 'de'],
    ['DE', 'de'],
    ['de-DE', 'de'],
    ['de_at', 'de_AT'],
    ['pt_BR', 'pt_BR'],
    ['pt', 'pt_BR'],
  ],
  ...[
    ['pt-PT', 'pt_PT'],
    ['zh', 'zh_CN'],
    ['zh-Hant', 'zh_TW'],
    ['nb', 'nb_NO'],
    ['es-AR', 'es'],
    ['sr', 'sr_RS_latin'],
  ],
  ...[
    ['en-US', 'en_US'],
    ['tlh', undefined],
    ['', undefined],
    ['../en', undefined],
    ['base', undefined],
  ],
] as const)('%j is %s of faker', (given, want) => {
  expect(findLocale(given)).toBe(want);
});

test.each([
  ['de', 'de'],
  ['pt_BR', 'pt-BR'],
  ['sr_RS_latin', 'sr-Latn-RS'],
  ['ku_ckb', 'ckb'],
])('%s is %s', (locale, want) => {
  expect(languageOf(locale)).toBe(want);
});
