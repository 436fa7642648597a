import { pictureAddress } from '../../../pictures/picture.ts';
import { fullName } from './people.ts';
import { type Make, own, type Subject, shared, sharedRandom, slugOf, type Words } from './subject.ts';
import { extensionOf, fileName, mediaTypeOf, nameOfThing } from './things.ts';

/** A picture, of the size that the object says. */
const picture =
  (kind: 'avatar' | 'image'): Make =>
  (subject) => {
    const { owner, holder, entity, qualifier } = subject;
    const { properties } = holder.shape;
    const about = { ...subject, owner: holder, qualifier: '' };
    return pictureAddress({
      kind,
      key: [...owner.seed, entity, qualifier, kind].join(),
      ...(kind === 'avatar' && { label: String(fullName(about)) }),
      ...(properties.has('width') &&
        properties.has('height') && { width: pixelsOf(about, 'width'), height: pixelsOf(about, 'height') }),
    });
  };

/** Width and height of a picture, which belong together. */
export function pixelsOf(subject: Subject, name: string): number {
  const [width, height] = sharedRandom({ ...subject, qualifier: '' }, 'size').pick([
    ...([
      [640, 480],
      [800, 600],
      [1024, 768],
      [1200, 800],
      [1280, 720],
      [600, 600],
    ] as const),
  ]);
  return name.endsWith('width') ? width : height;
}

const digits = (subject: Subject, count: number) =>
  own(subject).string.numeric({ length: count, allowLeadingZeros: false });
const hex = (subject: Subject, length: number) =>
  own(subject).string.hexadecimal({ length, casing: 'lower', prefix: '' });

/** A page of the thing, named after it; of links in an object of their own the page of what has them. */
const url: Make = (subject) => {
  const isLink = /(?:^|_)(?:links?|urls?|hrefs?)(?:_|$)/.test(subject.entity);
  const entity = isLink ? subject.around : subject.entity;
  const name = slugOf(String(nameOfThing({ ...subject, entity, owner: subject.holder, qualifier: '' })));
  return `https://www.example.com/${name}`;
};

const VERSIONS = ['1.0.0', '1.2.0', '1.4.2', '2.0.0', '2.1.3', '3.0.1', '3.5.0', '4.2.1'] as const;

export const TECHNICAL: Words = {
  '(?:user_?)?(?:avatar|profile_?(?:image|picture|photo|pic)|gravatar|portrait|user_image|face)(?:_?(?:url|uri|src|link|path))?':
    picture('avatar'),
  '(?:images?|photos?|pictures?|pics?|thumbnails?|thumb|covers?|logos?|banners?|posters?|icon|artwork|illustration|backdrop|cover_?image|hero)(?:_?(?:urls?|uri|src|link|href|path|address))':
    picture('image'),
  '(?:images?|photos?|pictures?|pics?|thumbnails?|thumb|covers?|logos?|banners?|posters?|artwork|backdrop)': (
    subject,
  ) =>
    /user|person|author|profile|member|owner|customer|employee|contact/.test(subject.entity)
      ? picture('avatar')(subject)
      : picture('image')(subject),
  'emoji|reaction': (subject) => subject.random.pick(['👍', '🎉', '❤️', '🚀', '👀', '😄', '🐾', '🌱']),
  'icon(?:_?name)?': (subject) =>
    subject.random.pick([
      'bell',
      'book',
      'calendar',
      'camera',
      'cart',
      'heart',
      'home',
      'map',
      'star',
      'tag',
      'user',
    ]),
  'ipv6(?:_address)?': (subject) => `2001:db8::${hex(subject, 4)}`,
  'ip(?:v4)?(?:_?addr(?:ess)?)?|remote_addr': (subject) => `192.0.2.${subject.random.integer(1, 254)}`,
  'mac(?:_?address)?': (subject) => own(subject).internet.mac(),
  'user_?agent': (subject) => own(subject).internet.userAgent(),
  'host_?name|fqdn|server_name': (subject) =>
    `${slugOf(String(nameOfThing({ ...subject, entity: 'server' })))}.example.com`,
  'domain(?:_?name)?': (subject) => `${slugOf(shared(subject, 'domain').person.lastName())}.example.com`,
  '(?:callback|redirect|webhook|target|endpoint|base|api|server|source|download|clone|git|repo(?:sitory)?|self|next|previous|feed|external|short|original|destination)_?(?:url|uri|link|href)s?|endpoint':
    url,
  'url|uri|link|href|web_?site|homepage|permalink_url|html_url|web_url|site|www|blog': url,
  'mime_?type|media_?type|content_?type': mediaTypeOf,
  '(?:file_?)?ext(?:ension)?': extensionOf,
  'file_?name|attachment_name|filename': fileName,
  '(?:file_?)?path|location_path|directory|dir|key_path': (subject) =>
    `/${slugOf(String(nameOfThing({ ...subject, entity: 'folder' })))}/${fileName(subject)}`,
  'version(?:_?(?:number|name|string))?|semver|revision_name|release': (subject) =>
    subject.random.pick(VERSIONS),
  '(?:commit_?)?(?:sha|hash|sha1|commit|revision|checksum_sha1)': (subject) => hex(subject, 40),
  'sha_?256|digest': (subject) =>
    /digest/.test(subject.name) ? `sha256:${hex(subject, 64)}` : hex(subject, 64),
  'md5|checksum|fingerprint|etag': (subject) => hex(subject, 32),
  '(?:access_|refresh_|auth_|api_|id_|session_)?token|api_?key|secret(?:_key)?|jwt|nonce|signature|pass(?:word|wd|phrase)|salt|session(?:_?id)?|trace_?id|request_?id|correlation_?id|cursor':
    (subject) => own(subject).string.fromCharacters('BCDFGHJKLMNPQRSTVWXZbcdfghjklmnpqrstvwxz0123456789', 24),
  'colou?r(?:_?(?:code|hex))?|hex(?:_?colou?r)?|background_?colou?r|text_?colou?r': (subject) =>
    /hex|code/.test(subject.name) || isHexColour(subject)
      ? own(subject).color.rgb({ format: 'hex' })
      : own(subject).color.human(),
  iban: (subject) => own(subject).finance.iban(),
  'bic|swift(?:_?code)?': (subject) => own(subject).finance.bic(),
  '(?:account|routing|card|customer|member|employee|student|invoice|order|ticket|tracking|receipt|reference|serial|registration|policy|contract|batch|lot|document|booking|confirmation|case|vat|tax|passport|license|plate)_?(?:number|no|num|id|code|ref)|reference|reference_code|serial|tracking|external_?id|external_reference|ref|number|no':
    code,
  'ean(?:13)?|gtin|upc|bar_?code': (subject) => digits(subject, 13),
  'isbn(?:_?1[03])?|isbn\\d*': (subject) => own(subject).commerce.isbn(),
  'sku|article_?number|part_number|product_?code|item_code|model_number': code,
  vin: (subject) => own(subject).vehicle.vin(),
  '(?:license_?|number_)?plate': (subject) => own(subject).vehicle.vrm(),
  'branch(?:_?name)?': (subject) =>
    subject.random.pick(['main', 'develop', 'feature/search', 'fix/login', 'release/2.1']),
  'language(?:_?code)?|locale|lang': (subject) =>
    subject.random.pick(['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'ja']),
  currency_symbol: () => '$',
  '(?:http_?)?method|verb': (subject) => subject.random.pick(['GET', 'POST', 'PUT', 'DELETE']),
  'protocol|scheme': () => 'https',
  'platform|os|operating_system': (subject) =>
    subject.random.pick(['Linux', 'macOS', 'Windows', 'Android', 'iOS']),
  browser: (subject) => subject.random.pick(['Chrome', 'Edge', 'Firefox', 'Safari']),
  'architecture|arch': (subject) => subject.random.pick(['amd64', 'arm64']),
  'cron|schedule|cron_expression': (subject) =>
    subject.random.pick(['0 6 * * *', '*/15 * * * *', '0 0 * * 1', '30 2 1 * *']),
  'encoding|charset': () => 'utf-8',
  'size|dimensions?': (subject) => subject.random.pick(['S', 'M', 'L', 'XL']),
  'code|short_?code|abbreviation|acronym|symbol|iata|icao': (subject) =>
    own(subject).string.alpha({
      length: Math.min(subject.shape.lowest('maxLength') ?? 3, 3),
      casing: 'upper',
    }),
  'licen[cs]e': (subject) => subject.random.pick(['MIT', 'Apache-2.0', 'BSD-3-Clause', 'GPL-3.0']),
  'grade|class_grade': (subject) => subject.random.pick(['A', 'B', 'C']),
  'gender_identity|pronouns': (subject) => subject.random.pick(['she/her', 'he/him', 'they/them']),
  'blood_?(?:type|group)': (subject) => subject.random.pick(['A+', 'A-', 'B+', 'AB+', '0+', '0-']),
  'card_?(?:type|brand)|brand_of_card|network': (subject) =>
    subject.random.pick(['Visa', 'Mastercard', 'American Express']),
  'last_?4|last_?four': (subject) => digits(subject, 4),
  'payment_?(?:method|type)': (subject) => subject.random.pick(['card', 'bank transfer', 'cash', 'invoice']),
  'flight(?:_?number)?': (subject) => `${own(subject).airline.airline().iataCode}${digits(subject, 3)}`,
  'seat|room(?:_?number)?|gate|table|slot': (subject) =>
    `${subject.random.integer(1, 40)}${subject.random.pick(['A', 'B', 'C', 'D'])}`,
  'opening_?hours?|opens?_?at|open_time|opening_time': () => '09:00',
  'clos(?:es?|ing)_?(?:at|time|hours?)': () => '18:00',
  'duration|length|runtime': (subject) => `${subject.random.integer(5, 120)} min`,
  weight: (subject) => `${subject.random.integer(1, 20)} kg`,
};

const isHexColour = ({ shape }: Subject) =>
  shape.lowest('maxLength') === 7 || shape.examples.some((one) => /^#?[\da-f]{3,8}$/i.test(String(one)));

/** `ORD-4711`: digits behind the first letters of what it is. */
function code(subject: Subject): string {
  const noun = (subject.name.includes('_') ? subject.name : subject.entity).split('_')[0] ?? '';
  const letters = slugOf(noun, '').slice(0, 3).toUpperCase();
  return `${letters === '' ? 'NR' : letters}-${digits(subject, 5)}`;
}
