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

/** What responses have shown, by its name: a parameter of which nothing else is known may take it. */
export interface Harvest {
  /** Takes note of the values of a successful response, and of those of its path. */
  note(exchange: Exchange): void;
  /** Values that a parameter may take, the likeliest first. */
  valuesFor(operation: Operation, parameter: Parameter): readonly unknown[];
}

/** Of the items of a list, and of the levels of a value, so many are looked at. */
const MOST_ITEMS = 40;
const DEEPEST = 4;
/** So many values of one name an operation gives, and so many responses of it are looked at. */
const MOST_VALUES = 5;
const MOST_RESPONSES = 3;
/** A longer text is no name. */
const LONGEST = 80;

/** Names by folded nouns in the singular. `inner`: a member of what has the name, as the code of a currency is. */
interface Shown {
  readonly named: Map<string, unknown[]>;
  readonly inner: Map<string, unknown[]>;
  responses: number;
}

/** @param isOwn whether the run has made a value up */
export function createHarvest(
  { operations }: Pick<Contract, 'operations'>,
  isOwn: (value: unknown) => boolean,
): Harvest {
  const shown = new Map<Operation, Shown>();

  function put(map: Map<string, unknown[]>, name: string, value: unknown): void {
    const isScalar = ['string', 'number', 'bigint'].includes(typeof value);
    const known = map.get(name) ?? [];
    if (!isScalar || isAbsent(value) || String(value).length > LONGEST || isOwn(value)) return;
    if (name === '' || known.length >= MOST_VALUES || known.includes(value)) return;
    map.set(name, [...known, value]);
  }

  /** @param noun what the value is called, in the singular */
  function look(into: Shown, value: unknown, noun: string, depth: number): void {
    if (depth > DEEPEST) return;
    if (Array.isArray(value)) {
      for (const item of value.slice(0, MOST_ITEMS)) look(into, item, noun, depth);
    } else if (isRecord(value)) {
      for (const [name, member] of Object.entries(value)) {
        // A secret of somebody else is not sent on.
        if (typeof member !== 'object' && isSecretName(name)) continue;
        const own = singularName(name);
        put(into.inner, noun, member);
        put(into.named, noun + own, member);
        look(into, member, own, depth + 1);
      }
    } else put(into.named, noun, value);
  }

  return {
    note({ operation, input, response }) {
      if (!isSuccess(response)) return;
      const into = shown.get(operation) ?? { named: new Map(), inner: new Map(), responses: 0 };
      into.responses += 1;
      if (into.responses > MOST_RESPONSES) return;
      shown.set(operation, into);
      for (const [name, value] of Object.entries(input.path ?? {}))
        put(into.named, singularName(name), value);
      const json = jsonOf(response);
      // What one record shows as texts is not called like the record.
      const isPart = operation.path.endsWith('}') && !isRecord(json);
      look(into, json, isPart ? '' : recordName(operation.path), 0);
    },
    valuesFor(operation, { name, shape, in: place }) {
      const nearest = operations
        .filter((one) => shown.has(one))
        .toSorted((one, other) => shared(other, operation) - shared(one, operation));
      const found = (part: 'named' | 'inner', isMeant: (noun: string) => boolean) =>
        nearest.flatMap((one) =>
          [...(shown.get(one)?.[part] ?? [])].flatMap(([noun, values]) => (isMeant(noun) ? values : [])),
        );
      const wanted = wantedNames(operation, name);
      const alike = (noun: string) => resembles(noun, name);
      const all = [
        ...wanted.flatMap((own) => found('named', (noun) => withoutDigits(noun) === own)),
        ...wanted.flatMap((own) => found('inner', (noun) => withoutDigits(noun) === own)),
        ...found('named', alike),
        ...found('inner', alike),
      ].map((value) => asTyped(value, shape.mainType));
      // An encoded slash is a step of the path to many servers.
      const mayBeSent = (value: unknown) => place !== 'path' || !String(value).includes('/');
      return [...new Set(all)].filter((value) => mayBeSent(value) && roughlyFits(shape, value));
    },
  };
}

/** A path may have as a text what a body has as a number. */
const asTyped = (value: unknown, type: string | undefined) => (type === 'string' ? String(value) : value);

/** The segments at the beginning that two paths have in common. */
function shared(one: Operation, other: Operation): number {
  const [left, right] = [one.path.split('/'), other.path.split('/')];
  const end = left.findIndex((segment, index) => segment !== right[index]);
  return end === -1 ? left.length : end;
}

/** Words behind the noun that say how it is named: `serviceName` of `/services`. */
const NAMING: ReadonlySet<string> = new Set(['name', 'key', 'code', 'slug', 'title']);

/** The names under which values for a parameter may have been seen, the surest first. */
function wantedNames({ path }: Operation, name: string): string[] {
  const own = singularName(name);
  const [above = path] = path.includes(`{${name}}`) ? path.split(`/{${name}}`) : [];
  const before = recordName(above);
  const words = wordsOf(name);
  const isNaming = NAMING.has(singular(words.at(-1) ?? '')) || idWord(name) !== undefined;
  const stem = isNaming ? singularName(words.slice(0, -1).join('-')) : '';
  // An `id` is that of what stands before it.
  const alone =
    isNaming && stem === '' ? [before + own, ...(idWord(name) ? [] : [own])] : [own, before + own];
  return [...new Set([...alone, stem, ...(before === '' ? [] : [before])])].filter((one) => one !== '');
}

const withoutDigits = (noun: string) => noun.replace(/\d+/g, '');

/** `language` and `lang`, `countryCode` and `codes`: the beginning or the end is the same. */
function resembles(noun: string, name: string): boolean {
  const wanted = singularName(name);
  if (wanted.length < SHORTEST || idWord(name) !== undefined) return false;
  return noun.startsWith(wanted) || noun.endsWith(wanted);
}

/** A shorter name has nothing in common with others. */
const SHORTEST = 4;
