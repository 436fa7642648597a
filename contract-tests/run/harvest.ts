import {
  type Contract,
  idWord,
  isRecord,
  isSecretName,
  type Operation,
  type Parameter,
  recordName,
  roughlyFits,
  singular,
  singularName,
  wordsOf,
} from '#spec';
import { isAbsent } from '../send/plan-request.ts';
import { type Exchange, isSuccess, jsonOf } from '../send/response.ts';

/** The values in responses, by name: they serve as values of parameters without another source. */
export interface Harvest {
  /** Records the values of a successful response, and of its path. */
  note(exchange: Exchange): void;
  /** Candidate values for a parameter, the likeliest first. */
  valuesFor(operation: Operation, parameter: Parameter): readonly unknown[];
}

/** The number of list items and of nested levels that are searched. */
const MOST_ITEMS = 40;
const DEEPEST = 4;
/** The number of values per name and operation, and of responses that are searched. */
const MOST_VALUES = 5;
const MOST_RESPONSES = 3;
/** A longer text is no identifier. */
const LONGEST = 80;

/** Values by the folded singular of their noun. `inner`: members of the named thing, such as the code of a currency. */
interface Shown {
  readonly named: Map<string, unknown[]>;
  readonly inner: Map<string, unknown[]>;
  responses: number;
}

/** @param isOwn whether the run made a value up */
export function createHarvest(
  { operations }: Pick<Contract, 'operations'>,
  isOwn: (value: unknown) => boolean,
): Harvest {
  const byOperation = new Map<Operation, Shown>();

  function put(map: Map<string, unknown[]>, name: string, value: unknown): void {
    const isScalar = ['string', 'number', 'bigint'].includes(typeof value);
    const values = map.get(name) ?? [];
    if (!isScalar || isAbsent(value) || String(value).length > LONGEST || isOwn(value)) return;
    if (name === '' || values.length >= MOST_VALUES || values.includes(value)) return;
    map.set(name, [...values, value]);
  }

  /** @param noun the name of the value, in the singular */
  function look(into: Shown, value: unknown, noun: string, depth: number): void {
    if (depth > DEEPEST) return;
    if (Array.isArray(value)) {
      for (const item of value.slice(0, MOST_ITEMS)) look(into, item, noun, depth);
    } else if (isRecord(value)) {
      for (const [name, member] of Object.entries(value)) {
        // Secrets of others are not sent.
        if (typeof member !== 'object' && isSecretName(name)) continue;
        const base = singularName(name);
        put(into.inner, noun, member);
        put(into.named, noun + base, member);
        look(into, member, base, depth + 1);
      }
    } else put(into.named, noun, value);
  }

  return {
    note({ operation, input, response }) {
      if (!isSuccess(response)) return;
      const into = byOperation.get(operation) ?? { named: new Map(), inner: new Map(), responses: 0 };
      into.responses += 1;
      if (into.responses > MOST_RESPONSES) return;
      byOperation.set(operation, into);
      for (const [name, value] of Object.entries(input.path ?? {}))
        put(into.named, singularName(name), value);
      const json = jsonOf(response);
      // Texts in a single record do not have the record's name.
      const isPart = operation.path.endsWith('}') && !isRecord(json);
      look(into, json, isPart ? '' : recordName(operation.path), 0);
    },
    valuesFor(operation, { name, shape, in: place }) {
      const nearest = operations
        .filter((one) => byOperation.has(one))
        .toSorted((left, right) => shared(right, operation) - shared(left, operation));
      const valuesIn = (part: 'named' | 'inner', isMeant: (noun: string) => boolean) =>
        nearest.flatMap((one) =>
          [...(byOperation.get(one)?.[part] ?? [])].flatMap(([noun, values]) =>
            isMeant(noun) ? values : [],
          ),
        );
      const wanted = wantedNames(operation, name);
      const alike = (noun: string) => resembles(noun, name);
      const all = [
        ...wanted.flatMap((term) => valuesIn('named', (noun) => withoutDigits(noun) === term)),
        ...wanted.flatMap((term) => valuesIn('inner', (noun) => withoutDigits(noun) === term)),
        ...valuesIn('named', alike),
        ...valuesIn('inner', alike),
      ].map((value) => asTyped(value, shape.mainType));
      // Many servers treat an encoded slash as a path separator.
      const mayBeSent = (value: unknown) => place !== 'path' || !String(value).includes('/');
      return [...new Set(all)].filter((value) => mayBeSent(value) && roughlyFits(shape, value));
    },
  };
}

/** A path may type as text what a body types as a number. */
const asTyped = (value: unknown, type: string | undefined) => (type === 'string' ? String(value) : value);

/** The number of leading segments that two paths share. */
function shared(one: Operation, other: Operation): number {
  const [left, right] = [one.path.split('/'), other.path.split('/')];
  const end = left.findIndex((segment, index) => segment !== right[index]);
  return end === -1 ? left.length : end;
}

/** Words after the noun that denote an identifier: `serviceName` for `/services`. */
const NAMING: ReadonlySet<string> = new Set(['name', 'key', 'code', 'slug', 'title']);

/** The names under which values for a parameter may be recorded, the most specific first. */
function wantedNames({ path }: Operation, name: string): string[] {
  const base = singularName(name);
  const [above = path] = path.includes(`{${name}}`) ? path.split(`/{${name}}`) : [];
  const before = recordName(above);
  const words = wordsOf(name);
  const isNaming = NAMING.has(singular(words.at(-1) ?? '')) || idWord(name) !== undefined;
  const stem = isNaming ? singularName(words.slice(0, -1).join('-')) : '';
  // An `id` belongs to the segment before it.
  const alone =
    isNaming && stem === '' ? [before + base, ...(idWord(name) ? [] : [base])] : [base, before + base];
  return [...new Set([...alone, stem, ...(before === '' ? [] : [before])])].filter((one) => one !== '');
}

const withoutDigits = (noun: string) => noun.replace(/\d+/g, '');

/** Whether two names share a beginning or end: `language` and `lang`, `countryCode` and `codes`. */
function resembles(noun: string, name: string): boolean {
  const wanted = singularName(name);
  if (wanted.length < SHORTEST || idWord(name) !== undefined) return false;
  return noun.startsWith(wanted) || noun.endsWith(wanted);
}

/** Shorter names match by accident. */
const SHORTEST = 4;
