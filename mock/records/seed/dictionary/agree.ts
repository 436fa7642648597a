import {
  idsBeside,
  isNullable,
  isRecord,
  oncePer,
  roughlyFits,
  type Shape,
  singular,
  withoutNull,
  wordsOf,
} from '#spec';
import { setOf, slugOf, snakeCase, titleOf } from './subject.ts';
import { isTime } from './times.ts';

type Made = Record<string, unknown>;

/** Makes members consistent with each other; `mayChange` selects those that the mock has made. */
export type Settle = (made: Made, shape: Shape, mayChange?: (name: string) => boolean) => void;

/** A member and how it follows from others; null: it has no value, undefined: it stays as it is. */
type Rule = readonly [name: string, derive: (made: Made) => unknown];

/** Compiles the consistency rules of object schemas. */
export function createSettle(): Settle {
  const compiled = oncePer(rulesOf);
  return (made, shape, mayChange = () => true) => {
    for (const [name, derive] of compiled(shape)) {
      const [value, member] = [derive(made), shape.properties.get(name)];
      if (value === undefined || !member || !mayChange(name)) continue;
      if (value === null && !shape.required.has(name)) delete made[name];
      else if (value === null ? isNullable(member) : roughlyFits(member, value)) made[name] = value;
    }
  };
}

interface Member {
  readonly name: string;
  readonly words: readonly string[];
  readonly shape: Shape;
}

const membersOf = (shape: Shape): Member[] =>
  [...shape.properties].map(([name, member]) => ({
    name,
    words: wordsOf(name),
    shape: withoutNull(member),
  }));

const numbersOf = (members: readonly Member[]) =>
  members.filter(({ shape }) => /^(?:integer|number)$/.test(shape.mainType ?? '') && !shape.values);

function rulesOf(shape: Shape): Rule[] {
  const members = membersOf(shape);
  const numbers = numbersOf(members);
  const integers = numbers.filter((number) => number.shape.mainType === 'integer');
  return [
    ...members.flatMap(listRules(numbers)),
    ...totalRules(members, numbers),
    ...partRules(integers),
    ...owedRules(numbers),
    ...boundRules(numbers),
    ...stateRules(members),
    ...flagRules(members),
    ...titleRules(members),
    ...idRules(shape),
  ];
}

const numberIn = (made: Made, member?: Member): number | undefined => {
  const value = member && made[member.name];
  return typeof value === 'number' ? value : undefined;
};

const rounded = (value: number) => Math.round(value * 100) / 100;

type Test = (member: Member) => boolean;

/** Whether a name has one of the heads, and only these and the others beside; undefined: any others. */
function named(heads: string, others?: string): Test {
  const [some, all] = [setOf(heads), setOf(`${heads} ${others}`)];
  return ({ words }) =>
    words.some((word) => some.has(word)) && (others === undefined || words.every((word) => all.has(word)));
}

/** Lists of texts have no duplicates; `commentsCount`, `numberOfComments` and `totalComments` count the list. */
const listRules =
  (numbers: readonly Member[]) =>
  ({ name, words, shape }: Member): Rule[] => {
    if (shape.mainType !== 'array') return [];
    const [plural, least] = [words.join('_'), shape.highest('minItems') ?? 0];
    const before = ['number_of', 'num_of', 'no_of', 'count_of', 'total'].map((word) => `${word}_${plural}`);
    const names = [...before, `${singular(plural)}_count`, `${plural}_count`, `${plural}_total`];
    const itemsIn = ({ [name]: items }: Made) => (Array.isArray(items) ? items : undefined);
    const once = (made: Made) => {
      const items = [...new Set(itemsIn(made))];
      return itemsIn(made) && items.length >= least ? items : undefined;
    };
    const counts = numbers.filter((number) => names.includes(number.words.join('_')));
    return [
      ...(shape.items?.mainType === 'string' ? [[name, once] as const] : []),
      ...counts.map((count): Rule => [count.name, (made) => itemsIn(made)?.length]),
    ];
  };

const PRICE = named('price cost rate', 'unit sale net cents per each');
const QUANTITY = named('quantity qty count units pieces number amount', '');
const LINE_TOTAL = named('total amount subtotal', 'line item row sub price cents');
const TOTAL = named(
  'total amount sum subtotal',
  'grand order sub net items cart invoice price cost value cents due',
);
const SUBTOTAL = named('subtotal sub net items');
const MORE = named('tax vat shipping tip fee', 'delivery amount cost total price');
const LESS = named('discount', 'amount total');

/** The members of an order line, whose total is quantity times price. */
function lineOf(numbers: readonly Member[]) {
  const [price, quantity] = [numbers.find(PRICE), numbers.find(QUANTITY)];
  return { price, quantity, total: numbers.find((number) => number !== quantity && LINE_TOTAL(number)) };
}

/** An order's total is the sum of its lines, plus tax and shipping, minus discount. */
function totalRules(members: readonly Member[], numbers: readonly Member[]): Rule[] {
  const product = ({ price, quantity }: ReturnType<typeof lineOf>, made: Made, count?: number) => {
    const [each, times] = [numberIn(made, price), numberIn(made, quantity) ?? count];
    return each === undefined || times === undefined ? undefined : rounded(each * times);
  };
  const ownLine = lineOf(numbers);
  const ofOwn: Rule[] =
    ownLine.total && ownLine.quantity ? [[ownLine.total.name, (made) => product(ownLine, made)]] : [];
  const totals = numbers.filter(TOTAL);
  const subtotal = totals.find(SUBTOTAL);
  const grand = totals.find((total) => total !== subtotal);
  const [lines] = members.flatMap(({ name, shape }) => {
    const line = shape.items && lineOf(numbersOf(membersOf(shape.items)));
    return line?.total || line?.price ? [{ name, line }] : [];
  });
  const ofLines = (made: Made) => {
    const items = lines && made[lines.name];
    if (!Array.isArray(items)) return undefined;
    const sums = items.map((item) =>
      lines && isRecord(item)
        ? (numberIn(item, lines.line.total) ?? product(lines.line, item, 1))
        : undefined,
    );
    return sums.every((sum) => sum !== undefined)
      ? rounded(sums.reduce((all, sum) => all + sum, 0))
      : undefined;
  };
  const extra = numbers.filter((number) => MORE(number) || LESS(number));
  const whole = (made: Made) => {
    const sum = subtotal ? numberIn(made, subtotal) : ofLines(made);
    const more = extra.map((member) => (MORE(member) ? 1 : -1) * (numberIn(made, member) ?? 0));
    return sum === undefined ? undefined : Math.max(0, rounded(more.reduce((all, one) => all + one, sum)));
  };
  return [
    ...ofOwn,
    ...(subtotal && lines ? [[subtotal.name, ofLines] as const] : []),
    ...(grand && (subtotal || lines) ? [[grand.name, whole] as const] : []),
  ];
}

/** Keeps one number from exceeding another, by the remainder. */
const atMost = (low: Member, high: Member): Rule => [
  low.name,
  (made) => {
    const [less, more] = [numberIn(made, low), numberIn(made, high)];
    if (less === undefined || more === undefined || less <= more) return undefined;
    if (more === 0) return 0;
    return Number.isInteger(less) && Number.isInteger(more) ? less % (more + 1) : rounded(less % more);
  },
];

const WHOLE = setOf('total capacity quota limit max size all questions');
const PARTS = setOf(
  'used free available correct completed done passed failed success successful read unread sold remaining booked reserved ' +
    'current active open closed won enrolled registered occupied attendees participants',
);
const UNITS = setOf('count tasks items seats tickets quantity jobs tests answers amount units');
const DONE = named('answered attempted completed done finished played practiced practised processed tried');
const WELL = named('correct passed success successful succeeded won');

/** A part is at most the whole, and what succeeded at most what was done. */
function partRules(integers: readonly Member[]): Rule[] {
  const whole = integers.find(({ words }) => WHOLE.has(words[0] ?? '') || words.at(-1) === 'total');
  if (!whole) return [];
  // `cards_practiced` is a part of `total_cards`.
  const nouns = new Set(whole.words.filter((word) => word !== 'total').map(singular));
  const isOfNoun: Test = ({ words }) =>
    words.some((word) => nouns.has(singular(word))) && words.some((word) => /(?:ed|ing|en|done)$/.test(word));
  const isPart: Test = (member) =>
    PARTS.has(member.words.findLast((word) => !UNITS.has(word))) || isOfNoun(member);
  const parts = integers.filter((integer) => integer !== whole && isPart(integer));
  const done = parts.find(DONE);
  return [
    ...parts.map((part) => atMost(part, whole)),
    ...(done ? parts.filter(WELL).map((part) => atMost(part, done)) : []),
  ];
}

const PAID = named('paid', 'amount total price so far sum');
const OWED = named('balance due remaining outstanding unpaid', 'amount total price sum to pay');

/** Amounts paid and due are parts of the total; a record with both has them add up to it. */
function owedRules(numbers: readonly Member[]): Rule[] {
  const total = numbers.find(
    (number) => TOTAL(number) && !PAID(number) && !OWED(number) && !SUBTOTAL(number),
  );
  const [paid, owed] = [numbers.find(PAID), numbers.find(OWED)];
  if (!total) return [];
  const rest = (made: Made) => {
    const [all, part] = [numberIn(made, total), numberIn(made, paid)];
    return all === undefined || part === undefined ? undefined : rounded(all - part);
  };
  return [
    ...(paid ? [atMost(paid, total)] : []),
    ...(owed ? [atMost(owed, total)] : []),
    ...(paid && owed ? [[owed.name, rest] as const] : []),
  ];
}

const OPPOSITE = new Map([
  ['min', 'max'],
  ['minimum', 'maximum'],
  ['low', 'high'],
  ['lowest', 'highest'],
  ['from', 'to'],
  ['least', 'most'],
]);

function boundRules(numbers: readonly Member[]): Rule[] {
  return numbers.flatMap((low) => {
    const wanted = low.words.map((word) => OPPOSITE.get(word) ?? word).join('_');
    const high = numbers.find(({ words }) => words.join('_') === wanted);
    return high && high !== low ? [atMost(low, high)] : [];
  });
}

/** Words for states in the order of a record's life: later states have the dates of earlier ones. */
const STAGES = [
  'draft new created open todo to_do backlog pending placed requested submitted queued waiting planned scheduled unpaid registered',
  'approved accepted confirmed active assigned paid published authorized verified',
  'processing in_progress started running picked packed preparing doing review in_review',
  'shipped sent dispatched in_transit in_delivery out_for_delivery checked_in',
  'delivered complete completed done finished resolved closed fulfilled returned refunded checked_out success succeeded ended stopped',
].map((words) => words.split(' '));
const OVER = setOf(
  'canceled cancelled rejected archived deleted removed expired revoked failed declined suspended blocked banned disabled refunded returned voided',
);

const STATES = setOf('status state stage');

/** The stage of a state, also by the participle: `shipped` for `ship`. Below 0: unknown. */
const stageOf = (state: string) =>
  STAGES.findIndex((words) =>
    ['', 'ed', 'd', `${state.at(-1)}ed`].some((end) => words.includes(state + end)),
  );

const isState = ({ words, shape }: Member) => STATES.has(words.at(-1)) && shape.mainType === 'string';

/** Dates fit the state: a shipped record has `shippedAt`, a draft no `publishedAt`. */
function stateRules(members: readonly Member[]): Rule[] {
  const state = members.find(isState);
  const stateIn = (made: Made) => snakeCase(String(made[state?.name ?? ''] ?? ''));
  return [
    ...members.flatMap(({ name, words, shape }): Rule[] => {
      const whole = words.join('_');
      const isBare = OVER.has(whole) && isTime({ name: '', shape });
      const [, event = isBare ? whole : ''] =
        /^(?!creat|updat|modif|last|start_|end_)(\w+?)_?(?:at|on|date|time)$/.exec(whole) ?? [];
      if (event === '' || !/^(?:string|integer)$/.test(shape.mainType ?? '')) return [];
      const [isOver, stage] = [OVER.has(event), stageOf(event)];
      // Without a state, the record is taken as not yet over.
      if (!state) return isOver ? [[name, () => null]] : [];
      const isBefore = (now: string) => isOver || (stageOf(now) >= 0 && stageOf(now) < stage);
      return [[name, (made) => (isBefore(stateIn(made)) && stateIn(made) !== event ? null : undefined)]];
    }),
  ];
}

const OF_FLAGS = setOf('is has was be');
const OF_MOMENTS = setOf('at on date time');

/** A flag agrees with the state, and with the date beside it: `isClosed`, `closedAt` and `closed`. */
function flagRules(members: readonly Member[]): Rule[] {
  const state = members.find(isState);
  return members.flatMap((flag): Rule[] => {
    const event = flag.words.filter((word) => !OF_FLAGS.has(word)).join('_');
    if (flag.shape.mainType !== 'boolean') return [];
    const moment = members.find(
      ({ words }) => OF_MOMENTS.has(words.at(-1)) && words.slice(0, -1).join('_') === event,
    );
    const ofState = (made: Made): boolean | undefined => {
      const now = snakeCase(String(made[state?.name ?? ''] ?? ''));
      if (now === '' || now === event) return now === event || undefined;
      if (OVER.has(event) || now.endsWith(event)) return false;
      const [stage, reached] = [stageOf(event), stageOf(now)];
      if (OVER.has(now)) return stage >= 0 ? undefined : false;
      return stage < 0 || reached < 0 ? undefined : reached >= stage;
    };
    const isKnown =
      state && (stageOf(event) >= 0 || OVER.has(event) || /^(?:in)?active|enabled$/.test(event));
    return [
      ...(isKnown ? [[flag.name, ofState] as const] : []),
      ...(moment
        ? [
            [moment.name, (made: Made) => (made[flag.name] === false ? null : undefined)] as const,
            [flag.name, (made: Made) => (made[moment.name] ?? undefined) !== undefined] as const,
          ]
        : []),
    ];
  });
}

/** An object's id equals the id beside it; a list of ids has those of the objects beside it. */
function idRules(shape: Shape): Rule[] {
  return idsBeside(shape).flatMap(({ property, beside, id }): Rule[] => [
    [
      beside,
      ({ [property]: ownId, [beside]: object }) =>
        ownId === null
          ? null
          : isRecord(object) && ownId !== undefined
            ? { ...object, [id]: ownId }
            : undefined,
    ],
    [
      property,
      ({ [beside]: objects }) => {
        const [ids] = [[objects].flat().map((one) => (isRecord(one) ? one[id] : one))];
        return Array.isArray(objects) ? ids : ids[0];
      },
    ],
  ]);
}

/** The title has the words of the slug, where the slug is the record's id. */
function titleRules(members: readonly Member[]): Rule[] {
  const called = (wanted: string) =>
    members.find(({ words, shape }) => words.join() === wanted && shape.mainType === 'string')?.name ?? '';
  const title = called('title') || called('name');
  const derive = ({ [called('slug')]: slug, [title]: now }: Made) => {
    if (typeof now !== 'string' || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(String(slug))) return undefined;
    const stem = String(slug).replace(/-\d+$/, '');
    const isSpelled = ['', 'de', 'da'].some((language) => slugOf(now, language).startsWith(stem));
    return isSpelled || slugOf(now) === '' ? undefined : stem.split('-').map(titleOf).join(' ');
  };
  return called('slug') && title ? [[title, derive]] : [];
}
