import { isRecord, roughlyFits, type Shape } from '#spec';
import { singularOf, slugOf, titleOf, wordsOf } from './subject.ts';

type Made = Record<string, unknown>;

/** Lets members agree that follow from others; `mayChange` names those that are the mock's own. */
export type Settle = (made: Made, shape: Shape, mayChange?: (name: string) => boolean) => void;

/** A change of one member, which depends on others. */
type Rule = (made: Made) => readonly [name: string, value: unknown] | undefined;

/** Compiles for each schema of an object which of its members follow from others. */
export function createSettle(): Settle {
  const compiled = new WeakMap<Shape, readonly Rule[]>();
  return (made, shape, mayChange = () => true) => {
    const rules = compiled.get(shape) ?? rulesOf(shape);
    compiled.set(shape, rules);
    for (const rule of rules) {
      const [name, value] = rule(made) ?? [];
      if (name === undefined || !mayChange(name)) continue;
      if (value === undefined) {
        if (!shape.required.has(name)) delete made[name];
        else if (shape.properties.get(name)?.nullable) made[name] = null;
      } else {
        const member = shape.properties.get(name);
        if (member && roughlyFits(member, value)) made[name] = value;
      }
    }
  };
}

interface Member {
  readonly name: string;
  readonly words: string;
  readonly shape: Shape;
}

const membersOf = (shape: Shape): Member[] =>
  [...shape.properties].map(([name, member]) => ({ name, words: wordsOf(name), shape: member }));

const isNumeric = ({ shape }: Member) => /^(?:integer|number)$/.test(shape.mainType ?? '') && !shape.values;

const numberIn = (made: Made, name = ''): number | undefined => {
  const { [name]: value } = made;
  return typeof value === 'number' ? value : undefined;
};

const rounded = (value: number) => Math.round(value * 100) / 100;

function rulesOf(shape: Shape): Rule[] {
  const members = membersOf(shape);
  const numbers = members.filter(isNumeric);
  return [
    ...members.flatMap(listRule),
    ...countRules(members, numbers),
    ...lineRules(lineOf(numbers)),
    ...totalRules(members, numbers),
    ...partRules(numbers),
    ...boundRules(numbers),
    ...stateRules(members),
    ...nameRules(members),
  ];
}

/** What is said twice in a list of words is said once. */
function listRule({ name, shape }: Member): Rule[] {
  if (shape.items?.mainType !== 'string') return [];
  const least = shape.highest('minItems') ?? 0;
  return [
    ({ [name]: items }) => {
      const once = Array.isArray(items) ? [...new Set(items)] : [];
      return Array.isArray(items) && once.length >= least ? [name, once] : undefined;
    },
  ];
}

/** `commentsCount`, `comment_count`, `numberOfComments`, `totalComments` count the `comments` beside them. */
function countRules(members: readonly Member[], numbers: readonly Member[]): Rule[] {
  return members.flatMap(({ name: list, words, shape }) => {
    if (shape.mainType !== 'array') return [];
    const before = ['number_of', 'num_of', 'no_of', 'count_of', 'total'].map((word) => `${word}_${words}`);
    const names = [...before, `${singularOf(words)}_count`, `${words}_count`, `${words}_total`];
    const counts = numbers.filter((one) => names.includes(one.words));
    return counts.map(
      ({ name }): Rule =>
        ({ [list]: items }) =>
          Array.isArray(items) ? [name, items.length] : undefined,
    );
  });
}

/** The names of the members of a line of an order: total is quantity times price. */
interface Line {
  readonly price: string | undefined;
  readonly quantity: string | undefined;
  readonly total: string | undefined;
}

const PRICE = /^(?:unit_?|sale_?|net_?)?(?:price|cost|rate)(?:_(?:cents|per_unit|each))?$/;
const QUANTITY = /^(?:quantity|qty|count|units|pieces|number|amount)$/;
const LINE_TOTAL = /^(?:line_?|item_?|row_?|sub_?)?(?:total|amount)(?:_?price|_?amount|_?cents)?$|^subtotal$/;

function lineOf(numbers: readonly Member[]): Line {
  const price = numbers.find(({ words }) => PRICE.test(words))?.name;
  const quantity = numbers.find(({ words }) => QUANTITY.test(words))?.name;
  const isTotal = ({ name, words }: Member) => name !== quantity && LINE_TOTAL.test(words);
  return { price, quantity, total: numbers.find(isTotal)?.name };
}

function lineRules({ price, quantity, total }: Line): Rule[] {
  if (price === undefined || quantity === undefined || total === undefined) return [];
  return [
    (made) => {
      const [each, count] = [numberIn(made, price), numberIn(made, quantity)];
      return each === undefined || count === undefined ? undefined : [total, rounded(each * count)];
    },
  ];
}

/** What a line adds to a total; undefined: it says none. */
function sumOf(line: unknown, { price, quantity, total }: Line): number | undefined {
  if (!isRecord(line)) return undefined;
  const each = numberIn(line, price);
  return numberIn(line, total) ?? (each === undefined ? undefined : each * (numberIn(line, quantity) ?? 1));
}

const GRAND_TOTAL =
  /^(?:grand_?|order_?|total_?|sub_?|net_?|items_?|cart_?|invoice_?)?(?:total|amount|sum|price|value|cost|subtotal)(?:_?(?:price|amount|cents|cost|value|due))?$/;
const SUBTOTAL = /^(?:sub_?total|net_?(?:total|amount)|items_?total)/;
const MORE = /^(?:tax|vat|shipping|tip|delivery_fee|fee)(?:_?(?:amount|cost|total|price))?$/;
const LESS = /^discount(?:_?(?:amount|total))?$/;

/** The total of an order is the sum of its lines; with tax, shipping and discount where it has these. */
function totalRules(members: readonly Member[], numbers: readonly Member[]): Rule[] {
  const totals = numbers.filter(({ words }) => GRAND_TOTAL.test(words));
  const subtotal = totals.find(({ words }) => SUBTOTAL.test(words));
  const grand = totals.find((one) => one !== subtotal && /total|^amount|^sum$/.test(one.words));
  const [lines] = members.flatMap(({ name, shape }) => {
    const line = shape.items && lineOf(membersOf(shape.items).filter(isNumeric));
    return line && (line.total ?? line.price) !== undefined ? [{ name, line }] : [];
  });
  const ofLines = (made: Made) => {
    const { [lines?.name ?? '']: items } = made;
    const sums = lines && Array.isArray(items) ? items.map((item) => sumOf(item, lines.line)) : [undefined];
    return sums.reduce<number | undefined>(
      (sum, one) => (sum === undefined || one === undefined ? undefined : sum + one),
      0,
    );
  };
  const extra = numbers.flatMap(({ name, words }) => {
    const sign = MORE.test(words) ? 1 : LESS.test(words) ? -1 : 0;
    return sign === 0 ? [] : [{ name, sign }];
  });
  const first = (subtotal ?? grand)?.name;
  if (first === undefined) return [];
  const base: Rule = (made) => {
    const sum = ofLines(made);
    return sum === undefined ? undefined : [first, rounded(sum)];
  };
  const whole: Rule = (made) => {
    const sum = subtotal ? numberIn(made, subtotal.name) : ofLines(made);
    const more = extra.reduce((all, { name, sign }) => all + sign * (numberIn(made, name) ?? 0), 0);
    return sum === undefined || !grand ? undefined : [grand.name, Math.max(0, rounded(sum + more))];
  };
  return [...(lines ? [base] : []), ...(subtotal || (lines && extra.length > 0) ? [whole] : [])];
}

const PART =
  /^(?:.*_)?(?:used|free|available|correct|completed|done|passed|failed|success(?:ful)?|read|unread|sold|remaining|booked|reserved|current|active|open|closed|won)(?:_(?:count|tasks|items|seats|quantity|jobs|tests|answers|amount|units))?(?:_count)?$/;
const WHOLE = /^(?:total|capacity|quota|limit|max|size|all|questions)(?:_\w+)?$|_total$/;
const DONE =
  /(?:^|_)(?:answered|attempted|completed|done|finished|played|practi[cs]ed|processed|tried)(?:_|$)/;
const WELL = /(?:^|_)(?:correct|passed|success(?:ful)?|succeeded|won)(?:_|$)/;

const atMost =
  (low: Member, high: Member): Rule =>
  (made) => {
    const [less, more] = [numberIn(made, low.name), numberIn(made, high.name)];
    if (less === undefined || more === undefined || less <= more) return undefined;
    return [low.name, more === 0 ? 0 : less % (more + 1)];
  };

/** A part is at most the whole, and what went well a part of what was done. */
function partRules(numbers: readonly Member[]): Rule[] {
  const integers = numbers.filter(({ shape }) => shape.mainType === 'integer');
  const whole = integers.find(({ words }) => WHOLE.test(words));
  if (!whole) return [];
  // `cards_practiced` is a part of `total_cards`.
  const [, first, last] = /^total_(\w+?)s?$|^(\w+?)s?_total$/.exec(whole.words) ?? [];
  const stem = first ?? last;
  const ofStem = new RegExp(`^(?:${stem}s?_\\w+(?:ed|ing|en|done)|\\w+(?:ed|ing|en)_${stem}s?)$`);
  const parts = integers.filter(
    (one) => one !== whole && (PART.test(one.words) || (stem !== undefined && ofStem.test(one.words))),
  );
  const done = parts.find(({ words }) => DONE.test(words));
  const well = done ? parts.filter(({ words }) => WELL.test(words)) : [];
  return [
    ...parts.map((part) => atMost(part, whole)),
    ...well.flatMap((part) => (done ? atMost(part, done) : [])),
  ];
}

const OPPOSITE = new Map([
  ['min', 'max'],
  ['minimum', 'maximum'],
  ['low', 'high'],
  ['lowest', 'highest'],
  ['from', 'to'],
]);

/** A minimum is at most the maximum. */
function boundRules(numbers: readonly Member[]): Rule[] {
  return numbers.flatMap((low) => {
    const wanted = low.words
      .split('_')
      .map((word) => OPPOSITE.get(word) ?? word)
      .join('_');
    const high = numbers.find(({ words }) => words === wanted);
    return high && high !== low ? [atMost(low, high)] : [];
  });
}

/** How far a record has come, by the words of its states; later ones have what earlier ones have. */
const STAGES = [
  'draft new created open todo to_do backlog pending placed requested submitted queued waiting planned scheduled unpaid registered',
  'approved accepted confirmed active assigned paid published authorized verified',
  'processing in_progress started running picked packed preparing doing review in_review',
  'shipped sent dispatched in_transit in_delivery out_for_delivery checked_in',
  'delivered complete completed done finished resolved closed fulfilled returned refunded checked_out success succeeded ended stopped',
].map((words) => words.split(' '));
const ENDS =
  /^(?:cancel+ed|rejected|archived|deleted|removed|expired|revoked|failed|declined|suspended|blocked|banned|disabled|refunded|returned|voided)/;

/** `shipped` of `ship`; below 0: none. */
const stageOf = (state: string) =>
  STAGES.findIndex((words) =>
    ['', 'ed', 'd', `${state.at(-1)}ed`].some((end) => words.includes(state + end)),
  );

/** What has happened to a record fits its state: what is shipped has `shippedAt`, a draft has no `publishedAt`. */
function stateRules(members: readonly Member[]): Rule[] {
  const state = members.find(
    ({ words, shape }) => /(?:^|_)(?:status|state|stage)$/.test(words) && shape.mainType === 'string',
  );
  const stateIn = (made: Made) => wordsOf(String(made[state?.name ?? ''] ?? ''));
  const flags = new Map(
    members.flatMap(({ name, words, shape }) =>
      shape.mainType === 'boolean' ? [[words.replace(/^is_/, ''), name] as const] : [],
    ),
  );
  const ofFlags = [...flags].flatMap(([words, name]): Rule[] => {
    const own = stageOf(words);
    if (!state || own < 3) return [];
    return [
      (made) => {
        const stage = stageOf(stateIn(made));
        return stage < 0 || made[name] === undefined ? undefined : [name, stage >= own];
      },
    ];
  });
  const ofMoments = members.flatMap(({ name, words, shape }): Rule[] => {
    const [, event = ''] = /^(?!creat|updat|modif|last)(\w+?)_?(?:at|on|date|time)$/.exec(words) ?? [];
    if (event === '' || !/^(?:string|integer)$/.test(shape.mainType ?? '')) return [];
    const flag = flags.get(event);
    if (flag !== undefined) return [(made) => (made[flag] === false ? [name, undefined] : undefined)];
    const [isEnd, own] = [ENDS.test(event), stageOf(event)];
    // Without a state nothing says that it is over.
    if (!state) return isEnd ? [() => [name, undefined]] : [];
    return [
      (made) => {
        const stage = stageOf(stateIn(made));
        const isBefore = isEnd || (stage >= 0 && stage < own);
        return isBefore && stateIn(made) !== event ? [name, undefined] : undefined;
      },
    ];
  });
  return [...ofFlags, ...ofMoments];
}

/** A title that is the slug in other words, where the slug is the id that the record already has. */
function nameRules(members: readonly Member[]): Rule[] {
  const called = (wanted: string) =>
    members.find(({ words, shape }) => words === wanted && shape.mainType === 'string')?.name;
  const [slug, title] = [called('slug'), called('title') ?? called('name')];
  if (slug === undefined || title === undefined) return [];
  return [
    ({ [slug]: text, [title]: now }) => {
      if (typeof now !== 'string' || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(String(text))) return undefined;
      const stem = String(text).replace(/-\d+$/, '');
      const isSpelled = ['', 'de', 'da'].some((language) => slugOf(now, language).startsWith(stem));
      return isSpelled || slugOf(now) === '' ? undefined : [title, stem.split('-').map(titleOf).join(' ')];
    },
  ];
}
