import {
  type Data,
  type Direction,
  formsOf,
  fullyFits,
  isRecord,
  nameHint,
  type Place,
  placeOf,
  pointerTokens,
  type Shape,
  showPlace,
  stringifyJson,
  type Violation,
} from '#spec';
import { formOf, keepsUnnamed } from '../records/forms.ts';

const itemsOf = (shape: Shape) => formsOf(shape).find((form) => form.items)?.items;

/** The value with only the required members of each object, wherever it fits without the others. */
export function minimal(shape: Shape, value: unknown, direction: Direction): unknown {
  if (Array.isArray(value)) {
    const items = itemsOf(shape);
    return items ? value.map((item) => minimal(items, item, direction)) : value;
  }
  if (!isRecord(value)) return value;
  const { properties, required } = formOf(shape, value);
  if (properties.size === 0) return value;
  const within = Object.entries(value).map(([name, member]): [string, unknown] => {
    const inner = properties.get(name);
    return [name, inner ? minimal(inner, member, direction) : member];
  });
  const least = Object.fromEntries(within.filter(([name]) => required.has(name)));
  return fullyFits(shape, least, direction) ? least : Object.fromEntries(within);
}

/** The value with missing members from another one. */
export function filled(shape: Shape, value: unknown, from: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(from)) {
    const items = itemsOf(shape);
    return items ? value.map((item, index) => filled(items, item, from[index])) : value;
  }
  if (!isRecord(value) || !isRecord(from)) return value;
  const { properties } = formOf(shape, value);
  const entries = Object.entries(value);
  const members = [...properties].flatMap(([name, inner]): [string, unknown][] => {
    if (!Object.hasOwn(value, name)) return Object.hasOwn(from, name) ? [[name, from[name]]] : [];
    return [[name, filled(inner, value[name], from[name])]];
  });
  return Object.fromEntries([...members, ...entries.filter(([name]) => !properties.has(name))]);
}

/** The members of a record that a schema names, and that fit. */
export function shownIn(shape: Shape, record: Data, direction: Direction): Data {
  const isHidden = ({ readOnly, writeOnly }: Shape) => (direction === 'request' ? readOnly : writeOnly);
  const entries = [...formOf(shape, record).properties].flatMap(([name, member]): [string, unknown][] => {
    if (!Object.hasOwn(record, name) || isHidden(member)) return [];
    return fullyFits(member, record[name], direction) ? [[name, record[name]]] : [];
  });
  return Object.fromEntries(entries);
}

/** The overrides that no schema names. */
export function unnamed(
  shape: Shape,
  value: unknown,
  overrides: unknown,
  path: readonly string[] = [],
): FactoryProblem[] {
  if (Array.isArray(overrides) && Array.isArray(value)) {
    const items = itemsOf(shape);
    return items
      ? overrides.flatMap((override, index) => unnamed(items, value[index], override, [...path, `${index}`]))
      : [];
  }
  if (!isRecord(overrides) || !isRecord(value) || keepsUnnamed(shape) || shape.find('patternProperties'))
    return [];
  const form = formOf(shape, value);
  return Object.entries(overrides).flatMap(([name, override]): FactoryProblem[] => {
    const inner = form.properties.get(name);
    if (inner) return unnamed(inner, value[name], override, [...path, name]);
    if (form.required.has(name)) return [];
    const remedy = nameHint(name, [...form.properties.keys()]);
    const at = showPlace(placeOf(form.spot));
    return [{ member: [...path, name].join('.'), message: 'is no member of the schema', at, remedy }];
  });
}

/**
 * A value with overrides: objects are merged by member, and `undefined` removes one. A list in overrides sets the length,
 * and each of its objects is merged into the item at its index.
 */
export function merged(value: unknown, overrides: unknown): unknown {
  if (overrides === undefined) return value;
  if (Array.isArray(overrides))
    return overrides.map((override, index) =>
      merged(Array.isArray(value) ? value[index] : undefined, override),
    );
  if (!isPlain(overrides)) return overrides;
  const entries = Object.entries(isRecord(value) ? value : {}).filter(
    ([name]) => !Object.hasOwn(overrides, name) || overrides[name] !== undefined,
  );
  const kept = Object.fromEntries(entries);
  const changes = Object.entries(overrides).flatMap(([name, one]): [string, unknown][] =>
    one === undefined ? [] : [[name, merged(Object.hasOwn(kept, name) ? kept[name] : undefined, one)]],
  );
  return Object.fromEntries([...entries, ...changes]);
}

/** Not a date, for example, which has its own form in JSON. */
function isPlain(value: unknown): value is Data {
  return isRecord(value) && typeof value.toJSON !== 'function';
}

/** Whether overrides affect the value at a path: there, above or below it. */
export function isOverridden(overrides: unknown, path: readonly string[]): boolean {
  if (overrides === undefined) return false;
  const [name, ...rest] = path;
  if (name === undefined || typeof overrides !== 'object' || overrides === null) return true;
  return Object.hasOwn(overrides, name)
    ? rest.length === 0 || isOverridden((overrides as Data)[name], rest)
    : Array.isArray(overrides);
}

/** A reason why a value cannot be made. */
export interface FactoryProblem {
  /** `owner.name`; empty for the whole value, or for a wrong name or status. */
  readonly member: string;
  readonly message: string;
  /** The line of the document: `openapi.yaml:41`. Undefined: no line applies. */
  readonly at: string | undefined;
  readonly remedy: string;
}

/** A value that cannot be made, with all reasons. */
export class FactoryError extends RangeError {
  override readonly name = 'FactoryError';
  readonly problems: readonly FactoryProblem[];

  /** @param call as in the test: `make("Pet")` */
  constructor(call: string, problems: readonly FactoryProblem[]) {
    super([`${call} is not possible:`, ...problems.map(lineOf)].join('\n  '));
    this.problems = problems;
  }
}

function lineOf({ member, message, at, remedy }: FactoryProblem): string {
  const place = at === undefined ? '' : ` (${at})`;
  return `${member === '' ? '' : `${member} `}${message}${place}; ${remedy}`;
}

export function nameProblem(message: string, remedy: string, at?: Place): FactoryProblem {
  return { member: '', message, at: at && showPlace(at), remedy };
}

const LONGEST = 80;

/** @param isOverridden whether overrides affect the value at a path */
export function violationProblem(
  { pointer, keyword, expected, received, at }: Violation,
  isOverridden: (path: readonly string[]) => boolean,
): FactoryProblem {
  const path = pointerTokens(pointer);
  const text = keyword === 'required' ? '' : (stringifyJson(received) ?? '');
  const suffix = text === '' || text.length > LONGEST ? '' : `, not ${text}`;
  const remedy = isOverridden(path)
    ? 'change the override, or the document'
    : 'no value of our own fits the document there: give one in the overrides';
  return { member: path.join('.'), message: `${expected}${suffix}`, at: showPlace(at), remedy };
}
