import { pictureAddress } from '../../../pictures/picture.ts';
import { methodOf } from '../faker-method.ts';
import { lookUp, lookUpNumber, OF_MEMBERS, OF_THINGS, shareOf } from './look-up.ts';
import { difficultName, fullName, type Person, personOf, userName } from './people.ts';
import { currencyOf, OF_PLACES, type Place, placeOf } from './places.ts';
import { sentence } from './sentences.ts';
import { likeExample, nounShown, pathShown, shownBy, UNSPOKEN } from './shown.ts';
import {
  aboutName,
  fakerOf,
  has,
  isEnglish,
  isMixed,
  type Make,
  plainNoun,
  plainWords,
  type Subject,
  setOf,
  sharedRandom,
  slugOf,
  titleOf,
} from './subject.ts';
import { timeOf } from './times.ts';

/** The values that rows of the table name after `@`. */
const VALUES: Readonly<Record<string, Make>> = {
  ...OF_PLACES,
  fullName,
  userName,
  /** The person in a member named after what they did, such as `created_by`; not the object's own person. */
  person: (subject) => fullName(aboutName(subject)),
  email: (subject) => `${userName(subject)}@example.com`,
  state: (subject) =>
    has(subject, 'city', 'zip', 'postcode', 'postal_code', 'street', 'country')
      ? placeOf(subject).region
      : subject.random.pick(['active', 'active', 'pending', 'done']),
  kind: (subject) => nameOfThing({ ...subject, around: subject.entity, entity: subject.name }),
  entity: ({ entity }) => entity || undefined,
  time: timeOf,
  flag: ({ name, random }) => random.next() < (shareOf(name) ?? 0.5),
  /** A number in the format of its example. */
  digits(subject) {
    const { shape, name } = subject;
    const isDecimal = shape.find('format')?.value === 'decimal';
    const [, places = isDecimal ? '00' : undefined] = NUMERIC.exec(String(shape.examples[0] ?? '')) ?? [];
    const number = made(lookUpNumber(name)?.what ?? '1..200/2', subject);
    return places === undefined ? String(number) : Number(number).toFixed(places.length);
  },
  /** A text with no other meaning: what the document says, else the noun and a number. */
  text(subject) {
    const { shape, random, name, entity } = subject;
    const path = pathShown(subject);
    if (path !== undefined) return path;
    const example = shownBy(subject);
    if (example !== undefined) return CODE.test(example) ? likeExample(random, example) : example;
    if (name === '' && isThing(entity)) return nameOfThing(subject);
    if (/^(?:is|has|can|should|allow)_/.test(name)) return String(random.next() < 0.5);
    const nouns = [nounShown(subject), name.replace(/_?\d+$/, ''), name.replace(/_?[^_]+$/, '')];
    for (const noun of nouns) {
      const entry = lookUp(noun, OF_MEMBERS) ?? lookUpNumber(noun) ?? lookUp(noun, OF_THINGS);
      if (!entry || entry.what === '@text' || entry.what === '@name') continue;
      const value = made(entry.what, { ...subject, name: noun, qualifier: entry.qualifier });
      return value === undefined ? undefined : String(value);
    }
    return numberedName(name || entity, shape.lowest('maxLength') ?? 99, random);
  },
  /** A bank account's name, or a login. */
  account: (subject) =>
    isSomebody(subject)
      ? fullName(subject)
      : subject.random.pick([
          'Current account',
          'Savings',
          'Joint account',
          'Holiday fund',
          'Business account',
        ]),
  /** A branch of a repository, or one of a company. */
  branch(subject) {
    const isOfCode = OF_CODE.has(subject.qualifier) || has(subject, ...OF_REPOSITORIES);
    if (!isOfCode) return nameOfThing({ ...subject, entity: 'branch', around: '', qualifier: '' });
    return subject.random.pick(['main', 'develop', 'feature/search', 'fix/login', 'release/2.1']);
  },
  petName: (subject) => difficultName(subject) ?? fakerOf(subject).animal.petName(),
  goods: (subject) => goodsOf(subject).name,
  /** The category of the goods that have it. */
  category({ name, holder, owner }) {
    const isMember = lookUp(name, OF_THINGS)?.what === '@category';
    return goodsOf({ owner: isMember ? holder : (holder.above ?? owner) }).category;
  },
  numbered: ({ entity, random }) =>
    `${titleOf(entity.split('_').at(-1) ?? '')} ${random.integer(1001, 9999)}`,
  /** `itemName` of a menu item is just its `name`. */
  name(subject) {
    const isPlain = `_${subject.entity}`.endsWith(`_${subject.qualifier}`) || OF_NAMES.has(subject.qualifier);
    return nameOfThing(isPlain ? { ...subject, qualifier: '' } : ofQualifier(subject));
  },
  slug(subject) {
    const isNamed = has(subject, 'title', 'name', 'headline');
    return slugOfThing(isNamed ? ofQualifier(subject) : { ...subject, entity: 'title' });
  },
  avatar: (subject) => pictureOf(subject, 'avatar'),
  image: (subject) =>
    pictureOf(subject, lookUp(subject.entity, OF_THINGS)?.what === '@fullName' ? 'avatar' : 'image'),
  url(subject) {
    const { entity, around, holder, qualifier } = subject;
    const pictured = lookUp(qualifier, OF_MEMBERS)?.what ?? '';
    if (/^@(?:avatar|image)$/.test(pictured)) return made(pictured, subject);
    // Links in an object of their own belong to the object around it.
    const of = /(?:^|_)(?:link|url|href)s?(?:_|$)/.test(entity) ? around : entity;
    return `https://www.example.com/${slugOfThing({ ...subject, entity: of, owner: holder, qualifier: '' })}`;
  },
  mediaType: (subject) => fileOf(subject)[0],
  extension: (subject) => fileOf(subject)[1],
  fileName,
  path: (subject) => `/${slugOfThing({ ...subject, entity: 'folder' })}/${fileName(subject)}`,
  secret: (subject) => fakerOf(subject).string.fromCharacters(UNSPOKEN + UNSPOKEN.toUpperCase(), 24),
  id(subject) {
    const [example] = subject.shape.examples;
    if (typeof example === 'string' && example !== '') return likeExample(subject.random, example);
    return fakerOf(subject).string.fromCharacters(UNSPOKEN, 12);
  },
  /** `ORD-47112`: the first letters of the noun and digits; a plain code has letters. */
  code(subject) {
    const { name, qualifier, entity, shape } = subject;
    const { string } = fakerOf(subject);
    const most = shape.lowest('maxLength') ?? 99;
    if ((qualifier === '' && /^(?!sku|n|ref|serial|track|ext)/.test(name)) || most < 9)
      return string.alpha({ length: Math.min(most, 3), casing: 'upper' });
    const letters = slugOf((qualifier || entity).split('_')[0] ?? '').slice(0, 3);
    return `${letters.toUpperCase() || 'NR'}-${string.numeric({ length: 5, allowLeadingZeros: false })}`;
  },
  color(subject) {
    const { color } = fakerOf(subject);
    const isHex =
      subject.shape.lowest('maxLength') === 7 ||
      subject.shape.examples.some((example) => /^#?[\da-f]{3,8}$/i.test(`${example}`));
    return isHex || /hex|code/.test(subject.name) ? color.rgb({ format: 'hex' }) : color.human();
  },
  /** In whole cents where the schema allows no fractions. Prices often end in 9. */
  price(subject) {
    const random = sharedRandom(subject, 'price');
    const whole = 1 + Math.floor(199 * random.next() ** 2);
    const cents = random.pick([0, 49, 90, 95, 99]);
    if (!isEnglish(subject) && digitsOf(currencyOf(subject)) === 0) return whole * 100;
    return subject.shape.mainType === 'integer' ? whole * 100 + cents : Math.round(whole * 100 + cents) / 100;
  },
  /** Most ratings are good. */
  rating({ shape, random }) {
    const [least, most] = [Number(shape.range.low?.value ?? 1), Number(shape.range.high?.value ?? 5)];
    return rounded(most - (most - least) * random.next() ** 2, shape.mainType === 'integer' ? 0 : 1);
  },
  year: ({ library, random }) => new Date(library.now).getUTCFullYear() - random.integer(0, 25),
  duration: ({ name, random }) =>
    (/(?:^|_)m(?:illi)?s(?:ec)?/.test(name) ? 1000 : 1) * random.integer(1, 24) * 5,
  pixels: (subject) =>
    IS_PICTURE.test(`${subject.entity}_${subject.owner.name}_${subject.name}`.toLowerCase())
      ? pixelsOf(subject)[subject.name.endsWith('width') ? 0 : 1]
      : subject.random.integer(10, 200),
};

const IS_PICTURE = /image|photo|picture|avatar|video|media|thumbnail|cover|screen|banner|logo/;

const digitsOf = (currency: string) =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;

const rounded = (value: number, places: number) => Math.round(value * 10 ** places) / 10 ** places;

/** Words before the branch of a repository, and members beside it. */
const OF_CODE = setOf('git default base head source target deploy preview');
const OF_REPOSITORIES = 'repo repository repo_url repository_url commit sha ref build_pack'.split(' ');

/** Words that qualify a name, not the thing with the name: `display_name`. */
const OF_NAMES = setOf(
  'display short long full sort custom common official original local preferred friendly default alternative alt screen public',
);

/** The thing that a name's qualifier is about: `product` in `product_name`. */
const ofQualifier = (subject: Subject): Subject =>
  subject.qualifier === '' ? subject : { ...subject, around: subject.entity, entity: subject.qualifier };

/** Goods by category, since faker combines words at random. */
const GOODS = Object.entries({
  Kitchen: ['Cast-Iron Pan', 'Ceramic Mug', 'Copper Kettle', 'Coffee Grinder', 'Steel Bottle'],
  Clothing: ['Cotton T-Shirt', 'Denim Jacket', 'Felt Slippers', 'Linen Shirt', 'Rain Boots', 'Silk Scarf'],
  Furniture: ['Bamboo Chair', 'Bookshelf', 'Oak Table', 'Walnut Desk'],
  Decoration: ['Brass Candlestick', 'Glass Vase', 'Marble Tray', 'Wooden Clock', 'Wool Blanket'],
  Lighting: ['Desk Lamp', 'Floor Lamp', 'Paper Lamp'],
  Travel: ['Canvas Backpack', 'Leather Wallet', 'Picnic Blanket'],
});
const STYLES =
  'Classic Compact Everyday Foldable Handmade Large Light Modern Nordic Small Striped Vintage'.split(' ');

/** The category that matches the name of the goods. */
function goodsOf({ owner }: Pick<Subject, 'owner'>) {
  const random = sharedRandom({ owner, qualifier: '' }, 'goods');
  const [category, names] = random.pick(GOODS);
  return { category, name: `${random.pick(STYLES)} ${random.pick(names)}` };
}

/** The name of a thing of this kind; for an unknown kind, for example `Northern quarry`. */
function nameOfThing(subject: Subject): unknown {
  // A service with a price is no program.
  const isSold = subject.entity === 'service' && has(subject, 'price', 'duration');
  const { around, entity } = isSold ? { ...subject, entity: 'service_item' } : subject;
  const random = sharedRandom(subject, 'thing');
  const entry = lookUp(around === '' ? entity : `${around}_${entity}`, OF_THINGS);
  if (entry) {
    const name = made(entry.what, { ...subject, random });
    // Faker returns `mulberries`, in lower case.
    return METHOD.test(entry.what) ? titleOf(String(name)) : name;
  }
  if (isSomebody(subject)) return fullName(subject);
  if (TITLES.has(subject.name.split('_').at(-1)))
    return filled(sentence('title', { ...subject, random }), subject);
  const noun = entity.split('_').at(-1) ?? '';
  return noun.length < 3 ? goodsOf(subject).name : `${random.pick(CALLED)} ${noun}`;
}

/** Names for things of any kind. */
const CALLED = (
  'Alpha Apollo Arrow Atlas Aurora Beacon Birch Bravo Cedar Central Coastal Comet Compass Coral Delta Dune Eagle Eastern ' +
  'Echo Elm Ember Falcon Gamma Granite Harvest Heron Horizon Indigo Jasper Juniper Kestrel Lakeside Lighthouse Lotus Maple ' +
  'Meridian Neptune Northern Nova Oak Omega Onyx Orion Pearl Pioneer Polar Quartz Raven Ridge Riverside Sierra Sigma ' +
  'Southern Spruce Summit Swift Titan Union Vega Vertex Western Willow Zenith Zephyr'
).split(' ');

/** Members that may hold a title, for anything. */
const TITLES = setOf('title headline heading subject caption titulo titre titel');

/** `Panel 7`: a name for things about which nothing else is known. */
function numberedName(words: string, most: number, random: Subject['random']): string {
  const title = titleOf(words) || 'No.';
  const number = random.integer(1, 60);
  return title.length + 3 > most ? plainNoun(random) : `${title} ${number}`;
}

/** A code or id with digits, of which others differ, unlike a fixed name such as `PG-13`. */
const CODE = /^(?=(?:\D*\d){3})\S+$/;

/** Whether an unknown kind has the members of a person. */
const isSomebody = (subject: Subject): boolean =>
  has(subject, 'email', 'user_name', 'username', 'first_name', 'birth_date', 'date_of_birth');

const slugOfThing = (subject: Subject): string =>
  slugOf(String(nameOfThing(subject)), subject.library.language) || slugOf(plainWords(subject.random));

/** Whether names for this kind are known. */
export const isThing = (entity: string): boolean => lookUp(entity, OF_THINGS) !== undefined;

/** Media types and their file extensions, pictures first. */
const FILES = ['image/png png', 'image/jpeg jpg', 'application/pdf pdf', 'text/csv csv', 'text/plain txt'];

function fileOf(subject: Subject): readonly string[] {
  const isPicture = IS_PICTURE.test(`${subject.entity}_${subject.name}`);
  const random = sharedRandom({ ...subject, qualifier: '' }, 'file');
  return random.pick(isPicture ? FILES.slice(0, 2) : FILES).split(' ');
}

/** `office-move.pdf`, or a picture of the thing, with the extension of the media type beside it. */
function fileName(subject: Subject): string {
  const isOfThing = IS_PICTURE.test(subject.name) && lookUp(subject.entity, OF_THINGS)?.what !== '@fileName';
  const of = { ...subject, around: '', ...(isOfThing ? { qualifier: '' } : { entity: 'project' }) };
  const [, extension = fileOf(subject)[1]] =
    /\.(\w{3,4})$/.exec(String(subject.shape.examples[0] ?? '')) ?? [];
  return `${slugOfThing(of)}.${extension}`;
}

/** A picture, in the size that the object states. */
function pictureOf(subject: Subject, kind: 'avatar' | 'image'): string {
  const { holder, owner, entity, qualifier } = subject;
  const about = { ...subject, owner: holder, qualifier: '' };
  const [width = 0, height = 0] = pixelsOf(about);
  const isSized = ['width', 'height'].every((name) => holder.shape.properties.has(name));
  return pictureAddress({
    kind,
    key: [...owner.seed, entity, qualifier, kind].join(),
    ...(kind === 'avatar' && { label: fullName(about) }),
    ...(isSized && { width, height }),
  });
}

/** The width and height of a picture, from one draw so that they agree. */
const pixelsOf = (subject: Subject): readonly number[] =>
  sharedRandom({ ...subject, qualifier: '' }, 'size').pick([
    [640, 480],
    [800, 600],
    [1200, 800],
    [600, 600],
  ]);

/** A number in a text, and its decimal places. */
export const NUMERIC = /^-?\d+(?:\.(\d+))?$/;

const METHOD = /^([a-z]+\.\w+)(?: (\{.*\}))?(?: or (.+))?$/;
const RANGE = /^(-?[\d.]+?)\.\.([\d.]+?)(?:\/(\d))?(?:\*(\d+))?(~)?$/;

export function made(what: string, subject: Subject): unknown {
  const { shape, random } = subject;
  // After `?`, what the document says takes precedence.
  if (what.startsWith('?')) return shownBy(subject) ?? made(what.slice(1), subject);
  if (what.startsWith('@person.')) return personOf(subject)[what.slice(8) as keyof Person];
  if (what.startsWith('@place.')) return placeOf(subject)[what.slice(7) as keyof Place];
  if (what.startsWith('@')) return VALUES[what.slice(1)]?.(subject);
  if (what.startsWith('~')) return filled(sentence(what.slice(1), subject), subject);
  const [, least, most, places, factor = 1, isSmall] = RANGE.exec(what) ?? [];
  if (least !== undefined) {
    const [share, span] = [random.next() ** (isSmall ? 2 : 1), Number(most) - Number(least)];
    // With a fraction where the schema allows one.
    return places === undefined
      ? (Number(least) + Math.floor((span + 1) * share)) * Number(factor)
      : rounded(Number(least) + span * share, shape.mainType === 'integer' ? 0 : Number(places));
  }
  const [, method, argument, other] = METHOD.exec(what) ?? [];
  if (method !== undefined) {
    const value = methodOf(
      fakerOf(subject),
      method,
    )?.(...(argument === undefined ? [] : [JSON.parse(argument)]));
    return other !== undefined && isMixed(String(value)) ? made(other, subject) : value;
  }
  const text = filled(random.pick(what.split('|')), subject);
  if (shape.mainType !== 'string' && /^\d+$/.test(text)) return Number(text);
  return text.includes('{{') ? fakerOf(subject).helpers.fake(text) : text;
}

const filled = (text: string, subject: Subject): string =>
  text
    .replace('{city}', () => placeOf(subject).city)
    .replace(/#/g, () => String(subject.random.integer(1, 9)));
