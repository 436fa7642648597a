import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import type { Shape } from '../schema/shape.ts';
import { type StatedOrder, statedDirections, statedOrder } from '../stated.ts';
import type { Basis } from './basis.ts';
import { memberNamed } from './member-named.ts';

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

const ORDER = /^(?:sort|sort_?(?:by|field|key|column)|order|order_?(?:by|field)|ordering)$/i;
const DIRECTION = /^(?:order|dir|direction|(?:sort|order)_?(?:order|dir|direction))$/i;
const DESCENDING = /^desc(?:ending)?$/i;
const WORD = /^(?:asc|desc)(?:ending)?$/i;
/** `-name`, `name:desc`, `name desc`, `name,desc`, `name_desc`. */
const FORM = /^([-+]?)([^,]+?)(?:[\s:,._|]+((?:asc|desc)(?:ending)?))?$/i;

/** How a list is ordered; undefined: no parameter says so. */
export function orderOf(list: Operation, record: Shape): Order | undefined {
  const inQuery = list.parameters.filter((one) => one.in === 'query');
  const orders = inQuery.filter((one) => ORDER.test(one.name) && isText(one) && !isDirection(one));
  const parameter = orders.find((one) => describedWords(one).length === 0) ?? orders[0];
  if (!parameter) return undefined;
  const others = inQuery.filter((one) => one !== parameter);
  const direction =
    others.find((one) => DIRECTION.test(one.name) && isDirection(one)) ??
    others.find(
      (one) => (DIRECTION.test(one.name) || orders.includes(one)) && describedWords(one).length > 0,
    );
  const values = (valuesOf(parameter) ?? []).filter((value) => typeof value === 'string');
  const stated = statedOrder(list, parameter);
  const certain = values.length > 0 && values.every((text) => keyOf(text, record, false));
  const base = {
    parameter,
    direction,
    record,
    because: parameter.spot,
    certainty: certain || stated ? 'promised' : 'presumed',
    hasBothForms: values.some(isDescending) || stated?.namesDescending === true,
  } as const;
  const texts =
    values.length > 0
      ? values
      : stated
        ? membersIn(stated, record).flatMap((name) => formsOf(name, stated))
        : [];
  const isListed = values.length > 0;
  const choices = texts.flatMap((text) => choicesOf({ ...base, choices: [] }, text, isListed));
  return { ...base, choices };
}

const isText = ({ shape }: Parameter) => (shape.items ?? shape).mainType === 'string';

const valuesOf = ({ shape }: Parameter) => shape.values ?? shape.items?.values;

function isDirection(parameter: Parameter): boolean {
  const values = valuesOf(parameter)?.filter((value) => value !== null) ?? [];
  return values.length > 0 && values.every((value) => WORD.test(String(value)));
}

/** The words for a direction that a description alone names. */
function describedWords(parameter: Parameter): readonly string[] {
  return isText(parameter) && !valuesOf(parameter) ? statedDirections(parameter) : [];
}

function isDescending(text: string): boolean {
  const [, sign, , word] = FORM.exec(text) ?? [];
  return sign === '-' || DESCENDING.test(word ?? '');
}

function membersIn({ words }: StatedOrder, record: Shape): string[] {
  return [...record.properties.keys()].filter((name) => words.includes(name));
}

function formsOf(name: string, { hasSign }: StatedOrder): string[] {
  return hasSign ? [name, `-${name}`] : [name];
}

function choicesOf(order: Order, text: string, isListed: boolean): OrderChoice[] {
  const { parameter, direction } = order;
  const directions = direction ? (valuesOf(direction) ?? describedWords(direction)).map(String) : [undefined];
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
