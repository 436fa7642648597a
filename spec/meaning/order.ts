import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import type { Shape } from '../schema/shape.ts';
import { type Basis, basisOf } from './basis.ts';
import { memberNamed } from './member-named.ts';
import { foldedName, setOf } from './names.ts';
import { HEDGES, has, isTakenBack, spoken, textOfParameter } from './words.ts';

/** A member that records are ordered by, and in which direction. */
export interface SortKey {
  readonly property: string;
  /** Undefined: the document does not state the direction. */
  readonly descending: boolean | undefined;
}

/** How a query orders a list: `sort=-name`, `sort=name:desc`, `sort=name&order=desc`. */
export interface Order extends Basis {
  readonly parameter: Parameter;
  /** The separate parameter for the direction. */
  readonly direction: Parameter | undefined;
  /** The queries that the document names, with their meaning: a client may rely on these. */
  readonly choices: readonly OrderChoice[];
  /** The schema of the list's records. */
  readonly record: Shape;
  /** There is a form for descending order, so that a text without a direction means ascending. */
  readonly hasBothForms: boolean;
}

export interface OrderChoice {
  readonly query: Readonly<Record<string, string>>;
  readonly keys: readonly SortKey[];
  /** From an enumeration. What only `x-paddock` says may lack something that the service requires. */
  readonly isListed: boolean;
}

/** How a list is ordered without a query. */
export interface UsualOrder extends Basis {
  /** Empty: by the time of creation, for which the record has no member. */
  readonly keys: readonly SortKey[];
}

/** The order parameters that `x-paddock` names. */
export interface OrderChoosing extends Pick<Order, 'parameter' | 'direction'> {
  /** Empty: it names no members. */
  readonly members: readonly string[];
  readonly basis: Basis;
}

/** Names of parameters with members to order by, or with directions. */
const NAMES = setOf(
  'sort sortby sortfield sortkey sortcolumn order orderby ordering sortorder sortdir sortdirection dir direction orderdirection',
);
/** Names that mean the direction where another parameter has the members: `sort=price&order=desc`. */
const DIRECTIONS = setOf('order orderdirection sortorder sortdir sortdirection dir direction');
const DESCENDING = /^desc(?:ending)?$/i;
const DIRECTION = /^(?:asc|desc)(?:ending)?$/i;
/** `-name`, `name:desc`, `name desc`, `name,desc`, `name_desc`. */
const FORM = /^([-+]?)([^,]+?)(?:[\s:,._|]+((?:asc|desc)(?:ending)?))?$/i;

const textsOf = ({ shape }: Parameter): readonly string[] =>
  (shape.values ?? shape.items?.values ?? []).filter((value) => typeof value === 'string');

const isDirection = (parameter: Parameter) =>
  textsOf(parameter).length > 0 && textsOf(parameter).every((text) => DIRECTION.test(text));

/** How queries order a list; undefined: no parameter orders it. */
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
    parameter,
    record,
    choices: [],
    ...(said?.basis ?? basis),
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

/** The members that a query orders by, in order of precedence; undefined: it names none. */
export function readOrder(
  { parameter, direction, record, hasBothForms }: Order,
  query: Readonly<Record<string, unknown>>,
): readonly SortKey[] | undefined {
  const queried = [query[parameter.name]].flat().filter((one) => typeof one === 'string');
  const word = direction && query[direction.name];
  const usual = direction || !hasBothForms ? undefined : false;
  const descending = typeof word === 'string' ? DESCENDING.test(word) : usual;
  const texts = queried.flatMap((one) => (keyOf(one, record, undefined) ? [one] : one.split(',')));
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
