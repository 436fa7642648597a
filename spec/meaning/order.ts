import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import type { Shape } from '../schema/shape.ts';
import { type Basis, basisOf } from './basis.ts';
import { memberNamed } from './member-named.ts';
import { foldedName, setOf } from './names.ts';
import { HEDGES, has, isTakenBack, spoken, textOfParameter } from './words.ts';

/** A member that records are ordered by. */
export interface SortKey {
  readonly property: string;
  /** Undefined: the document does not say whether the least or the greatest comes first. */
  readonly descending: boolean | undefined;
}

/** How a query orders a list: `sort=-name`, `sort=name:desc`, `sort=name&order=desc`. */
export interface Order extends Basis {
  readonly parameter: Parameter;
  /** The parameter that has the direction alone. */
  readonly direction: Parameter | undefined;
  /** Queries that the document names, with what they ask for: what a client may send for sure. */
  readonly choices: readonly OrderChoice[];
  /** The records of the list. */
  readonly record: Shape;
  /** A text without a direction asks for the least first, since another form asks for the greatest. */
  readonly hasBothForms: boolean;
}

export interface OrderChoice {
  readonly query: Readonly<Record<string, string>>;
  readonly keys: readonly SortKey[];
  /** An enumeration has it: what is said alone may leave out what else the service asks of it. */
  readonly isListed: boolean;
}

/** How a list is ordered where no query says so. */
export interface UsualOrder extends Basis {
  /** Empty: by when records were made, which no member says. */
  readonly keys: readonly SortKey[];
}

/** What `x-paddock` says of an order. */
export interface OrderChoosing extends Pick<Order, 'parameter' | 'direction'> {
  /** Empty: it does not say which. */
  readonly members: readonly string[];
  readonly basis: Basis;
}

/** Of the parameter with members, and of the one whose values are directions. */
const NAMES = setOf(
  'sort sortby sortfield sortkey sortcolumn order orderby ordering sortorder sortdir sortdirection dir direction orderdirection',
);
/** Beside another one, a free text of this name has the direction: `sort=price&order=desc`. */
const DIRECTIONS = setOf('order orderdirection sortorder sortdir sortdirection dir direction');
const DESCENDING = /^desc(?:ending)?$/i;
const DIRECTION = /^(?:asc|desc)(?:ending)?$/i;
/** `-name`, `name:desc`, `name desc`, `name,desc`, `name_desc`. */
const FORM = /^([-+]?)([^,]+?)(?:[\s:,._|]+((?:asc|desc)(?:ending)?))?$/i;

const textsOf = ({ shape }: Parameter): readonly string[] =>
  (shape.values ?? shape.items?.values ?? []).filter((value) => typeof value === 'string');

const isDirection = (one: Parameter) =>
  textsOf(one).length > 0 && textsOf(one).every((text) => DIRECTION.test(text));

/** How a list is ordered; undefined: no parameter says so. */
export function orderOf(list: Operation, record: Shape, said?: OrderChoosing): Order | undefined {
  const named = list.parameters.filter(
    ({ name, shape }) => NAMES.has(foldedName(name)) && (shape.items ?? shape).mainType === 'string',
  );
  const isWay = (one: Parameter) =>
    isDirection(one) || (textsOf(one).length === 0 && DIRECTIONS.has(foldedName(one.name)));
  const parameter =
    said?.parameter ?? named.find((one) => !isWay(one)) ?? named.find((one) => !isDirection(one));
  if (!parameter || (!said && isTakenBack(parameter))) return undefined;
  const values = textsOf(parameter);
  const words = spoken(textOfParameter(parameter));
  const isListed = values.length > 0 && values.every((text) => keyOf(text, record, false));
  const basis = basisOf(['name', isListed && !has(words, HEDGES) && 'schema'], parameter.spot);
  const order: Order = {
    ...{ parameter, record, choices: [], ...(said?.basis ?? basis) },
    direction: said?.direction ?? named.find((one) => one !== parameter && isWay(one)),
    hasBothForms: values.some(isDescending) || has(words, ['desc', 'descending']),
  };
  const texts = values.length > 0 ? values : (said?.members ?? []);
  return { ...order, choices: texts.flatMap((text) => choicesOf(order, text, values.length > 0)) };
}

function isDescending(text: string): boolean {
  const [, sign, , word = ''] = FORM.exec(text) ?? [];
  return sign === '-' || DESCENDING.test(word);
}

function choicesOf(order: Order, text: string, isListed: boolean): OrderChoice[] {
  const { parameter, direction } = order;
  const queries =
    direction && textsOf(direction).length > 0
      ? textsOf(direction).map((word) => ({ [parameter.name]: text, [direction.name]: word }))
      : [{ [parameter.name]: text }];
  return queries.flatMap((query) => {
    const keys = readOrder(order, query);
    return keys ? [{ query, keys, isListed }] : [];
  });
}

/** The members that a query orders by, the first one first; undefined: it names none. */
export function readOrder(
  { parameter, direction, record, hasBothForms }: Order,
  query: Readonly<Record<string, unknown>>,
): readonly SortKey[] | undefined {
  const given = [query[parameter.name]].flat().filter((one) => typeof one === 'string');
  const word = direction && query[direction.name];
  const usual = direction || !hasBothForms ? undefined : false;
  const descending = typeof word === 'string' ? DESCENDING.test(word) : usual;
  const texts = given.flatMap((one) => (keyOf(one, record, undefined) ? [one] : one.split(',')));
  const keys = texts.map((text) => keyOf(text.trim(), record, descending));
  return keys.length > 0 && keys.every((key) => key !== undefined) ? keys : undefined;
}

function keyOf(text: string, record: Shape, descending: boolean | undefined): SortKey | undefined {
  const [, sign, name = '', word] = FORM.exec(text) ?? [];
  const whole = memberNamed(record, text) === text;
  const property = whole ? text : memberNamed(record, name);
  if (property === undefined) return undefined;
  if (word && !whole) return { property, descending: DESCENDING.test(word) };
  return { property, descending: sign && !whole ? sign === '-' : descending };
}
