import { basisOf } from '../meaning/basis.ts';
import { attributesIn, memberNamed, memberNames } from '../meaning/member-named.ts';
import {
  findNamed,
  foldedName,
  idStem,
  idWord,
  namesSeveral,
  sameName,
  setOf,
  singularName,
  wordsOf,
} from '../meaning/names.ts';
import { mayPage } from '../meaning/paging.ts';
import {
  type Bound,
  EQUALS,
  type Filter,
  isCalling,
  isOrdered,
  withoutFilter,
} from '../meaning/selection.ts';
import {
  HEDGES,
  has,
  joined,
  listed,
  marked,
  sentencesIn,
  spoken,
  textOf,
  textOfParameter,
} from '../meaning/words.ts';
import type { Operation } from '../operation.ts';
import type { Parameter } from '../parameter.ts';
import type { Shape } from '../schema/shape.ts';
import { memberMeaning } from './members.ts';
import { memberShape, withoutNull } from './record-schema.ts';
import { idMemberIn, shownNames } from './references.ts';
import { isPart, NO_PART, openIn } from './searches.ts';

/**
 * What a query selects: a parameter with the name of a member, however it is written, alone or with a word that compares,
 * lets only records through whose member fits. The name is one sign; the schema, and words of that relation, are others.
 */

export function filtersOf(list: Operation, record: Shape): Filter[] {
  return openIn(list).flatMap((parameter) =>
    mayPage(parameter) ? [] : (filterBy(list, parameter, record) ?? []),
  );
}

function filterBy(list: Operation, parameter: Parameter, record: Shape): Filter | undefined {
  const { name, shape, spot } = parameter;
  if (spanOf(list, parameter, record)) return undefined;
  const compared = comparedBy(name, shape, record);
  if (!compared) return withValuesOf(parameter, record);
  const member = memberShape(record, compared.property);
  if (!member || (shape.mainType === 'boolean' && isComposed(member))) return undefined;
  // In an object in the record it is found by its name alone.
  if (compared.inner !== undefined && member.mainType === 'object' && !isOwnId(name, compared.property))
    return { ...compared, parameter, ...basisOf(['name'], spot) };
  const stated = statedEquality(list, parameter, member, compared.property);
  const object = [member, member.items].find((one) => one?.mainType === 'object');
  const inner = object && (compared.inner ?? memberMeant(parameter, object));
  // No value of a query is equal to an object: by its name alone a parameter has what that is called, `author` a user name.
  if (object && compared.inner === undefined && (inner === undefined || stated !== 'equal'))
    return [...object.properties.keys()].some(isCalling)
      ? { ...compared, parameter, ...basisOf(['name'], spot) }
      : undefined;
  const value = (inner === undefined ? member : object?.properties.get(inner)) ?? member;
  const isSame = isSameSchema(shape, value) || (idWord(name) !== undefined && isSameId(shape, value));
  const signs = [
    'name',
    isSame && stated !== 'otherwise' && 'schema',
    stated === 'equal' && 'words',
  ] as const;
  // By its name alone it finds a text by a part of it.
  if (!signs[1] && !signs[2] && isPart(parameter, record)) return undefined;
  return { parameter, property: compared.property, inner, ...basisOf(signs, spot) };
}

/** Yes or no is no value of it, and rather says whether it is shown. */
const isComposed = (member: Shape): boolean =>
  member.mainType === 'object' || member.mainType === 'array' || member.alternatives.some(isComposed);

/** By the only member with the values of a parameter that ends as it: `orderStatus` is the `status`. */
function withValuesOf(parameter: Parameter, record: Shape): Filter | undefined {
  const { name, shape, spot } = parameter;
  const values = (shape.items ?? shape).values?.map(String) ?? [];
  const last = wordsOf(name).at(-1);
  const [property, ...more] = memberNames(record).filter((one) => {
    const member = memberShape(record, one);
    const own = new Set((member?.items ?? member)?.values?.map(String));
    return (
      wordsOf(one).at(-1) === last && own.size > 0 && own.symmetricDifference(new Set(values)).size === 0
    );
  });
  if (property === undefined || more.length > 0) return undefined;
  return { parameter, property, inner: undefined, ...basisOf(['schema'], spot) };
}

type Compared = Pick<Filter, 'property' | 'inner'>;

/** `owner_id` of the `owner`. */
const isOwnId = (name: string, property: string) =>
  singularName(property) === idStem(name) || sameName(name, property);

/**
 * The member of the parameter's name; of `tag` the list `tags` or `tagList`, of `owner_id` the `owner`, or its `id`; else the
 * only one of that name in an object in the record, as JSON:API has them.
 */
function comparedBy(written: string, parameter: Shape, record: Shape): Compared | undefined {
  const name = memberNames(record).includes(written) ? written : withoutFilter(written).replace(EQUALS, '');
  const attribute = findNamed(attributesIn(record)?.properties.keys() ?? [], name);
  if (attribute !== undefined) return { property: 'attributes', inner: attribute };
  const found = comparedAtTop(name, parameter, record);
  if (found) return found;
  const inner = [...record.properties].flatMap(([property, member]): Compared[] => {
    if (member.mainType !== 'object' || isNamedAnyway(name)) return [];
    const at = findNamed(member.properties.keys(), name);
    const value = at === undefined ? undefined : member.properties.get(at);
    if (at !== undefined && value && value.mainType !== 'object') return [{ property, inner: at }];
    const related = [...member.properties].find(
      ([one]) => singularName(one) === singularName(name) || sameName(one, idStem(name) ?? ''),
    );
    // A resource linkage of JSON:API 1.1 §7.2.2.2.
    const data = related?.[1].properties.get('data');
    const isLinked = (data?.items ?? data)?.properties.has('id');
    return isLinked ? [{ property, inner: `${related?.[0]}.data.id` }] : [];
  });
  return inner.length === 1 ? inner[0] : undefined;
}

/** What objects of any kind have: nobody asks for records by the `id` or the `type` of a part. */
const isNamedAnyway = (name: string) => ['id', 'type', 'name'].includes(foldedName(name));

function comparedAtTop(name: string, parameter: Shape, record: Shape): Compared | undefined {
  const names = memberNames(record);
  const isSet = (one: string) =>
    memberShape(record, one)?.items?.mainType === 'string' && namesSeveral(one, name);
  // Several `ids` are those of the records.
  const isEach = (one: string) =>
    parameter.mainType === 'array' &&
    foldedName(one) === singularName(name) &&
    foldedName(one) !== foldedName(name);
  // `phone` is the `phone_number`.
  const [whole, ...more] = names.filter((one) => {
    const [last = '', ...rest] = wordsOf(one).toReversed();
    return IN_FULL.has(last) && sameName(rest.toReversed().join('_'), name);
  });
  // `brand` is the `brand_id`.
  const [id, ...moreIds] = names.filter(
    (one) => idStem(one) === singularName(name) && isSameId(parameter, memberShape(record, one) ?? record),
  );
  const property =
    findNamed(names, name) ??
    names.find(isSet) ??
    names.find(isEach) ??
    (more.length === 0 ? whole : undefined) ??
    (moreIds.length === 0 ? id : undefined);
  if (property !== undefined) return { property, inner: undefined };
  const shown = shownNames(new Map([[name, parameter]]), record).get(name) ?? '';
  const member = memberShape(record, shown);
  const object = member?.items ?? member;
  const inner =
    object && (findNamed(object.properties.keys(), name) ?? idMemberIn(object, idStem(name) ?? ''));
  return inner === undefined ? undefined : { property: shown, inner };
}

/** What stands behind a name that is as good without. */
const IN_FULL = setOf('number address');

/** A text without a format may be anything. */
function isSameId(parameter: Shape, member: Shape): boolean {
  const [own, other] = [parameter, member].map((one) => one.items ?? one);
  const format = own?.find('format')?.value;
  const isSame = own?.mainType === other?.mainType && format === other?.find('format')?.value;
  return isSame && (own?.mainType === 'integer' || format !== undefined);
}

/** The same enumeration, a boolean, or the same Schema Object by reference. */
function isSameSchema(parameter: Shape, member: Shape): boolean {
  const [own, other] = [parameter, member].map((one) => one.items ?? one) as [Shape, Shape];
  if (own.mainType === 'boolean') return other.mainType === 'boolean';
  const known = other.values;
  if (own.values && known) return own.values.every((value) => value === null || known.includes(value));
  return own.parts.some(({ value }) => other.parts.some((part) => part.value === value));
}

/** The one member of an object that the description of a parameter names: `Filter by author (username)`. */
function memberMeant(parameter: Parameter, { properties }: Shape): string | undefined {
  const text = spoken(textOfParameter(parameter));
  const [named, ...more] = [...properties.keys()].filter(
    (name) => name !== parameter.name && text.includes(spoken(name)),
  );
  return more.length === 0 ? named : undefined;
}

type Side = Bound['side'];

/** Words that compare, before or behind the name of a member; of `gt` and the like the name is an operator. */
const SIDES: Readonly<Record<Side, ReadonlySet<string>>> = {
  least: setOf('after since from min minimum start gt gte'),
  most: setOf('before until to max maximum end lt lte'),
};

/** The bounds that the parameters of a list set: `created_after`, `priceMin`, `min_price`, `price[gte]`, `price__lt`. */
export function boundsOf(list: Operation, record: Shape): Bound[] {
  return openIn(list).flatMap((parameter) =>
    // `price[gte]=3` of a parameter `price` in the style `deepObject`.
    parameter.shape.mainType === 'object'
      ? [...parameter.shape.properties].flatMap(
          ([key, shape]) => boundBy(parameter, record, shape, key) ?? [],
        )
      : (spanOf(list, parameter, record) ?? boundBy(parameter, record, parameter.shape) ?? []),
  );
}

/**
 * The two ends of a time, beside each other: `startDate` and `endDate` are those of what lies between them. Of records with
 * one moment, or one at which they start, it is when that is.
 */
function spanOf(list: Operation, parameter: Parameter, record: Shape): Bound | undefined {
  const { name, spot } = parameter;
  const words = wordsOf(name);
  const names = openIn(list).map((one) => one.name);
  const ends = ENDS.filter(([one]) => words.includes(one)).map(([own, other, side]) => {
    const named = words.map((word) => (word === own ? other : word)).join('_');
    return { own, side, opposite: findNamed(names, named) };
  });
  const end = ends.find(({ opposite }) => opposite !== undefined) ?? ends[0];
  if (!end) return undefined;
  const { own, side, opposite } = end;
  const members = [name, opposite ?? ''].map((one) => memberNamed(record, one));
  const isTime = (one: string) => {
    const member = memberShape(record, one);
    const form = member && withoutNull(member);
    return form?.mainType === 'string' && isOrdered(form);
  };
  const isWhen = words.every((word) => word === own || TIMES.has(word));
  const areEnds = members[0] !== members[1] && members.every((one) => one !== undefined && isTime(one));
  const when = isWhen && opposite !== undefined ? whenOf(record, isTime) : undefined;
  const property = areEnds ? members[0] : when;
  if (property === undefined) return undefined;
  return { parameter, key: undefined, property, side, inclusive: undefined, ...basisOf(['name'], spot) };
}

/** The moment of a record that the service does not set, of several that at which it starts; else that at which it was made. */
function whenOf(record: Shape, isTime: (name: string) => boolean): string | undefined {
  const times = memberNames(record).filter(isTime);
  const holds = (name: string) => memberMeaning(name, memberShape(record, name) ?? record, {}).holds;
  const happening = times.filter((name) => !['created', 'changed'].includes(holds(name) ?? ''));
  if (happening.length === 0) return times.find((name) => holds(name) === 'created');
  const starting = happening.filter((name) => wordsOf(name)[0] === 'start');
  const [first, ...more] = happening.length > 1 ? starting : happening;
  return more.length === 0 ? first : undefined;
}

const ENDS: readonly (readonly [own: string, other: string, Side])[] = [
  ['start', 'end', 'least'],
  ['end', 'start', 'most'],
  ['begin', 'end', 'least'],
  ['end', 'begin', 'most'],
  ['from', 'to', 'least'],
  ['to', 'from', 'most'],
];

function boundBy(parameter: Parameter, record: Shape, shape: Shape, key?: string): Bound | undefined {
  const { name, spot } = parameter;
  const words = wordsOf(key === undefined ? withoutFilter(name) : `${name}_${key}`);
  const isMember = key === undefined && memberNames(record).includes(name);
  // Frameworks write a moment in a query as a text without a format.
  const isText = shape.mainType === 'string' && !shape.values && !shape.find('format');
  if (words.length < 2 || !(isOrdered(shape) || isText) || isMember) return undefined;
  return [words.length - 1, 0]
    .map((at): Bound | undefined => {
      const [word = ''] = words.slice(at);
      const side = (['least', 'most'] as const).find((one) => SIDES[one].has(word));
      const property = memberNamed(record, words.toSpliced(at, 1).join('_')) ?? '';
      const whole = memberShape(record, property);
      if (!side || !whole) return undefined;
      const member = withoutNull(whole);
      if (isText ? !isMoment(property, member) : !isOrdered(member)) return undefined;
      const stated = statedSide(parameter, property, side);
      const isOperator = /^[gl]te?$/.test(word);
      const isMarked = isOperator && (key !== undefined || MARKS.some((mark) => name.includes(mark + word)));
      // Of a text nobody knows how it is written.
      const others = isText ? [] : ([isMarked && 'schema', stated !== undefined && 'words'] as const);
      const inclusive = isOperator ? word.endsWith('e') : stated?.inclusive;
      return { parameter, key, property, side, inclusive, ...basisOf(['name', ...others], spot) };
    })
    .find((one) => one !== undefined);
}

/** By its format, or by its name where it is a text of none. */
function isMoment(name: string, member: Shape): boolean {
  if (member.mainType !== 'string' || member.values) return false;
  return isOrdered(member) || (!member.find('format') && TIMES.has(wordsOf(name).at(-1) ?? ''));
}

const TIMES = setOf('at on date time datetime timestamp');

const MARKS = ['[', '__', '.', ':'];

const MORE = 'later|newer|more|higher|greater|above|after';
const LESS = 'earlier|older|less|lower|below|before|fewer';
/** Of the values that are let through: with the bound itself, without it, and where nobody says. */
const STATED: Readonly<
  Record<Side, readonly (readonly [inclusive: boolean | undefined, phrases: readonly string[]])[]>
> = {
  least: [
    [true, [...joined('or', MORE), ...listed('at least|or equal|minimum *')]],
    [false, joined('strictly', MORE)],
    [undefined, [...joined(MORE, 'than'), ...joined('after|since|from', 'this')]],
  ],
  most: [
    [true, [...joined('or', LESS), ...listed('at most|or equal|maximum *')]],
    [false, joined('strictly', LESS)],
    [undefined, [...joined(LESS, 'than'), ...joined('before|until|to', 'this')]],
  ],
};

/** Whether a description says that what lies on this side of the value is let through; undefined: it does not. */
function statedSide(
  parameter: Parameter,
  property: string,
  side: Side,
): Pick<Bound, 'inclusive'> | undefined {
  const certain = sentencesIn(textOfParameter(parameter)).filter((one) => !has(one, HEDGES));
  const [told] = STATED[side].filter(([, phrases]) =>
    certain.some((one) => has(marked(one, property), phrases)),
  );
  return told && { inclusive: told[0] };
}

/** Of a comparison that is no equality, of what is shown besides or before the rest, and of a flag that leaves nothing out. */
const OTHERWISE = [
  ...[...HEDGES, ...NO_PART, ...joined('or', `${MORE}|${LESS}`), ...joined(`${MORE}|${LESS}`, 'than')],
  ...listed('at least|at most|suffix~|substring|partial~|insensitive|wildcard~|pattern|regex|like'),
  ...listed('approximate~|before|since|up to|other than|except|too|also|exclude~|include~|including'),
  ...listed('whether to|prefer~|boost~|first'),
];
/** Of a list in the record these state that it has the value. */
const PART = ['contain~'];
const SHOWN = listed('show|shows|return~|list|lists|display');
const NEGATIONS = listed('not|no|never|without|none');

/** `only boxes in this state`, `filter by state`: what a name follows only where the sentence speaks of a choice. */
const FILTERS = listed('only|filter~|restrict~|limit~|find|finds|select~');
const FILTERED = [...joined('by|on', '*'), ...joined('in|of|for|from|to|at', 'this *')];
/** `with the given state`, `whose state is`, `state to filter by`. */
const EQUAL = [
  ...['whose *', ...joined('with|has|have|having|match|matching|by|equals', 'this *')],
  ...joined('*', 'to filter|filter|equals|equal to|is this'),
];

/** What is said of a query parameter: that a member has its value, or that it is compared in another way. */
function statedEquality(
  list: Operation,
  parameter: Parameter,
  member: Shape,
  name: string,
): 'equal' | 'otherwise' | undefined {
  const isWeak = (one: string) =>
    has(one, member.mainType === 'array' ? OTHERWISE : [...OTHERWISE, ...PART]) ||
    (member.mainType === 'boolean' && has(one, SHOWN) && !has(one, ['only'])) ||
    (has(one, NEGATIONS) && has(one, ['*']));
  const isEqual = (one: string) =>
    has(one, EQUAL) || (has(one.slice(0, one.indexOf('*')), FILTERS) && has(one, FILTERED));
  const read = (text: string) => sentencesIn(text).map((one) => marked(one, name));
  const own = read(textOf(parameter.spot) || parameter.shape.parts.map(textOf).join(' '));
  const others = read(textOf(list.spot));
  // A search finds texts by a part of them, or alike ones.
  const isText = member.mainType === 'string' && !member.values && !member.find('format');
  const isSearched = has(spoken(`${list.path} ${textOf(list.spot)}`), ['search']);
  if (own.some(isWeak) || (isText && isSearched)) return 'otherwise';
  return [...own, ...others.filter((one) => !isWeak(one))].some(isEqual) ? 'equal' : undefined;
}
