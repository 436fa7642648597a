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
import { innerNamed, memberShape, withoutNull } from './record-schema.ts';
import { idMemberIn, shownNames } from './references.ts';
import { isPart, NO_PART, openIn } from './searches.ts';

/**
 * Filters and bounds: a parameter with the name of a member, however it is written, alone or with a word that compares,
 * selects the records whose member fits. The name is one sign; the schema, and words of that relation, are others.
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
  // A member of a nested object needs the name only.
  if (compared.inner !== undefined && member.mainType === 'object' && !isOwnId(name, compared.property))
    return { ...compared, parameter, ...basisOf(['name'], spot) };
  const stated = statedEquality(list, parameter, member, compared.property);
  const object = [member, member.items].find((one) => one?.mainType === 'object');
  const inner = object && (compared.inner ?? memberMeant(parameter, object));
  // A query cannot equal an object: by its name alone a parameter has the object's name, `author` a user name.
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
  // Without another sign, a parameter for a text searches for a part of it.
  if (!signs[1] && !signs[2] && isPart(parameter, record)) return undefined;
  return { parameter, property: compared.property, inner, ...basisOf(signs, spot) };
}

/** A boolean is no value of a composed member, and rather selects whether the member is shown. */
const isComposed = (member: Shape): boolean =>
  member.mainType === 'object' || member.mainType === 'array' || member.alternatives.some(isComposed);

/** A filter by the only member with the parameter's enumeration and the end of its name: `orderStatus` for `status`. */
function withValuesOf(parameter: Parameter, record: Shape): Filter | undefined {
  const { name, shape, spot } = parameter;
  const values = (shape.items ?? shape).values?.map(String) ?? [];
  const last = wordsOf(name).at(-1);
  const [property, ...more] = memberNames(record).filter((one) => {
    const member = memberShape(record, one);
    const memberValues = new Set((member?.items ?? member)?.values?.map(String));
    return (
      wordsOf(one).at(-1) === last &&
      memberValues.size > 0 &&
      memberValues.symmetricDifference(new Set(values)).size === 0
    );
  });
  if (property === undefined || more.length > 0) return undefined;
  return { parameter, property, inner: undefined, ...basisOf(['schema'], spot) };
}

type Compared = Pick<Filter, 'property' | 'inner'>;

/** Whether a name is the id of a member: `owner_id` for `owner`. */
const isOwnId = (name: string, property: string) =>
  singularName(property) === idStem(name) || sameName(name, property);

/**
 * The member with the parameter's name; for `tag` the list `tags` or `tagList`, for `owner_id` the `owner`, or its `id`;
 * else the only one of that name in an object in the record, as JSON:API has them.
 */
function comparedBy(written: string, parameter: Shape, record: Shape): Compared | undefined {
  const name = memberNames(record).includes(written) ? written : withoutFilter(written).replace(EQUALS, '');
  const attribute = findNamed(attributesIn(record)?.properties.keys() ?? [], name);
  if (attribute !== undefined) return { property: 'attributes', inner: attribute };
  const atTop = comparedAtTop(name, parameter, record);
  if (atTop) return atTop;
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
  return inner.length === 1 ? inner[0] : innerNamed(record, name);
}

/** Members that objects of any kind have: no filter means the `id` or the `type` of a nested object. */
const isNamedAnyway = (name: string) => ['id', 'type', 'name'].includes(foldedName(name));

function comparedAtTop(name: string, parameter: Shape, record: Shape): Compared | undefined {
  const names = memberNames(record);
  const isSet = (one: string) =>
    memberShape(record, one)?.items?.mainType === 'string' && namesSeveral(one, name);
  // The parameter `ids` means the ids of the records.
  const isEach = (one: string) =>
    parameter.mainType === 'array' &&
    foldedName(one) === singularName(name) &&
    foldedName(one) !== foldedName(name);
  // `phone` means the `phone_number`.
  const [whole, ...more] = names.filter((one) => {
    const [last = '', ...rest] = wordsOf(one).toReversed();
    return IN_FULL.has(last) && sameName(rest.toReversed().join('_'), name);
  });
  // `brand` means the `brand_id`.
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
  const shownName = shownNames(new Map([[name, parameter]]), record).get(name) ?? '';
  const member = memberShape(record, shownName);
  const object = member?.items ?? member;
  const inner =
    object && (findNamed(object.properties.keys(), name) ?? idMemberIn(object, idStem(name) ?? ''));
  return inner === undefined ? undefined : { property: shownName, inner };
}

/** Last words of names that may be left out. */
const IN_FULL = setOf('number address');

/** Whether both are ids of one type: a text without a format is no sign. */
function isSameId(parameter: Shape, member: Shape): boolean {
  const [left, other] = [parameter, member].map((shape) => shape.items ?? shape);
  const format = left?.find('format')?.value;
  const isSame = left?.mainType === other?.mainType && format === other?.find('format')?.value;
  return isSame && (left?.mainType === 'integer' || format !== undefined);
}

/** Whether both have the same enumeration, are booleans, or refer to the same Schema Object. */
function isSameSchema(parameter: Shape, member: Shape): boolean {
  const [left, other] = [parameter, member].map((shape) => shape.items ?? shape) as [Shape, Shape];
  if (left.mainType === 'boolean') return other.mainType === 'boolean';
  const values = other.values;
  if (left.values && values) return left.values.every((value) => value === null || values.includes(value));
  return left.parts.some(({ value }) => other.parts.some((part) => part.value === value));
}

/** The member of an object that the description of a parameter mentions: `Filter by author (username)`. */
function memberMeant(parameter: Parameter, { properties }: Shape): string | undefined {
  const text = spoken(textOfParameter(parameter));
  const [named, ...more] = [...properties.keys()].filter(
    (name) => name !== parameter.name && text.includes(spoken(name)),
  );
  return more.length === 0 ? named : undefined;
}

type Side = Bound['side'];

/** Words that compare, before or after the name of a member; `gt` and the like are operators. */
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
 * A bound of a period: `startDate` and `endDate` side by side select what lies between them. It compares the record's only
 * moment, or the one at which it starts.
 */
function spanOf(list: Operation, parameter: Parameter, record: Shape): Bound | undefined {
  const { name, spot } = parameter;
  const words = wordsOf(name);
  const names = openIn(list).map((one) => one.name);
  const ends = ENDS.filter(([one]) => words.includes(one)).map(([boundWord, other, side]) => {
    const named = words.map((word) => (word === boundWord ? other : word)).join('_');
    return { own: boundWord, side, opposite: findNamed(names, named) };
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
  const areEnds =
    members[0] !== members[1] && members.every((member) => member !== undefined && isTime(member));
  const when = isWhen && opposite !== undefined ? whenOf(record, isTime) : undefined;
  const property = areEnds ? members[0] : when;
  if (property === undefined) return undefined;
  return { parameter, key: undefined, property, side, inclusive: undefined, ...basisOf(['name'], spot) };
}

/** The moment that a period selects: the only one that clients set, of several the start; else that of the creation. */
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
  // Frameworks often declare a moment in a query as a text without a format.
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
      // A text without a format has no other sign, since its syntax is unknown.
      const others = isText ? [] : ([isMarked && 'schema', stated !== undefined && 'words'] as const);
      const inclusive = isOperator ? word.endsWith('e') : stated?.inclusive;
      return { parameter, key, property, side, inclusive, ...basisOf(['name', ...others], spot) };
    })
    .find((bound) => bound !== undefined);
}

/** Whether a member is a moment: by its format, or by its name if it has none. */
function isMoment(name: string, member: Shape): boolean {
  if (member.mainType !== 'string' || member.values) return false;
  return isOrdered(member) || (!member.find('format') && TIMES.has(wordsOf(name).at(-1) ?? ''));
}

const TIMES = setOf('at on date time datetime timestamp');

const MARKS = ['[', '__', '.', ':'];

const MORE = 'later|newer|more|higher|greater|above|after';
const LESS = 'earlier|older|less|lower|below|before|fewer';
/** Phrases for each side of a bound: inclusive, exclusive, and those that leave it open. */
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

/** Whether a description states a bound on this side; undefined: it does not. */
function statedSide(
  parameter: Parameter,
  property: string,
  side: Side,
): Pick<Bound, 'inclusive'> | undefined {
  const certain = sentencesIn(textOfParameter(parameter)).filter((sentence) => !has(sentence, HEDGES));
  const [told] = STATED[side].filter(([, phrases]) =>
    certain.some((one) => has(marked(one, property), phrases)),
  );
  return told && { inclusive: told[0] };
}

/** Phrases for comparisons other than equality, for what is shown in addition or first, and for flags without an effect. */
const OTHERWISE = [
  ...HEDGES,
  ...NO_PART,
  ...joined('or', `${MORE}|${LESS}`),
  ...joined(`${MORE}|${LESS}`, 'than'),
  ...listed('at least|at most|suffix~|substring|partial~|insensitive|wildcard~|pattern|regex|like'),
  ...listed('approximate~|before|since|up to|other than|except|too|also|exclude~|include~|including'),
  ...listed('whether to|prefer~|boost~|first'),
];
/** Phrases that state, for a list in the record, that it contains the value. */
const PART = ['contain~'];
const SHOWN = listed('show|shows|return~|list|lists|display');
const NEGATIONS = listed('not|no|never|without|none');

/** Words for a selection, after which the member's name may follow: `only boxes in this state`, `filter by state`. */
const FILTERS = listed('only|filter~|restrict~|limit~|find|finds|select~');
const FILTERED = [...joined('by|on', '*'), ...joined('in|of|for|from|to|at', 'this *')];
/** Phrases for equality: `with the given state`, `whose state is`, `state to filter by`. */
const EQUAL = [
  'whose *',
  ...joined('with|has|have|having|match|matching|by|equals', 'this *'),
  ...joined('*', 'to filter|filter|equals|equal to|is this'),
];

/** What a description states of a query parameter: equality with a member, or another comparison. */
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
  const read = (text: string) => sentencesIn(text).map((sentence) => marked(sentence, name));
  const stated = read(textOf(parameter.spot) || parameter.shape.parts.map(textOf).join(' '));
  const others = read(textOf(list.spot));
  // A search finds texts by a part, or similar ones.
  const isText = member.mainType === 'string' && !member.values && !member.find('format');
  const isSearched = has(spoken(`${list.path} ${textOf(list.spot)}`), ['search']);
  if (stated.some(isWeak) || (isText && isSearched)) return 'otherwise';
  return [...stated, ...others.filter((one) => !isWeak(one))].some(isEqual) ? 'equal' : undefined;
}
