import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import type { Shape } from '../schema/shape.ts';
import { type Basis, basisOf, type Sign } from './basis.ts';
import { memberNamed } from './member-named.ts';
import { foldedName } from './names.ts';
import {
  HEDGES,
  has,
  isTakenBack,
  listed,
  membersBehind,
  sentencesAbout,
  spoken,
  textOfParameter,
} from './words.ts';

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
  /** An enumeration has it: a description alone may leave out what else the service asks of it. */
  readonly isListed: boolean;
}

const ORDER = listed('sort|sortby|sortfield|sortkey|sortcolumn|order|orderby|orderfield|ordering');
const DIRECTION = listed(
  'order|dir|direction|sortorder|sortdir|sortdirection|orderorder|orderdir|orderdirection',
);
const isNamed = ({ name }: Parameter, names: readonly string[]) => names.includes(foldedName(name));
const SORTS = ['sort', 'sorts', 'sorted', 'sorting', 'order', 'orders', 'ordered', 'ordering'];
const DESCENDING = /^desc(?:ending)?$/i;
const WORD = /^(?:asc|desc)(?:ending)?$/i;
/** `-name`, `name:desc`, `name desc`, `name,desc`, `name_desc`. */
const FORM = /^([-+]?)([^,]+?)(?:[\s:,._|]+((?:asc|desc)(?:ending)?))?$/i;

/** What `x-paddock` says of an order. */
export interface OrderChoosing extends Pick<Order, 'parameter' | 'direction'> {
  /** Empty: it does not say which. */
  readonly members: readonly string[];
  readonly basis: Basis;
}

/** How a list is ordered; undefined: no parameter says so. */
export function orderOf(list: Operation, record: Shape, said?: OrderChoosing): Order | undefined {
  const inQuery = list.parameters.filter((one) => one.in === 'query');
  const orders = inQuery.filter(
    (one) => isNamed(one, ORDER) && (one.shape.items ?? one.shape).mainType === 'string',
  );
  const parameter =
    said?.parameter ??
    orders.find((one) => directionsOf(one).length === 0) ??
    orders.find((one) => !valuesOf(one));
  if (!parameter || (!said && isTakenBack(parameter))) return undefined;
  const isDirection = (one: Parameter) =>
    one !== parameter && (isNamed(one, DIRECTION) || orders.includes(one)) && directionsOf(one).length > 0;
  const direction = said?.direction ?? inQuery.find(isDirection);
  const values = (valuesOf(parameter) ?? []).filter((value) => typeof value === 'string');
  const stated = statedOrder(list, parameter, record);
  const isListed = values.length > 0;
  const signs: Sign[] = ['name'];
  if (isListed && !stated.isHedged && values.every((text) => keyOf(text, record, false)))
    signs.push('schema');
  if (stated.members.length > 0) signs.push('words');
  const order: Order = {
    ...{ parameter, direction, record, choices: [], ...(said?.basis ?? basisOf(signs, parameter.spot)) },
    hasBothForms: values.some(isDescending) || stated.hasSign || stated.namesDescending,
  };
  const named = said?.members ?? stated.members;
  const texts = isListed ? values : named.flatMap((name) => (stated.hasSign ? [name, `-${name}`] : [name]));
  return { ...order, choices: texts.flatMap((text) => choicesOf(order, text, isListed)) };
}

const valuesOf = ({ shape }: Parameter) => shape.values ?? shape.items?.values;

/** `asc` and `desc`, where an enumeration has nothing else, or a description alone has both as words of their own. */
function directionsOf(parameter: Parameter): readonly string[] {
  const values = valuesOf(parameter)
    ?.filter((value) => value !== null)
    .map(String);
  if (values) return values.every((value) => WORD.test(value)) ? values : [];
  // `name:desc` is the form of a value.
  const words = textOfParameter(parameter)
    .toLowerCase()
    .split(/[\s"'`()/|]+|[.,;](?=\s|$)/);
  const found = [...new Set(words)].filter((word) => WORD.test(word));
  const down = found.filter((word) => DESCENDING.test(word));
  return down.length > 0 && down.length < found.length ? found : [];
}

function isDescending(text: string): boolean {
  const [, sign, , word] = FORM.exec(text) ?? [];
  return sign === '-' || DESCENDING.test(word ?? '');
}

/** What descriptions state of the order that a parameter asks for. */
function statedOrder(list: Operation, parameter: Parameter, record: Shape) {
  const names = [...record.properties.keys()];
  const own = textOfParameter(parameter);
  // A colon leads to the members.
  const sentences = sentencesAbout(list, parameter, /(?<=[.;!?])\s/);
  const members = sentences.flatMap((one) => {
    const from = Math.min(...SORTS.map((word) => one.indexOf(` ${word} `)).filter((at) => at >= 0));
    return has(one, HEDGES) || from > one.length ? [] : membersBehind(one.slice(from), ['by', 'on'], names);
  });
  return {
    members: names.filter((name) => members.includes(name)),
    hasSign:
      has(spoken(own), ['minus', 'hyphen', 'dash']) ||
      ["'-", '"-', '`-', ...members.map((name) => `-${name}`)].some((sign) => own.includes(sign)),
    isHedged: sentences.some((one) => has(one, HEDGES)),
    namesDescending: has(spoken(own), ['desc', 'descending']),
  };
}

function choicesOf(order: Order, text: string, isListed: boolean): OrderChoice[] {
  const { parameter, direction } = order;
  const directions = direction ? directionsOf(direction) : [undefined];
  return directions.flatMap((word) => {
    const query = {
      [parameter.name]: text,
      ...(direction && word !== undefined && { [direction.name]: word }),
    };
    const keys = readOrder(order, query);
    return keys ? [{ query, keys, isListed }] : [];
  });
}

/** The members that a query orders by, the first one first; undefined: it names none. */
export function readOrder(
  order: Order,
  query: Readonly<Record<string, unknown>>,
): readonly SortKey[] | undefined {
  const { parameter, direction, record, hasBothForms } = order;
  const given = [query[parameter.name]].flat().filter((one) => typeof one === 'string');
  const word = direction && query[direction.name];
  const ascends = direction || !hasBothForms ? undefined : false;
  const descending = typeof word === 'string' ? DESCENDING.test(word) : ascends;
  const keys: SortKey[] = [];
  for (const text of given.flatMap((one) => (keyOf(one, record, undefined) ? [one] : one.split(',')))) {
    const key = keyOf(text.trim(), record, descending);
    const last = keys.at(-1);
    if (key) keys.push(key);
    else if (last && WORD.test(text)) keys.splice(-1, 1, { ...last, descending: DESCENDING.test(text) });
    else return undefined;
  }
  return keys.length > 0 ? keys : undefined;
}

function keyOf(text: string, record: Shape, descending: boolean | undefined): SortKey | undefined {
  if (memberNamed(record, text) === text) return { property: text, descending };
  const [, sign, name = '', word] = FORM.exec(text) ?? [];
  const property = memberNamed(record, name);
  if (property === undefined) return undefined;
  if (word) return { property, descending: DESCENDING.test(word) };
  return { property, descending: sign ? sign === '-' : descending };
}
