import {
  type Data,
  formsOf,
  isEqual,
  isRecord,
  type Resource,
  roughlyFits,
  type Shape,
  saidOfRecord,
} from '#spec';
import { someWithin } from './forms.ts';

/**
 * Members of one direction: only the service sets `readOnly` ones, and it never shows `writeOnly` ones (OpenAPI 3.1
 * §4.8.24).
 */
type OneWay = 'readOnly' | 'writeOnly';

/** Whether a schema has such members, at any depth. */
export const hasOneWay = (shape: Shape | undefined, way: OneWay): boolean =>
  someWithin(shape, (one) => [...one.properties.keys()].some((name) => isMarked(one, name, way)));

/** A value as responses show it: without `writeOnly` members, at any depth. */
export function withoutWriteOnly(shape: Shape | undefined, value: unknown): unknown {
  if (!shape || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutWriteOnly(itemsOf(shape), item));
  const forms = formsFor(shape, value);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): [string, unknown][] =>
      isOneWay(forms, name, 'writeOnly') ? [] : [[name, withoutWriteOnly(memberOf(forms, name), member)]],
    ),
  );
}

/** Whether an object's member refers to a record of a collection. */
type NamesRecord = (form: Shape, name: string, value: unknown) => boolean;

/** Compiles whether a member is the id in an embedded record, which is how clients refer to it: `{"pet": {"id": 3}}`. */
export function compileNamesRecord(resources: readonly Resource[]): NamesRecord {
  return ({ parts }, name, value) =>
    resources.some(
      ({ id, shape }) =>
        id?.property === name &&
        parts.some((part) => part.value === shape.spot.value) &&
        roughlyFits(id.shape, value),
    );
}

/** The schemas of one value: the request's, and the record's. */
interface Described {
  readonly sent?: Shape | undefined;
  readonly kept?: Shape | undefined;
}

/**
 * A sent value whose `readOnly` members, at any depth, keep their old values: what clients send for them is ignored, and
 * missing ones are filled in later. Items of a list are matched by their `readOnly` members.
 * @param old undefined: there is none
 */
export function withOldReadOnly(
  { sent, kept }: Described,
  value: unknown,
  old?: unknown,
  namesRecord: NamesRecord = () => false,
): unknown {
  if (Array.isArray(value)) {
    const items = { sent: sent && itemsOf(sent), kept: kept && itemsOf(kept) };
    return value.map((item) => withOldReadOnly(items, item, sameItem(items, item, old), namesRecord));
  }
  if (!isRecord(value)) return value;
  const before = isRecord(old) ? old : {};
  const isReadOnly = compileIsReadOnly({ sent, kept }, value, namesRecord);
  const of = (shape: Shape | undefined, name: string) => shape && memberOf(formsFor(shape, value), name);
  const written = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const inner = { sent: of(sent, name), kept: of(kept, name) };
    return isReadOnly(name) ? [] : [[name, withOldReadOnly(inner, member, before[name], namesRecord)]];
  });
  const readOnlyMembers = Object.entries(before).filter(([name]) => isReadOnly(name));
  return Object.fromEntries([...readOnlyMembers, ...written]);
}

/** A request schema that names the member takes precedence over the record's. */
function compileIsReadOnly(
  { sent, kept }: Described,
  value: Data,
  namesRecord: NamesRecord = () => false,
): (name: string) => boolean {
  const inRequest = sent ? formsFor(sent, value) : [];
  const inRecord = kept ? formsFor(kept, value) : [];
  return (name) => {
    const forms = inRequest.some(({ properties }) => properties.has(name)) ? inRequest : inRecord;
    const isName = Object.hasOwn(value, name) && forms.some((form) => namesRecord(form, name, value[name]));
    return isOneWay(forms, name, 'readOnly') && !isName;
  };
}

function sameItem(described: Described, item: unknown, old: unknown): unknown {
  if (!isRecord(item) || !Array.isArray(old)) return undefined;
  const names = Object.keys(item).filter(compileIsReadOnly(described, item));
  if (names.length === 0) return undefined;
  return old.find((one) => isRecord(one) && names.every((name) => isEqual(one[name], item[name])));
}

/** Whether every form with the member marks it so. */
function isOneWay(forms: readonly Shape[], name: string, way: OneWay): boolean {
  const having = forms.filter(({ properties }) => properties.has(name));
  return having.length > 0 && having.every((form) => isMarked(form, name, way));
}

/** Marked by the keyword, or by the record's `x-paddock`. */
function isMarked(form: Shape, name: string, way: OneWay): boolean {
  const isHidden = () => saidOfRecord(form).facts.members?.[name]?.hidden === 'always';
  return form.properties.get(name)?.[way] === true || (way === 'writeOnly' && isHidden());
}

function memberOf(forms: readonly Shape[], name: string): Shape | undefined {
  const described = forms.map(({ properties, additional }) => properties.get(name) ?? additional);
  return described.find((shape) => shape !== undefined);
}

const itemsOf = (shape: Shape) => formsOf(shape).find((form) => form.items)?.items;

/** The forms that a value may have; all of them if it has none. */
function formsFor(shape: Shape, value: unknown): readonly Shape[] {
  const forms = formsOf(shape);
  const fitting = forms.length === 1 ? forms : forms.filter((form) => roughlyFits(form, value));
  return fitting.length > 0 ? fitting : forms;
}
