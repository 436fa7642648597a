import {
  countShape,
  formsOf,
  isNullable,
  type ListForm,
  listPath,
  type Operation,
  ownEntry,
  type Resource,
  type Shape,
  saysOf,
  stringifyJson,
} from '#spec';
import type { Page } from '../../store/port.ts';
import type { SeedValues } from '../seed/values.ts';
import type { Extent } from './page-signs.ts';
import { asMember, compileEnd, compileLinks, compileSigns, isUrl, type PageRequest } from './page-signs.ts';

/** Returns JSON text. */
type Write = (page: Page, extent: Extent, request: PageRequest) => string;
/** Undefined: leave the member out. */
type WriteMember = (...args: Parameters<Write>) => string | undefined;

/** Compiles the object around a list: its members about the page, and samples for the others. */
export function compileWrapper(
  shape: Shape,
  { list, id }: Resource,
  seeds: SeedValues,
  operation?: Operation,
): Write {
  const { member, members } = list as ListForm;
  const says = operation ? saysOf(operation, true) : {};
  const { says: stated = {} } = operation?.said.facts ?? {};
  const records = listPath(list as ListForm);
  const readOf = compileSigns(list as ListForm, id?.property);
  const endOf = compileEnd(list as ListForm, id?.property);
  const startsWith = (path: readonly string[], start: readonly string[]) =>
    start.every((name, index) => path[index] === name);

  function compileMember(inner: Shape, here: readonly string[], required: boolean): WriteMember | undefined {
    if (here.length === records.length && startsWith(records, here)) {
      const least = required ? 0 : (inner.highest('minItems') ?? 0);
      return ({ text, count }) => (count < least ? undefined : text);
    }
    const below = members.filter(({ path }) => startsWith(path, here));
    const sign = below.find(({ path }) => path.length === here.length);
    if (sign) {
      const read = readOf(sign.says, inner);
      const none = absent(inner, here, required);
      const isOwed =
        required && sign.says === 'next cursor' && none !== 'null' && countShape({ shape: inner });
      return (...args) => asMember(read(...args) ?? (isOwed ? endOf(...args) : undefined), inner) ?? none;
    }
    const [link, ...more] = below;
    if (link && more.length === 0 && isUrl(link.says) && !startsWith(records, here)) {
      const read = readOf(link.says, link.shape);
      const [write, none] = [compileObject(inner, here), absent(inner, here, required)];
      return (...args) => (read(...args) === undefined ? none : write(...args));
    }
    if (link || startsWith(records, here)) return compileObject(inner, here);
    const name = here.join('.');
    const constant = ownEntry(says, name);
    if (constant !== undefined) return () => stringifyJson(constant);
    if (Object.keys(stated).some((one) => one.startsWith(`${name}.`))) return compileObject(inner, here);
    const fixed = required ? sampled(inner, here) : undefined;
    return required ? () => fixed : undefined;
  }

  function sampled(inner: Shape, here: readonly string[]): string {
    return stringifyJson(seeds.sampled(inner, { isShown: true }, member, ...here));
  }

  /**
   * The JSON text of a member without a value: nothing if it is optional, else null or an empty text where the schema
   * allows one.
   */
  function absent(inner: Shape, here: readonly string[], required: boolean): string | undefined {
    if (isNullable(inner)) return 'null';
    if (!required) return undefined;
    const isPlain =
      inner.mainType === 'string' && !['format', 'minLength', 'pattern'].some((one) => inner.find(one));
    return isPlain ? '""' : sampled(inner, here);
  }

  function compileObject(outer: Shape, path: readonly string[]): Write {
    const { properties, required } = formWith(records[path.length], outer);
    const parts = [...properties].flatMap(([name, inner]) => {
      const write = compileMember(inner, [...path, name], required.has(name));
      return write ? [{ name: JSON.stringify(name), write }] : [];
    });
    return (...args) => {
      const texts = parts.flatMap(({ name, write }) => {
        const text = write(...args);
        return text === undefined ? [] : `${name}:${text}`;
      });
      return `{${texts.join(',')}}`;
    };
  }

  return compileObject(shape, []);
}

/** The first form of an object with a given member; the schema itself, if it has no forms. */
function formWith(name: string | undefined, shape: Shape): Shape {
  const forms = formsOf(shape);
  return forms.find(({ properties }) => name === undefined || properties.has(name)) ?? shape;
}

/** The headers of a list with its total and the links to other pages. */
type ListHeaders = (page: Page, extent: Extent, request: PageRequest) => Readonly<Record<string, string>>;

/** Compiles the documented headers of a list about its pages. Undefined: it has none. */
export function compileListHeaders({ list, id }: Resource): ListHeaders | undefined {
  const form = list as ListForm;
  if (form.headers.length === 0) return undefined;
  const readOf = compileSigns(form, id?.property);
  const writers = form.headers.map(({ name, says, shape }) => {
    if (says === 'links') return { name: 'Link', write: compileLinks(form, id?.property) };
    const read = readOf(says, shape);
    const isCount = countShape({ shape }) !== undefined;
    const write: typeof read = (...args) => (isCount ? asMember(read(...args), shape) : read(...args));
    return { name, write };
  });
  return (page, extent, request) => {
    const values = writers.map(({ name, write }) => [name, write(page, extent, request)] as const);
    return Object.fromEntries(
      values.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, String(value)]])),
    );
  };
}
