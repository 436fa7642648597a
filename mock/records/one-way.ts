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

/** Members of one direction: only the service sets what is `readOnly`, and shows nothing that is `writeOnly` (OpenAPI 3.1 §4.8.24). */
type OneWay = 'readOnly' | 'writeOnly';

/** Whether a schema has such members at any depth. */
export const hasOneWay = (shape: Shape | undefined, way: OneWay): boolean =>
  someWithin(shape, (one) => [...one.properties.keys()].some((name) => isMarked(one, name, way)));

/** A value as its schema shows it, without the `writeOnly` members at any depth. */
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

/** Whether a member of an object in this form names a record of a collection. */
type NamesRecord = (form: Shape, name: string, value: unknown) => boolean;

/** Compiles whether a member is the id of a record that is written out, which is how clients refer to it: `{"pet": {"id": 3}}`. */
export function compileNamesRecord(resources: readonly Resource[]): NamesRecord {
  return ({ parts }, name, value) =>
    resources.some(
      ({ id, shape }) =>
        id?.property === name &&
        parts.some((part) => part.value === shape.spot.value) &&
        roughlyFits(id.shape, value),
    );
}

/** The schemas of one value: of the request, and of the record. */
interface Described {
  readonly sent?: Shape | undefined;
  readonly kept?: Shape | undefined;
}

/**
 * A value that a client has sent, with the `readOnly` members at any depth as they were: what the client says of them is
 * ignored, and what is missing is completed later. An item of a list is the one of before that has the same `readOnly` members.
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
  const known = Object.entries(before).filter(([name]) => isReadOnly(name));
  return Object.fromEntries([...known, ...written]);
}

/** A schema of requests that has a member of its own says more of it than that of the record. */
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

/** Whether each form that has the member says so. */
function isOneWay(forms: readonly Shape[], name: string, way: OneWay): boolean {
  const having = forms.filter(({ properties }) => properties.has(name));
  return having.length > 0 && having.every((form) => isMarked(form, name, way));
}

/** By its keyword, or by `x-paddock` of the record. */
function isMarked(form: Shape, name: string, way: OneWay): boolean {
  const isHidden = () => saidOfRecord(form).facts.members?.[name]?.hidden === 'always';
  return form.properties.get(name)?.[way] === true || (way === 'writeOnly' && isHidden());
}

function memberOf(forms: readonly Shape[], name: string): Shape | undefined {
  const described = forms.map(({ properties, additional }) => properties.get(name) ?? additional);
  return described.find((one) => one !== undefined);
}

const itemsOf = (shape: Shape) => formsOf(shape).find((form) => form.items)?.items;

/** The forms that a value may have; all of them where it has none. */
function formsFor(shape: Shape, value: unknown): readonly Shape[] {
  const forms = formsOf(shape);
  const fitting = forms.length === 1 ? forms : forms.filter((form) => roughlyFits(form, value));
  return fitting.length > 0 ? fitting : forms;
}
