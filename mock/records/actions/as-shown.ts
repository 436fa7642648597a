import { formsOf, idWord, isRecord, type Shape, violationsOf } from '#spec';
import { keepsUnnamed } from '../forms.ts';

/** The record's schema has no form for the value. */
export const NOT_SHOWN = Symbol('not shown');

/** Whether a value fits, apart from missing members. */
const fits = (shape: Shape, value: unknown): boolean =>
  violationsOf(shape, value, 'request').every(({ keyword }) => keyword === 'required');

/**
 * Converts a value from the request's form to the record's: a number for its text and the other way round, an object for an
 * id, the shown members of an object or a list; else {@link NOT_SHOWN}. Missing members are filled in later.
 */
export function asShown(shape: Shape, value: unknown): unknown {
  if (fits(shape, value)) return value;
  for (const form of formsOf(shape)) {
    const made = convert(form, value);
    if (made !== NOT_SHOWN && fits(form, made)) return made;
  }
  // Forms cannot send null.
  return value === '' && shape.nullable ? null : NOT_SHOWN;
}

function convert(form: Shape, value: unknown): unknown {
  // The request has an object, and the record the object's id.
  if (isRecord(value) && ['string', 'integer', 'number'].includes(form.mainType ?? '')) {
    const id = Object.entries(value).find(([name]) => idWord(name) !== undefined)?.[1];
    return id === undefined || isRecord(id) ? NOT_SHOWN : asShown(form, id);
  }
  switch (form.mainType) {
    case 'array':
      return itemsOf(form, [value].flat());
    case 'object':
      return isRecord(value) ? membersOf(form, value) : namedBy(form, value);
    case 'string':
      return typeof value === 'number' || typeof value === 'bigint' ? String(value) : NOT_SHOWN;
    case 'integer':
    case 'number':
      return typeof value === 'string' && NUMBER.test(value) ? Number(value) : NOT_SHOWN;
    case 'boolean':
      return value === 'true' || value === 'false' ? value === 'true' : NOT_SHOWN;
    default:
      return NOT_SHOWN;
  }
}

function itemsOf({ items }: Shape, list: readonly unknown[]): unknown[] {
  return items ? list.map((item) => asShown(items, item)).filter((item) => item !== NOT_SHOWN) : [...list];
}

function membersOf(form: Shape, value: Readonly<Record<string, unknown>>): object {
  const isOpen = keepsUnnamed(form);
  const members = Object.entries(value).map(([name, member]): [string, unknown] => {
    const memberForm = form.properties.get(name) ?? form.additional;
    return [name, memberForm ? asShown(memberForm, member) : isOpen ? member : NOT_SHOWN];
  });
  return Object.fromEntries(members.filter(([, member]) => member !== NOT_SHOWN));
}

/** The object for an id, as far as the id tells. */
function namedBy({ properties, required }: Shape, id: unknown): unknown {
  if (id === '' || (typeof id !== 'string' && typeof id !== 'number' && typeof id !== 'bigint'))
    return NOT_SHOWN;
  const [only, ...more] = required.keys();
  const names = [
    'id',
    ...[...properties.keys()].filter((name) => idWord(name) !== undefined),
    ...(more.length === 0 && only ? [only] : []),
  ];
  for (const name of names) {
    const member = properties.get(name);
    const made = member ? asShown(member, id) : NOT_SHOWN;
    if (made !== NOT_SHOWN) return { [name]: made };
  }
  return NOT_SHOWN;
}

const NUMBER = /^-?\d{1,15}(?:\.\d{1,9})?$/;
