import { basisOf, type Sign } from '../meaning/basis.ts';
import { memberNamed, memberNames } from '../meaning/member-named.ts';
import { findNamed, foldedName, idStem, idWord, namesSeveral, wordsOf } from '../meaning/names.ts';
import { countShape, mayPage } from '../meaning/paging.ts';
import { type Bound, type Filter, isCalling, isOrdered, type Search } from '../meaning/selection.ts';
import { NO_PART, statedEquality, statedSide } from '../meaning/stated-query.ts';
import {
  HEDGES,
  has,
  isTakenBack,
  listed,
  membersBehind,
  sentencesAbout,
  sentencesIn,
  spoken,
  textOfParameter,
} from '../meaning/words.ts';
import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import type { Shape } from '../schema/shape.ts';
import { memberShape } from './record-schema.ts';
import { idMemberIn, shownNames } from './references.ts';

/**
 * What a query selects: a parameter with the name of a member, however it is written, alone or with a word that compares,
 * lets only records through whose member fits. The name is one sign; the schema, and words of that relation, are others.
 */

export function filtersOf(list: Operation, record: Shape): Filter[] {
  return openIn(list).flatMap((parameter) => filterBy(list, parameter, record) ?? []);
}

const openIn = ({ parameters }: Operation) =>
  parameters.filter((one) => one.in === 'query' && !isTakenBack(one));

function filterBy(list: Operation, parameter: Parameter, record: Shape): Filter | undefined {
  const { name, shape, spot } = parameter;
  const compared = comparedBy(name, shape, record);
  const member = compared && memberShape(record, compared.property);
  if (!compared || !member) return undefined;
  // A switch chooses what is shown of records whose member is none.
  if (shape.mainType === 'boolean' && (member.mainType ?? 'boolean') !== 'boolean') return undefined;
  const stated = statedEquality(list, parameter, member, compared.property);
  const object = [member, member.items].find((one) => one?.mainType === 'object');
  const inner = object && (compared.inner ?? memberMeant(parameter, object));
  // No value of a query is equal to an object: by its name alone a parameter has what that is called, `author` a user name.
  if (object && compared.inner === undefined && (inner === undefined || stated !== 'equal')) {
    const isMeant = shape.mainType !== 'object' && [...object.properties.keys()].some(isCalling);
    return isMeant ? { ...compared, parameter, ...basisOf(['name'], spot) } : undefined;
  }
  // A member of another type is not what a parameter with a name for pages filters by.
  const isPage = mayPage(parameter);
  if (isPage && !countShape({ shape: member.items ?? member })) return undefined;
  const value = (inner === undefined ? member : object?.properties.get(inner)) ?? member;
  const isId = idWord(name) !== undefined && isSameId(shape, value);
  const signs: Sign[] = isPage ? [] : ['name'];
  if (stated !== 'otherwise' && (isId || isSameSchema(shape, value))) signs.push('schema');
  if (stated === 'equal') signs.push('words');
  return { parameter, property: compared.property, inner, ...basisOf(signs, spot) };
}

/** The member of the parameter's name; of `tag` the list `tags` or `tagList`, of `owner_id` the `owner`, or its `id`. */
function comparedBy(
  name: string,
  parameter: Shape,
  record: Shape,
): Pick<Filter, 'property' | 'inner'> | undefined {
  const names = memberNames(record);
  const isSet = (one: string) => memberShape(record, one)?.items?.mainType === 'string';
  const [set, ...sets] = new Set(names.filter((one) => isSet(one) && namesSeveral(one, name)));
  const property = findNamed(names, name) ?? (sets.length > 0 ? undefined : set);
  if (property !== undefined) return { property, inner: undefined };
  const shown = shownNames(new Map([[name, parameter]]), record).get(name);
  const member = shown === undefined ? undefined : memberShape(record, shown);
  const object = member?.items ?? member;
  const stem = idStem(name) ?? '';
  const inner = object && (findNamed(object.properties.keys(), name) ?? idMemberIn(object, stem));
  if (shown !== undefined && inner !== undefined) return { property: shown, inner };
  const scalar = findNamed(names, stem);
  const isSame = scalar !== undefined && isSameId(parameter, memberShape(record, scalar));
  return isSame ? { property: scalar, inner: undefined } : undefined;
}

/** A text without a format may be anything. */
function isSameId(parameter: Shape, member: Shape | undefined): boolean {
  const [own, other] = [parameter, member].map((one) => one?.items ?? one);
  const format = own?.find('format')?.value;
  const isSame = own?.mainType === other?.mainType && format === other?.find('format')?.value;
  return isSame && (own?.mainType === 'integer' || format !== undefined);
}

/** The same enumeration, a boolean, or the same Schema Object by reference. */
function isSameSchema(parameter: Shape, member: Shape): boolean {
  const [own, other] = [parameter, member].map((one) => one.items ?? one) as [Shape, Shape];
  if (own.mainType === 'boolean') return other.mainType === 'boolean';
  const known = other.values;
  if (own.values && known)
    return own.values.every((value) => value === null || known.some((one) => one === value));
  return own.parts.some(({ value }) => other.parts.some((part) => part.value === value));
}

/** The one member of an object that the description of a parameter names: `Filter by author (username)`. */
function memberMeant(parameter: Parameter, { properties }: Shape): string | undefined {
  const text = spoken(textOfParameter(parameter));
  const [named, ...more] = [...properties].filter(
    ([name, { mainType }]) =>
      mainType !== 'object' && mainType !== 'array' && name !== parameter.name && text.includes(spoken(name)),
  );
  return more.length === 0 ? named?.[0] : undefined;
}

type Side = Bound['side'];

const sides = (side: Side, words: string) => words.split('|').map((word) => [word, { side }] as const);
/** Words that compare, before or behind the name of a member; of `gt` and the like the name is an operator. */
const COMPARISONS: ReadonlyMap<string, { readonly side: Side; readonly inclusive?: boolean }> = new Map([
  ...sides('least', 'after|since|from|min|minimum|start|newer|greater|lower'),
  ...sides('most', 'before|until|till|to|max|maximum|end|older|less|upper'),
  ...(['gt', 'gte'] as const).map((word) => [word, { side: 'least', inclusive: word === 'gte' }] as const),
  ...(['lt', 'lte'] as const).map((word) => [word, { side: 'most', inclusive: word === 'lte' }] as const),
]);

/** The bounds that the parameters of a list set: `created_after`, `priceMin`, `min_price`, `price[gte]`, `price__lt`. */
export function boundsOf(list: Operation, record: Shape): Bound[] {
  return openIn(list).flatMap((parameter) => {
    const { name, shape, spot } = parameter;
    if (shape.mainType === 'object') {
      // `price[gte]=3` of a parameter `price` in the style `deepObject`.
      const property = orderedMember(record, name);
      return [...shape.properties.keys()].flatMap((key): Bound[] => {
        const { side, inclusive } = COMPARISONS.get(key.toLowerCase()) ?? {};
        if (property === undefined || !side || inclusive === undefined) return [];
        return [{ side, inclusive, parameter, key, property, ...basisOf(['name', 'schema'], spot) }];
      });
    }
    if (memberNamed(record, name) === name || !isOrdered(shape)) return [];
    const words = wordsOf(name).filter((word) => word !== 'than');
    const parts = [
      [words.at(-1) ?? '', words.slice(0, -1)],
      [words[0] ?? '', words.slice(1)],
    ] as const;
    const found = parts.flatMap(([word, rest]): Bound[] => {
      const comparison = COMPARISONS.get(word);
      const property = orderedMember(record, rest.join('_'));
      if (!comparison || property === undefined) return [];
      const { side } = comparison;
      const isOperator = comparison.inclusive !== undefined;
      const stated = statedSide(sentencesAbout(list, parameter), property, side);
      const signs: Sign[] = ['name'];
      if (isOperator && MARKS.some((mark) => name.includes(mark + word))) signs.push('schema');
      if (stated) signs.push('words');
      const inclusive = isOperator ? comparison.inclusive : stated?.inclusive;
      return [{ parameter, key: undefined, property, side, inclusive, ...basisOf(signs, spot) }];
    });
    return found.slice(0, 1);
  });
}

const MARKS = ['[', '__', '.', ':'];

function orderedMember(record: Shape, name: string): string | undefined {
  const property = name === '' ? undefined : memberNamed(record, name);
  if (property === undefined) return undefined;
  const found = [record, ...record.alternatives].flatMap(({ properties }) => properties.get(property) ?? []);
  return found.length > 0 && found.every(isOrdered) ? property : undefined;
}

const SEARCHING = listed(
  'q|query|search|searchterm|searchtext|searchquery|searchstring|keyword|keywords|term|text',
);
const LOOKS = listed('search~|look|looks|looked|find|finds|match~|whose|contain|contains|containing');
const PLACES = listed('in|by|on|through|across');
/** The search of a list; undefined: it has none. */
export function searchOf(list: Operation, record: Shape): Search | undefined {
  const parameter = openIn(list).find((one) => {
    const isNamed = SEARCHING.includes(foldedName(one.name));
    const isSaid = one.name === 's' && has(spoken(textOfParameter(one)), ['search~']);
    return one.shape.mainType === 'string' && !record.properties.has(one.name) && (isNamed || isSaid);
  });
  if (!parameter) return undefined;
  const texts = [...record.properties].filter(([, { mainType, values }]) => mainType === 'string' && !values);
  const names = texts.map(([name]) => name);
  const sentences = sentencesIn(textOfParameter(parameter));
  const isPlain = !sentences.some((one) => has(one, [...NO_PART, 'stemming', 'exact']));
  const told = isPlain ? sentences.filter((one) => has(one, LOOKS) && !has(one, HEDGES)) : [];
  const behind = told.flatMap((one) => membersBehind(one, [...LOOKS, ...PLACES], names));
  const members = names.filter((name) => behind.includes(name));
  return {
    parameter,
    members,
    ...basisOf(members.length > 0 ? ['name', 'words'] : ['name'], parameter.spot),
  };
}
