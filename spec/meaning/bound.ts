import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import type { Shape } from '../schema/shape.ts';
import { type Basis, basisOf, type Sign } from './basis.ts';
import { memberNamed } from './member-named.ts';
import { HEDGES, has, isTakenBack, pointsAfter, sentencesAbout, spoken } from './words.ts';

/** A query parameter that lets only records through whose member lies on one side of its value. */
export interface Bound extends Basis {
  readonly parameter: Parameter;
  /** The property of a `deepObject` parameter with the value: `gte` of `price[gte]`. */
  readonly key: string | undefined;
  readonly property: string;
  readonly side: 'least' | 'most';
  /** Whether the value itself is let through; undefined: the document does not say. */
  readonly inclusive: boolean | undefined;
}

type Side = Bound['side'];

/** What comparison words in names say; of `gt` and the like the name is an operator. */
const SIDES: Readonly<Record<string, Side>> = {
  ...sides('least', 'after since from gt gte min minimum start newer greater lower'),
  ...sides('most', 'before until till to lt lte max maximum end older less upper'),
};
const OPERATORS: Readonly<Record<string, Pick<Bound, 'side' | 'inclusive'>>> = {
  ...{ gt: { side: 'least', inclusive: false }, gte: { side: 'least', inclusive: true } },
  ...{ lt: { side: 'most', inclusive: false }, lte: { side: 'most', inclusive: true } },
};

function sides(side: Side, words: string): Record<string, Side> {
  return Object.fromEntries(words.split(' ').map((word) => [word, side]));
}

interface Phrases {
  readonly of: Side;
  readonly inclusive: boolean | undefined;
  readonly phrases: readonly string[];
}

const phrases = (of: Side, inclusive: boolean | undefined, text: string): Phrases => ({
  ...{ of, inclusive, phrases: text.split('|') },
});

/** What descriptions say of the values that are let through. */
const PHRASES: readonly Phrases[] = [
  phrases(
    'least',
    true,
    'at least|or later|or newer|or more|or higher|or greater|or above|or after|or equal',
  ),
  phrases('least', true, '>=|≥|no earlier|not earlier|no less|not less|not before|no lower'),
  phrases('most', true, 'at most|or earlier|or older|or less|or lower|or below|or before|or equal'),
  phrases('most', true, '<=|≤|no later|not later|no more|not more|not after|up to and including|no higher'),
  phrases('least', false, 'strictly after|strictly greater|strictly more|strictly later|strictly newer'),
  phrases('most', false, 'strictly before|strictly less|strictly lower|strictly earlier|strictly older'),
  phrases('least', undefined, 'later than|newer than|greater than|more than|higher than'),
  phrases('most', undefined, 'earlier than|older than|less than|lower than|fewer than'),
];
const LEADING: Readonly<Record<string, Side>> = {
  ...sides('least', 'after since from above over'),
  ...sides('most', 'before until till to below under'),
};

/** The bounds that the parameters of a list set. */
export function boundsOf(list: Operation, record: Shape): Bound[] {
  return list.parameters
    .filter((one) => one.in === 'query' && !isTakenBack(one))
    .flatMap((parameter) =>
      parameter.shape.mainType === 'object'
        ? boundsWithin(parameter, record)
        : (boundOf(list, parameter, record) ?? []),
    );
}

/** `price[gte]=3` of a parameter `price` in the style `deepObject`. */
function boundsWithin(parameter: Parameter, record: Shape): Bound[] {
  const property = orderedMember(record, parameter.name);
  if (property === undefined) return [];
  return [...parameter.shape.properties.keys()].flatMap((key) => {
    const operator = OPERATORS[key.toLowerCase()];
    return operator
      ? { ...operator, parameter, key, property, ...basisOf(['name', 'schema'], parameter.spot) }
      : [];
  });
}

/** `created_after`, `priceMin`, `price[gte]`, `price__lt`; `min_price`, `fromDate`. */
function boundOf(list: Operation, parameter: Parameter, record: Shape): Bound | undefined {
  const { name, shape, spot } = parameter;
  if (memberNamed(record, name) === name || !isOrdered(shape)) return undefined;
  const words = spoken(name).trim().split(' ');
  const [last, ...before] = words.filter((word) => word !== 'than').reverse();
  const [first = '', ...after] = words;
  for (const [word = '', rest] of [
    [last, before.reverse()],
    [first, after],
  ] as const) {
    const side = SIDES[word];
    const property = orderedMember(record, rest.join('_'));
    if (side === undefined || property === undefined) continue;
    const operator = OPERATORS[word];
    const isOperator = operator !== undefined && /(?:\[|__|\.|:)\w+\]?$/.test(name);
    const stated = statedSide(list, parameter, property, side);
    const signs: Sign[] = [
      'name',
      ...(isOperator ? (['schema'] as const) : []),
      ...(stated ? (['words'] as const) : []),
    ];
    const inclusive = operator ? operator.inclusive : stated?.inclusive;
    return { parameter, key: undefined, property, side, inclusive, ...basisOf(signs, spot) };
  }
  return undefined;
}

/** Whether descriptions say that what lies on this side of the value is let through; undefined: they do not. */
function statedSide(
  list: Operation,
  parameter: Parameter,
  property: string,
  side: Side,
): Pick<Bound, 'inclusive'> | undefined {
  const sentences = sentencesAbout(list, parameter).filter((one) => !has(one, HEDGES));
  const member = spoken(property).trim();
  const limit = [side === 'least' ? `minimum ${member}` : `maximum ${member}`];
  const found = sentences.flatMap((sentence) => [
    ...PHRASES.filter((one) => has(sentence, one.phrases)),
    ...(has(sentence, limit) ? [{ of: side, inclusive: true }] : []),
    ...Object.entries(LEADING).flatMap(([word, of]) =>
      pointsAfter(sentence, word) ? [{ of, inclusive: undefined }] : [],
    ),
  ]);
  if (!found.some(({ of }) => of === side)) return undefined;
  const known = new Set(found.flatMap(({ inclusive, of }) => (of === side ? (inclusive ?? []) : [])));
  if (sentences.some((one) => has(one, ['inclusive', 'inclusively', 'including']))) known.add(true);
  if (sentences.some((one) => has(one, ['exclusive', 'exclusively', 'excluding', 'strictly'])))
    known.add(false);
  return { inclusive: known.size === 1 ? [...known][0] : undefined };
}

function orderedMember(record: Shape, name: string): string | undefined {
  const property = name === '' ? undefined : memberNamed(record, name);
  if (property === undefined) return undefined;
  const found = [record, ...record.alternatives].flatMap(({ properties }) => properties.get(property) ?? []);
  return found.length > 0 && found.every(isOrdered) ? property : undefined;
}

/** Numbers and moments have an order that is the same everywhere. */
export function isOrdered(shape: Shape): boolean {
  return shape.mainType === 'integer' || shape.mainType === 'number' || isMoment(shape);
}

function isMoment(shape: Shape): boolean {
  const format = shape.find('format')?.value;
  return shape.mainType === 'string' && (format === 'date' || format === 'date-time');
}

/** The values that a query gives for a bound; undefined: it does not name it. */
export function boundValue({ parameter, key }: Bound, query: Readonly<Record<string, unknown>>): unknown {
  const value = query[parameter.name];
  return key === undefined ? value : (value as Readonly<Record<string, unknown>> | undefined)?.[key];
}

/** On which side of a bound a value lies; undefined: nobody can say. */
export function isWithin(
  { side, inclusive }: Pick<Bound, 'side' | 'inclusive'>,
  value: unknown,
  bound: unknown,
): boolean | undefined {
  const order = compareOrdered(value, bound);
  if (order === undefined) return undefined;
  if (order === 0) return inclusive;
  return side === 'least' ? order > 0 : order < 0;
}

/** Numbers by their size, moments by the time; undefined: they are not of one kind. */
export function compareOrdered(left: unknown, right: unknown): number | undefined {
  const [one, other] = [left, right].map(sizeOf);
  if (one === undefined || other === undefined || (typeof left === 'string') !== (typeof right === 'string'))
    return undefined;
  return one < other ? -1 : one > other ? 1 : 0;
}

const MOMENT = /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:?\d\d))?$/;

function sizeOf(value: unknown): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value !== 'string' || !MOMENT.test(value)) return undefined;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
}
