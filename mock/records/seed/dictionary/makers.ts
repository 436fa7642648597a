import type { Random } from '#spec';
import { pictureAddress } from '../../../pictures/picture.ts';
import { methodOf } from '../faker-method.ts';
import { lookUp, OF_MEMBERS, OF_TEXTS, OF_THINGS, sentencesOf } from './look-up.ts';
import * as is from './people.ts';
import { addressOf, countryOf, currencyOf, type Place, phoneOf, placeOf } from './places.ts';
import {
  ADJECTIVES,
  has,
  isEnglish,
  isMixed,
  plainNoun,
  plainWords,
  type Subject,
  shared,
  sharedRandom,
  slugOf,
  titleOf,
} from './subject.ts';

/** What a row of the table says by a name after `@`. */
const VALUES: Readonly<Record<string, (subject: Subject, random: Random) => unknown>> = {
  fullName: is.fullName,
  /** Of a member that is called after what the person did. */
  person: (subject) => is.fullName(aboutName(subject)),
  userName: is.userName,
  email: (subject) => `${is.userName(subject)}@example.com`,
  initials(subject) {
    const { first, last } = is.personOf(subject);
    return `${[...first][0]}${[...last][0]}`.toUpperCase();
  },
  phone: phoneOf,
  jobTitle(subject) {
    const { person } = shared(subject, 'job');
    const title = person.jobTitle();
    return isMixed(title) ? person.jobType() : title;
  },
  street: (subject) => shared(subject, 'street').location.streetAddress(),
  address: addressOf,
  country: countryOf,
  currency: currencyOf,
  /** Of the country, which has none of its own everywhere. */
  iban(subject, random) {
    const { finance } = subject.library.from(random);
    const code = has(subject, 'country', 'country_code') || !isEnglish(subject) ? placeOf(subject).code : '';
    try {
      return subject.library.from(random).finance.iban({ countryCode: code });
    } catch {
      return finance.iban();
    }
  },
  /** That of the records, with the country where the member is a locale. */
  language(subject, random) {
    const { language } = subject.library;
    if (language === 'en') return random.pick(['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'ja']);
    const { language: own, region } = new Intl.Locale(language).maximize();
    return subject.name.endsWith('locale') ? `${own}-${region}` : own;
  },
  currencySymbol(subject) {
    const style = {
      style: 'currency',
      currency: currencyOf(subject),
      currencyDisplay: 'narrowSymbol',
    } as const;
    const parts = new Intl.NumberFormat(subject.library.language, style).formatToParts(0);
    return parts.find(({ type }) => type === 'currency')?.value;
  },
  coordinates: (subject) => `${placeOf(subject).latitude},${placeOf(subject).longitude}`,
  location: (subject) => placeOf(subject).city,
  /** Another place than that of the object. */
  elsewhere: (subject) => placeOf(aboutName(subject)).city,
  state: (subject, random) =>
    has(subject, 'city', 'zip', 'postcode', 'postal_code', 'street', 'country')
      ? placeOf(subject).region
      : random.pick(['active', 'active', 'pending', 'done']),
  kind: (subject) => nameOfThing({ ...subject, around: subject.entity, entity: subject.name }),
  entity: ({ entity }) => entity || undefined,
  word: (_, random) => plainNoun(random),
  petName: (subject, random) => is.difficultName(subject) ?? subject.library.from(random).animal.petName(),
  companyName({ library }, random) {
    const { company, person } = library.from(random);
    const name = company.name();
    return isMixed(name) ? person.lastName() : name;
  },
  goods: (subject) => goodsOf(subject).name,
  /** Of the goods that have it. */
  category({ name, holder, owner }) {
    const isMember = lookUp(name, OF_THINGS)?.what === '@category';
    return goodsOf({ owner: isMember ? holder : (holder.above ?? owner) }).category;
  },
  numbered: ({ entity }, random) =>
    `${titleOf(entity.split('_').at(-1) ?? '')} ${random.integer(1001, 9999)}`,
  /** `itemName` of a menu item says no more than `name`. */
  name: (subject) =>
    nameOfThing(
      `_${subject.entity}`.endsWith(`_${subject.qualifier}`)
        ? { ...subject, qualifier: '' }
        : ofQualifier(subject),
    ),
  slug(subject, random) {
    const isNamed = has(subject, 'title', 'name', 'headline');
    const title = nameOfThing(isNamed ? ofQualifier(subject) : { ...subject, entity: 'title' });
    return slugOf(String(title), subject.library.language) || slugOf(plainWords(random));
  },
  avatar: (subject) => pictureOf(subject, 'avatar'),
  image: (subject) =>
    pictureOf(subject, lookUp(subject.entity, OF_THINGS)?.what === '@fullName' ? 'avatar' : 'image'),
  url(subject, random) {
    const { entity, around, qualifier } = subject;
    const pictured = lookUp(qualifier, OF_MEMBERS)?.what ?? '';
    if (/^@(?:avatar|image)$/.test(pictured)) return made(pictured, subject, random);
    // Links in an object of their own are of what has them.
    const of = /(?:^|_)(?:link|url|href)s?(?:_|$)/.test(entity) ? around : entity;
    const name = nameOfThing({ ...subject, entity: of, owner: subject.holder, qualifier: '' });
    return `https://www.example.com/${slugOf(String(name), subject.library.language) || slugOf(plainWords(random))}`;
  },
  mediaType: (subject) => fileOf(subject)[0],
  extension: (subject) => fileOf(subject)[1],
  fileName,
  path: (subject) => `/${slugOf(String(nameOfThing({ ...subject, entity: 'folder' })))}/${fileName(subject)}`,
  secret: ({ library }, random) =>
    library.from(random).string.fromCharacters(UNSPOKEN + UNSPOKEN.toUpperCase(), 24),
  id({ library, shape }, random) {
    const [example] = shape.examples;
    if (typeof example === 'string' && example !== '') return likeExample(random, example);
    return library.from(random).string.fromCharacters(UNSPOKEN, 12);
  },
  /** `ORD-47112`: digits behind the first letters of what it is; of a code alone, letters. */
  code({ name, qualifier, entity, library, shape }, random) {
    const { string } = library.from(random);
    const most = shape.lowest('maxLength') ?? 99;
    if ((qualifier === '' && /^(?!sku|n|ref|serial|track|ext)/.test(name)) || most < 9)
      return string.alpha({ length: Math.min(most, 3), casing: 'upper' });
    const letters =
      slugOf((qualifier || entity).split('_')[0] ?? '')
        .slice(0, 3)
        .toUpperCase() || 'NR';
    return `${letters}-${string.numeric({ length: 5, allowLeadingZeros: false })}`;
  },
  color({ name, library, shape }, random) {
    const { color } = library.from(random);
    const isHex =
      shape.lowest('maxLength') === 7 || shape.examples.some((one) => /^#?[\da-f]{3,8}$/i.test(`${one}`));
    return isHex || /hex|code/.test(name) ? color.rgb({ format: 'hex' }) : color.human();
  },
  prose: (subject, random) => made(proseOf(subject), subject, random),
  /** The content of a post is long. */
  text: (subject, random) =>
    lookUp(subject.entity, OF_THINGS)?.what === OF_THINGS.get('post')
      ? sentences('description', subject, random, 6)
      : made(proseOf(subject), subject, random),
  /** In whole cents where the schema has no fractions. Prices like to end in 9. */
  price(subject) {
    const random = sharedRandom(subject, 'price');
    const whole = 1 + Math.floor(199 * random.next() ** 2);
    const cents = random.pick([0, 49, 90, 95, 99]);
    const currency = isEnglish(subject) ? 'USD' : currencyOf(subject);
    const { maximumFractionDigits } = new Intl.NumberFormat('en', {
      style: 'currency',
      currency,
    }).resolvedOptions();
    if (maximumFractionDigits === 0) return whole * 100;
    return subject.shape.mainType === 'integer' ? whole * 100 + cents : Math.round(whole * 100 + cents) / 100;
  },
  /** Of one, or of a hundred where the schema says so, or nothing. */
  share({ shape }, random) {
    const most = Math.min(Number(shape.range.high?.value ?? 100), 100);
    return rounded(random.next() * most, shape.mainType === 'integer' ? 0 : most <= 1 ? 2 : 1);
  },
  /** Where most customers are content. */
  rating({ shape }, random) {
    const [least, most] = [Number(shape.range.low?.value ?? 1), Number(shape.range.high?.value ?? 5)];
    return rounded(most - (most - least) * random.next() ** 2, shape.mainType === 'integer' ? 0 : 1);
  },
  year: ({ library }, random) => new Date(library.now).getUTCFullYear() - random.integer(0, 25),
  duration: ({ name }, random) =>
    (/(?:^|_)m(?:illi)?s(?:ec)?/.test(name) ? 1000 : 1) * random.integer(1, 24) * 5,
  pixels: (subject, random) =>
    IS_PICTURE.test(`${subject.entity}_${subject.owner.name}_${subject.name}`.toLowerCase())
      ? pixelsOf(subject, subject.name)
      : random.integer(10, 200),
};

const IS_PICTURE = /image|photo|picture|avatar|video|media|thumbnail|cover|screen|banner|logo/;

/** Without vowels nothing is spelled. */
const UNSPOKEN = 'bcdfghjklmnpqrstvwxz0123456789';

const listOf = (texts: string): readonly string[] => texts.split('|');
const rounded = (value: number, places: number) => Math.round(value * 10 ** places) / 10 ** places;

/** The subject of a member that is called after what it is: not the person or place of the object itself. */
const aboutName = (subject: Subject): Subject => ({ ...subject, qualifier: subject.name });

/** The thing that `product` of `product_name` says. */
const ofQualifier = (subject: Subject): Subject =>
  subject.qualifier === '' ? subject : { ...subject, around: subject.entity, entity: subject.qualifier };

/** By category: of faker they would be a wooden fish. */
const GOODS = `Kitchen: Cast-Iron Pan|Ceramic Mug|Copper Kettle|Coffee Grinder|Steel Bottle
Clothing: Cotton T-Shirt|Denim Jacket|Felt Slippers|Linen Shirt|Rain Boots|Silk Scarf
Furniture: Bamboo Chair|Bookshelf|Oak Table|Walnut Desk
Decoration: Brass Candlestick|Glass Vase|Marble Tray|Wooden Clock|Wool Blanket
Lighting: Desk Lamp|Floor Lamp|Paper Lamp
Travel: Canvas Backpack|Leather Wallet|Picnic Blanket`
  .split('\n')
  .map((row) => row.split(': '));
const STYLES = listOf(
  'Classic|Compact|Everyday|Foldable|Handmade|Large|Light|Modern|Nordic|Small|Striped|Vintage',
);

/** The category of goods is that of their name. */
function goodsOf({ owner }: Pick<Subject, 'owner'>) {
  const random = sharedRandom({ owner, qualifier: '' }, 'goods');
  const [category = '', names = ''] = random.pick(GOODS);
  return { category, name: `${random.pick(STYLES)} ${random.pick(listOf(names))}` };
}

/** What a thing of this kind is called; a kind that is not known gives `Silver quarry`. */
export function nameOfThing(subject: Subject): unknown {
  const { entity, around } = subject;
  const random = sharedRandom(subject, 'thing');
  const known = lookUp(around === '' ? entity : `${around}_${entity}`, OF_THINGS);
  if (known) {
    const name = made(known.what, subject, random);
    // A method of faker gives `mulberries`.
    return METHOD.test(known.what) ? titleOf(String(name)) : name;
  }
  const noun = entity.split('_').at(-1) ?? '';
  return noun.length < 3 ? goodsOf(subject).name : `${random.pick(ADJECTIVES)} ${noun}`;
}

/** Whether it is known what things of this kind are called. */
export const isThing = (entity: string): boolean => lookUp(entity, OF_THINGS) !== undefined;

const proseOf = ({ entity, name }: Subject) => lookUp(`${entity}_${name}`, OF_TEXTS)?.what ?? '';

/** Media types and the extensions of their files, pictures first. */
const FILES = listOf(
  'image/png png|image/jpeg jpg|application/pdf pdf|text/csv csv|text/plain txt|application/zip zip',
);

function fileOf(subject: Subject): readonly string[] {
  const isPicture = IS_PICTURE.test(`${subject.entity}_${subject.name}`);
  const random = sharedRandom({ ...subject, qualifier: '' }, 'file');
  return random.pick(isPicture ? FILES.slice(0, 2) : FILES).split(' ');
}

/** `office-move.pdf`, or a picture of the thing; its extension is that of a media type beside it. */
function fileName(subject: Subject): string {
  const isOfThing = IS_PICTURE.test(subject.name) && lookUp(subject.entity, OF_THINGS)?.what !== '@fileName';
  const of = { ...subject, around: '', ...(isOfThing ? { qualifier: '' } : { entity: 'project' }) };
  return `${slugOf(String(nameOfThing(of)), subject.library.language)}.${fileOf(subject)[1]}`;
}

/** A picture, of the size that the object says. */
function pictureOf(subject: Subject, kind: 'avatar' | 'image'): string {
  const { holder, entity, qualifier } = subject;
  const about = { ...subject, owner: holder, qualifier: '' };
  const isSized = ['width', 'height'].every((name) => holder.shape.properties.has(name));
  return pictureAddress({
    kind,
    key: [...subject.owner.seed, entity, qualifier, kind].join(),
    ...(kind === 'avatar' && { label: is.fullName(about) }),
    ...(isSized && { width: pixelsOf(about, 'width'), height: pixelsOf(about, 'height') }),
  });
}

/** Width and height of a picture, which belong together. */
function pixelsOf(subject: Subject, name: string): number {
  const random = sharedRandom({ ...subject, qualifier: '' }, 'size');
  const [width, height] = random.pick(['640x480', '800x600', '1200x800', '1280x720', '600x600']).split('x');
  return Number(name.endsWith('width') ? width : height);
}

/** Another text of the same form: `cus_9s8f7` for `cus_1a2b3`. */
export function likeExample(random: Random, example: string): string {
  const [prefix = ''] = /^[A-Za-z]+[_:-]/.exec(example) ?? [];
  const rest = example.slice(prefix.length).replace(/[a-z\d]/g, (letter) => {
    if (/\d/.test(letter)) return String(random.integer(0, 9));
    return /\d/.test(example) ? random.pick([...UNSPOKEN.slice(0, 20)]) : letter;
  });
  return prefix + rest;
}

const METHOD = /^([a-z]+\.[a-zA-Z0-9]+)(?: (\{.*\}))?$/;
const RANGE = /^(-?[\d.]+?)\.\.([\d.]+?)(?:\/(\d))?(?:\*(\d+))?(~)?$/;

/** The value that a row of the table describes. */
export function made(what: string, subject: Subject, random: Random): unknown {
  if (what.startsWith('@person.')) return is.personOf(subject)[what.slice(8) as keyof is.Person];
  if (what.startsWith('@place.')) return placeOf(subject)[what.slice(7) as keyof Place];
  if (what.startsWith('@')) return VALUES[what.slice(1)]?.(subject, random);
  const isWhole = subject.shape.mainType === 'integer';
  const [, least, most, places, factor = 1, isSmall] = RANGE.exec(what) ?? [];
  if (least !== undefined) {
    const [share, span] = [random.next() ** (isSmall ? 2 : 1), Number(most) - Number(least)];
    // With a fraction where the schema has room for one.
    return places === undefined
      ? (Number(least) + Math.floor((span + 1) * share)) * Number(factor)
      : rounded(Number(least) + span * share, isWhole ? 0 : Number(places));
  }
  const faker = subject.library.from(random);
  const [, method, argument] = METHOD.exec(what) ?? [];
  if (method !== undefined)
    return methodOf(faker, method)?.(...(argument === undefined ? [] : [JSON.parse(argument)]));
  if (what.startsWith('~')) return sentences(what.slice(1), subject, random, 1);
  const text = filled(random.pick(listOf(what)), subject, random);
  if (subject.shape.mainType !== 'string' && /^\d+$/.test(text)) return Number(text);
  return text.includes('{{') ? faker.helpers.fake(text) : text;
}

function filled(text: string, subject: Subject, random: Random): string {
  return text
    .replace('{city}', () => placeOf(subject).city)
    .replace(/#/g, () => String(random.integer(1, 9)))
    .replace(/\?(?=[?\d])/g, () => random.pick([...'ABCDEFGHJKLMNPQRSTUVWXYZ']));
}

/** Different ones of a kind. Titles have no full stop. */
function sentences(kind: string, subject: Subject, random: Random, count: number): string {
  const { library } = subject;
  const { language } = new Intl.Locale(library.language);
  const texts = sentencesOf(language, kind);
  if (texts.length === 0) {
    const text = library.from(random).lorem.sentences(count);
    return kind === 'title' || kind === 'reason' ? text.replace(/[.。]$/, '') : text;
  }
  const from = random.integer(0, texts.length - 1);
  const chosen = Array.from({ length: count }, (_, at) => texts[(from + at) % texts.length] ?? '');
  return filled(chosen.join(' '), subject, random);
}
