import { isInteger } from '#spec';
import { COORDINATES, placeOf } from './places.ts';
import { isEnglish, type Make, type Subject, sharedRandom, type Words } from './subject.ts';
import { pixelsOf } from './technical.ts';

/** Most numbers of a service are small, and few are large. */
const upTo =
  (most: number, least = 0): Make =>
  ({ random }) =>
    least + Math.floor((most - least + 1) * random.next() ** 2);

const between =
  (least: number, most: number): Make =>
  ({ random }) =>
    random.integer(least, most);

/** With a fraction where the schema has room for one. */
const decimal =
  (least: number, most: number, places: number): Make =>
  ({ random, shape }) => {
    const value = least + (most - least) * random.next();
    return shape.mainType === 'integer' ? Math.round(value) : Math.round(value * 10 ** places) / 10 ** places;
  };

/** Currencies in which nobody pays fractions, with what about one euro is in them. */
const WHOLE: Readonly<Record<string, number>> = {
  ...{
    HUF: 400,
    IDR: 15_000,
    IQD: 1500,
    IRR: 50_000,
    JPY: 100,
    KRW: 1000,
    UZS: 15_000,
    VND: 25_000,
    XOF: 500,
  },
};

/** In whole cents where the schema has no fractions. Prices like to end in 9. */
const price: Make = (subject) => {
  const random = sharedRandom(subject, 'price');
  const whole = 1 + Math.floor(199 * random.next() ** 2);
  const rate = isEnglish(subject) ? undefined : WHOLE[placeOf(subject).currency];
  if (rate !== undefined) return whole * rate;
  const cents = random.pick([0, 49, 90, 95, 99]);
  return subject.shape.mainType === 'integer' ? whole * 100 + cents : Math.round(whole * 100 + cents) / 100;
};

/** A share of one, or of a hundred where the schema says so, or nothing. */
const share: Make = ({ random, shape }) => {
  const most = Number(shape.range.high?.value ?? (shape.mainType === 'integer' ? 100 : undefined) ?? 100);
  const value = random.next() * Math.min(most, 100);
  return shape.mainType === 'integer'
    ? Math.round(value)
    : Math.round(value * (most <= 1 ? 100 : 10)) / (most <= 1 ? 100 : 10);
};

/** Where most customers are content. */
const rating: Make = ({ random, shape }) => {
  const least = Number(shape.range.low?.value ?? 1);
  const most = Number(shape.range.high?.value ?? 5);
  const value = most - (most - least) * random.next() ** 2;
  return shape.mainType === 'integer' ? Math.round(value) : Math.round(value * 10) / 10;
};

const yearOf = ({ library, random }: Subject) =>
  new Date(library.now).getUTCFullYear() - random.integer(0, 25);

export const NUMBERS: Words = {
  ...COORDINATES,
  '(?:unit_?|list_|base_|sale_|original_|regular_|retail_)?(?:price|amount|cost|fee|total|subtotal|balance|charge|payment|revenue|budget|deposit|rent|wage|value|credit|debit|spent|turnover|income|fare|premium)(?:_?(?:cents|usd|eur|amount|value|net|gross|due|paid))?':
    (subject) => (/count|items|pages|records/.test(subject.name) ? upTo(200)(subject) : price(subject)),
  'salary|annual_income': ({ random }) => random.integer(28, 140) * 1000,
  'tax(?:_?amount)?|vat|shipping(?:_?cost)?|tip|discount_amount': decimal(1, 20, 2),
  '(?:tax_?|vat_?|interest_?|discount_?|commission_?|exchange_?)rate|apr': decimal(0.5, 19.5, 2),
  'percent(?:age)?|pct|progress|completion|discount|confidence|probability|ratio|share|utili[sz]ation|usage_percent|humidity|battery(?:_level)?|accuracy|load':
    share,
  'ratings?|stars|average_rating|rating_(?:average|value)|grade': rating,
  'score|points|reputation|karma|xp': upTo(1000),
  age: between(1, 85),
  '(?:birth_|start_|end_|release_|publication_|model_)?year(?:_of_birth|_published|_built)?': yearOf,
  month: between(1, 12),
  'day(?:_of_month)?': between(1, 28),
  'week(?:_?day)?|day_of_week': between(1, 7),
  'hours?': between(0, 23),
  'minutes?': between(0, 59),
  '(?:estimated_|total_|max_|min_|cook(?:ing)?_|prep(?:aration)?_)?(?:duration|time|length)(?:_?(?:min(?:ute)?s?|s|secs?|seconds|ms|millis(?:econds)?|hours|days))?|runtime|ttl|timeout|interval|latency|delay|elapsed(?:_ms)?|took(?:_ms)?|expires?_in':
    ({ random, name }) =>
      (/m(?:illi)?s(?:econds)?$/.test(name) && !/min/.test(name) ? 1000 : 1) * random.integer(1, 24) * 5,
  '(?:file_?|total_|disk_|content_)?size(?:_?(?:bytes|kb|mb))?|bytes|content_?length|memory|storage|disk(?:_usage)?|quota':
    ({ random }) => 1024 * random.integer(4, 4000),
  '(?:image_|original_)?(?:width|height)': (subject) =>
    isPicture(subject) ? pixelsOf(subject, subject.name) : between(10, 200)(subject),
  'weight(?:_?(?:kg|g|grams))?|mass': decimal(0.2, 40, 1),
  'length|depth|thickness|diameter|radius': decimal(1, 200, 1),
  'temperature|temp': decimal(-5, 35, 1),
  'speed|velocity': between(5, 120),
  'distance|mileage|odometer|kilomet(?:er|re)s|range': upTo(500, 1),
  'altitude|elevation': upTo(1500, 1),
  pressure: between(980, 1040),
  'quantity|qty|units|pieces': upTo(9, 1),
  'stock|inventory|available(?:_?(?:quantity|stock|units))?|in_?stock|on_hand': upTo(120),
  'capacity|seats|max_?(?:participants|attendees|members|players|guests)|limit': ({ random }) =>
    10 * random.integer(1, 20),
  'servings|portions|people|guests|persons|bedrooms|bathrooms|rooms|children|adults|players': between(1, 8),
  'calories|kcal|energy': ({ random }) => 10 * random.integer(8, 90),
  population: upTo(4_000_000, 20_000),
  'area|square_?(?:meters|feet)|sqft|sqm': between(25, 240),
  port: ({ random }) => random.pick([22, 80, 443, 3000, 5432, 6379, 8080, 8443]),
  'status|state|type|kind': between(0, 3),
  'http_?status(?:_?code)?|(?:status|response)_?code': ({ random }) =>
    random.pick([200, 200, 200, 201, 204, 404]),
  'floors?|storey|level|tier|generation': between(1, 9),
  'priority|severity|weighting|rank|position|order|sort(?:_?order)?|index|sequence|line_?(?:number|no)|ordinal':
    between(1, 12),
  'version|revision|major|minor|patch|build': between(1, 9),
  '(?:page_?|word_?|line_?)?(?:pages|words|lines)': between(40, 480),
  '(?:.+_)?count|(?:num|number|no|nr|total)_(?:of_)?.+|(?:views|likes|votes|upvotes|downvotes|downloads|comments|followers|following|shares|visits|clicks|plays|stars|forks|replies|subscribers|members|hits|reads|impressions|attempts|retries|failures|errors|sales|orders|reviews|items|results|posts|articles|users|products|tasks|tickets|friends|favorites|favourites|reposts|watchers|open_issues|bookings|points_total|wins|losses|goals|matches|games)':
    upTo(200),
  'phase|step|attempt|round|stage': between(1, 5),
  'cvv|pin|code|number': between(100, 999),
};

function isPicture({ owner, entity, name }: Subject): boolean {
  return /image|photo|picture|video|media|thumbnail|cover|screen|banner/.test(
    `${entity}_${owner.name}_${name}`.toLowerCase(),
  );
}

/** What most flags of a record are; undefined: they are as often true as false. */
const USUALLY: readonly (readonly [words: RegExp, share: number])[] = [
  [
    /(?:delet|archiv|bann|block|disabl|suspend|lock|cancel|hidden|spam|expir|fail|remov|sold_out|discontinu|revok|flagged|mut|error|overdue|deprecat|blacklist|closed)/,
    0.08,
  ],
  [
    /(?:favou?rit|liked|following|follow|starred|bookmark|pinned|featured|admin|superuser|staff|internal|beta|premium|urgent|test|dry_?run|anonymous|draft|vip|bot)/,
    0.15,
  ],
  [
    /(?:activ|enabl|availab|verifi|visible|public|confirm|valid|success|allow|open|subscribed|in_stock|approved|online|published|healthy|ready|current)/,
    0.85,
  ],
];

/** A flag as it mostly is. */
export const flagOf: Make = ({ name, random }) => {
  const [, share] = USUALLY.find(([words]) => words.test(name)) ?? [];
  return share === undefined ? undefined : random.next() < share;
};

/** A number that fits the bounds of the schema; one that lies outside is moved inside, at the same share of the way. */
export function withinBounds({ shape, random }: Subject, value: unknown): unknown {
  if (typeof value !== 'number') return value;
  const { low, high } = shape.range;
  const [least, most] = [low && Number(low.value), high && Number(high.value)];
  const isLow = least !== undefined && (value < least || (low?.exclusive && value === least));
  const isHigh = most !== undefined && (value > most || (high?.exclusive && value === most));
  if (!isLow && !isHigh) return shape.mainType === 'integer' && !isInteger(value) ? Math.round(value) : value;
  if (least === undefined || most === undefined) return undefined;
  const moved = least + (most - least) * (0.1 + 0.8 * random.next());
  return shape.mainType === 'integer' ? Math.round(moved) : Math.round(moved * 100) / 100;
}
