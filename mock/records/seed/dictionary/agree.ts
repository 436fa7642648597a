import { isRecord, type Shape } from '#spec';
import { singularOf, slugOf, wordsOf } from './subject.ts';

type Made = Record<string, unknown>;

/** Lets members agree that follow from others; `mayChange` names those that are the mock's own. */
export type Settle = (made: Made, shape: Shape, mayChange?: (name: string) => boolean) => void;

/** A change of one member, which depends on others. */
type Rule = (made: Made) => readonly [name: string, value: unknown] | undefined;

/** Compiles for each schema of an object which of its members follow from others. */
export function createSettle(): Settle {
  const compiled = new WeakMap<Shape, readonly Rule[]>();
  return (made, shape, mayChange = () => true) => {
    let rules = compiled.get(shape);
    if (!rules) {
      rules = rulesOf(shape);
      compiled.set(shape, rules);
    }
    for (const rule of rules) {
      const [name, value] = rule(made) ?? [];
      if (name === undefined || !mayChange(name)) continue;
      if (value === undefined) {
        if (!shape.required.has(name)) delete made[name];
        else if (shape.properties.get(name)?.nullable) made[name] = null;
      } else if (shape.properties.get(name)?.allows(value) && isInRange(shape, name, value))
        made[name] = value;
    }
  };
}

function isInRange(shape: Shape, name: string, value: unknown): boolean {
  if (typeof value !== 'number') return true;
  const { low, high } = shape.properties.get(name)?.range ?? {};
  return (!low || value >= low.value) && (!high || value <= high.value);
}

interface Member {
  readonly name: string;
  readonly words: string;
  readonly shape: Shape;
}

function rulesOf(shape: Shape): Rule[] {
  const members = [...shape.properties].map(
    ([name, member]): Member => ({ name, words: wordsOf(name), shape: member }),
  );
  if (members.length < 2) return members.flatMap(listRule);
  return [
    ...members.flatMap(listRule),
    ...countRules(members),
    ...lineRules(members),
    ...totalRules(members),
    ...partRules(members),
    ...stateRules(members),
    ...nameRules(members),
  ];
}

/** What is said twice in a list of words is said once. */
function listRule({ name, shape }: Member): Rule[] {
  if (shape.items?.mainType !== 'string') return [];
  const least = shape.highest('minItems') ?? 0;
  return [
    (made) => {
      const { [name]: items } = made;
      const once = Array.isArray(items) ? [...new Set(items)] : [];
      return Array.isArray(items) && once.length < items.length && once.length >= least
        ? [name, once]
        : undefined;
    },
  ];
}

const isNumeric = ({ mainType, values }: Shape) =>
  (mainType === 'integer' || mainType === 'number') && !values;
const numberIn = (made: Made, name: string | undefined) => {
  const value = name === undefined ? undefined : made[name];
  return typeof value === 'number' ? value : undefined;
};
const rounded = (value: number) => Math.round(value * 100) / 100;

/** `commentsCount`, `comment_count`, `numberOfComments`, `totalComments` count the `comments` beside them. */
function countRules(members: readonly Member[]): Rule[] {
  const lists = members.filter(({ shape }) => shape.mainType === 'array');
  return lists.flatMap((list) => {
    const one = singularOf(list.words);
    const names = new RegExp(
      `^(?:(?:${one}|${list.words})_count|(?:number|num|no)_of_${list.words}|total_${list.words}|count_of_${list.words}|${list.words}_total)$`,
    );
    return members
      .filter(({ words, shape }) => isNumeric(shape) && names.test(words))
      .map(
        ({ name }): Rule =>
          (made) => {
            const { [list.name]: items } = made;
            return Array.isArray(items) ? [name, items.length] : undefined;
          },
      );
  });
}

const PRICE = /^(?:unit_?|sale_?|net_?)?(?:price|cost|rate|amount)(?:_(?:cents|per_unit|each))?$/;
const QUANTITY = /^(?:quantity|qty|count|units|pieces|number|amount)$/;
const LINE_TOTAL = /^(?:line_?|item_?|row_?|sub_?)?(?:total|amount)(?:_?price|_?amount|_?cents)?$|^subtotal$/;
const GRAND_TOTAL =
  /^(?:grand_?|order_?|total_?|sub_?|net_?|items_?|cart_?|invoice_?)?(?:total|amount|sum|price|value|cost|subtotal)(?:_?(?:price|amount|cents|cost|value|due))?$/;

/** A line of an order: quantity times price. */
function lineRules(members: readonly Member[]): Rule[] {
  const numbers = members.filter(({ shape }) => isNumeric(shape));
  const price = numbers.find(({ words }) => PRICE.test(words) && words !== 'amount');
  const quantity = numbers.find(({ words }) => QUANTITY.test(words));
  const total = numbers.find((one) => one !== price && one !== quantity && LINE_TOTAL.test(one.words));
  if (!price || !quantity || !total) return [];
  return [
    (made) => {
      const [each, count] = [numberIn(made, price.name), numberIn(made, quantity.name)];
      return each === undefined || count === undefined ? undefined : [total.name, rounded(each * count)];
    },
  ];
}

/** The total of an order is the sum of its lines; with tax, shipping and discount where it has these. */
function totalRules(members: readonly Member[]): Rule[] {
  const numbers = members.filter(({ shape }) => isNumeric(shape));
  const totals = numbers.filter(({ words }) => GRAND_TOTAL.test(words));
  const subtotal = totals.find(({ words }) =>
    /^(?:sub_?total|net_?(?:total|amount)|items_?total)/.test(words),
  );
  const grand = totals.find((one) => one !== subtotal && /total|^amount|^sum$/.test(one.words));
  const lines = members.flatMap(({ name, shape }) => {
    const of = shape.items && lineOf(shape.items);
    return of ? [{ name, of }] : [];
  });
  const sumOf = (made: Made) => {
    for (const { name, of } of lines) {
      const { [name]: items } = made;
      if (!Array.isArray(items)) continue;
      const values = items.map((item) => (isRecord(item) ? of(item) : undefined));
      if (values.every((value) => value !== undefined))
        return rounded(values.reduce((sum, value) => sum + value, 0));
    }
    return undefined;
  };
  const extra = numbers.flatMap(({ name, words }): (readonly [name: string, sign: number])[] => {
    if (/^(?:tax|vat|shipping|tip|delivery_fee|fee)(?:_?(?:amount|cost|total|price))?$/.test(words))
      return [[name, 1]];
    return /^discount(?:_?(?:amount|total))?$/.test(words) ? [[name, -1]] : [];
  });
  const first = subtotal ?? grand;
  if (!first) return [];
  const rules: Rule[] =
    lines.length === 0
      ? []
      : [
          (made) => {
            const sum = sumOf(made);
            return sum === undefined ? undefined : [first.name, sum];
          },
        ];
  if (grand && (subtotal || lines.length > 0) && (subtotal || extra.length > 0))
    rules.push((made) => {
      const base = subtotal ? numberIn(made, subtotal.name) : sumOf(made);
      if (base === undefined) return undefined;
      const more = extra.reduce((sum, [name, sign]) => sum + sign * (numberIn(made, name) ?? 0), 0);
      return [grand.name, Math.max(0, rounded(base + more))];
    });
  return rules;
}

/** What a line adds to a total; undefined: its schema has no price. */
function lineOf(shape: Shape): ((line: Made) => number | undefined) | undefined {
  const numbers = [...shape.properties].flatMap(([name, member]) =>
    isNumeric(member) ? { name, words: wordsOf(name) } : [],
  );
  const price = numbers.find(({ words }) => PRICE.test(words) && words !== 'amount');
  const quantity = numbers.find(({ words }) => QUANTITY.test(words));
  const total = numbers.find((one) => one !== price && one !== quantity && LINE_TOTAL.test(one.words));
  if (!total && !price) return undefined;
  return (line) => {
    const own = numberIn(line, total?.name);
    if (own !== undefined) return own;
    const each = numberIn(line, price?.name);
    return each === undefined ? undefined : each * (numberIn(line, quantity?.name) ?? 1);
  };
}

const PART =
  /^(?:.*_)?(?:used|free|available|correct|completed|done|passed|failed|success(?:ful)?|read|unread|sold|remaining|booked|reserved|current|active|open|closed|won)(?:_(?:count|tasks|items|seats|quantity|jobs|tests|answers|amount|units))?(?:_count)?$/;
const WHOLE = /^(?:total|capacity|quota|limit|max|size|all|questions)(?:_\w+)?$|_total$/;

/** A part is at most the whole, and a minimum at most the maximum. */
function partRules(members: readonly Member[]): Rule[] {
  const numbers = members.filter(({ shape }) => isNumeric(shape));
  const atMost =
    (low: Member, high: Member): Rule =>
    (made) => {
      const [less, more] = [numberIn(made, low.name), numberIn(made, high.name)];
      return less === undefined || more === undefined || less <= more
        ? undefined
        : [low.name, more === 0 ? 0 : less % (more + 1)];
    };
  const whole = numbers.find(({ words, shape }) => shape.mainType === 'integer' && WHOLE.test(words));
  const isPart = partOf(whole?.words ?? '');
  const parts = whole
    ? numbers.filter((one) => one !== whole && one.shape.mainType === 'integer' && isPart(one.words))
    : [];
  // What went well is a part of what was done.
  const done = parts.find(({ words }) => DONE.test(words));
  const well = done ? parts.filter(({ words }) => WELL.test(words)) : [];
  const bounds = numbers.flatMap((low) => {
    if (!/(?:^|_)(?:min(?:imum)?|low|lowest|from)(?:_|$)/.test(low.words)) return [];
    const wanted = low.words.replace(
      /(^|_)(min(?:imum)?|low|lowest|from)(?=_|$)/,
      (_, before: string, word: string) => `${before}${OPPOSITE[word] ?? word}`,
    );
    const high = numbers.find(({ words }) => words === wanted);
    return high ? [atMost(low, high)] : [];
  });
  return [
    ...(whole ? parts.map((part) => atMost(part, whole)) : []),
    ...(done ? well.map((part) => atMost(part, done)) : []),
    ...bounds,
  ];
}

const DONE =
  /(?:^|_)(?:answered|attempted|completed|done|finished|played|practi[cs]ed|processed|tried)(?:_|$)/;
const WELL = /(?:^|_)(?:correct|passed|success(?:ful)?|succeeded|won)(?:_|$)/;

/** A part of `total_cards` is `correct_answers` as of anything else, and `cards_practiced` of cards. */
function partOf(whole: string): (words: string) => boolean {
  const [, first, last] = /^total_(\w+)$|^(\w+?)_total$/.exec(whole) ?? [];
  const noun = first ?? last;
  if (noun === undefined) return (words) => PART.test(words);
  const stem = noun.replace(/s$/, '');
  const done = new RegExp(`^(?:${stem}s?_\\w+(?:ed|ing|en|done)|\\w+(?:ed|ing|en)_${stem}s?)$`);
  return (words) => PART.test(words) || done.test(words);
}

const OPPOSITE: Readonly<Record<string, string>> = {
  min: 'max',
  minimum: 'maximum',
  low: 'high',
  lowest: 'highest',
  from: 'to',
};

/** How far a record has come, by the words of its states; later ones have what earlier ones have. */
const STAGES: readonly RegExp[] = [
  /^(?:draft|new|created|open|todo|to_do|backlog|pending|placed|requested|submitted|queued|waiting|planned|scheduled|unpaid|registered)$/,
  /^(?:approved|accepted|confirmed|active|assigned|paid|published|authorized|verified)$/,
  /^(?:processing|in_progress|started|running|picked|packed|preparing|doing|review|in_review)$/,
  /^(?:shipped|sent|dispatched|in_transit|in_delivery|out_for_delivery|checked_in)$/,
  /^(?:delivered|completed?|done|finished|resolved|closed|fulfilled|returned|refunded|checked_out|success|succeeded|ended|stopped)$/,
];
const ENDS =
  /^(?:cancel+ed|rejected|archived|deleted|removed|expired|revoked|failed|declined|suspended|blocked|banned|disabled|refunded|returned|voided)/;

/** `shipped` of `ship`; below 0: none. */
const stageOf = (state: string) => {
  const forms = [state, `${state}ed`, `${state}d`, `${state}${state.at(-1)}ed`];
  return STAGES.findIndex((words) => forms.some((form) => words.test(form)));
};

/** What has happened to a record fits its state: what is shipped has `shippedAt`, a draft has no `publishedAt`. */
function stateRules(members: readonly Member[]): Rule[] {
  const state = members.find(
    ({ words, shape }) => /(?:^|_)(?:status|state|stage)$/.test(words) && shape.mainType === 'string',
  );
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
        const stage = stageOf(wordsOf(String(made[state.name] ?? '')));
        return stage < 0 || made[name] === undefined ? undefined : [name, stage >= own];
      },
    ];
  });
  return [
    ...ofFlags,
    ...members.flatMap(({ name, words, shape }): Rule[] => {
      const [, event = ''] = /^(\w+?)_?(?:at|on|date|time)$/.exec(words) ?? [];
      if (
        event === '' ||
        !['string', 'integer'].includes(shape.mainType ?? '') ||
        /^(?:creat|updat|modif|last)/.test(event)
      )
        return [];
      const flag = flags.get(event);
      if (flag !== undefined) return [(made) => (made[flag] === false ? [name, undefined] : undefined)];
      const isEnd = ENDS.test(event);
      const own = stageOf(event);
      if (!isEnd && own < 0) return [];
      // Without a state nothing says that it is over.
      if (!state) return isEnd ? [() => [name, undefined]] : [];
      return [
        (made) => {
          const now = wordsOf(String(made[state.name] ?? ''));
          if (now === event) return undefined;
          if (isEnd) return [name, undefined];
          const stage = stageOf(now);
          return stage >= 0 && stage < own ? [name, undefined] : undefined;
        },
      ];
    }),
  ];
}

/** A title that is the slug in other words, where the slug is the id that the record already has. */
function nameRules(members: readonly Member[]): Rule[] {
  const slug = members.find(({ words }) => words === 'slug');
  const title =
    members.find(({ words }) => words === 'title') ?? members.find(({ words }) => words === 'name');
  if (!slug || !title || title.shape.mainType !== 'string') return [];
  return [
    (made) => {
      const { [slug.name]: text, [title.name]: now } = made;
      if (typeof text !== 'string' || typeof now !== 'string' || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text))
        return undefined;
      const stem = text.replace(/-\d+$/, '');
      // As German writes its umlauts, too; of a script without letters there is no slug.
      const slugs = [slugOf(now), slugOf(now, '-', 'de')];
      if (slugs.some((one) => one === '' || one.startsWith(stem))) return undefined;
      const plain = stem.replaceAll('-', ' ');
      return [title.name, plain.replace(/(?:^| )\S/g, (letter) => letter.toUpperCase())];
    },
  ];
}
