import { isDefinedFormat, isEqual, isNumber, type JsonType, type Shape, someOf, stringifyJson } from '#spec';
import { areSame } from '../same-schema.ts';
import { type Form, isOfTag, valuesOf } from './forms.ts';
import { type Lifecycle, lifecycleChanges } from './lifecycle.ts';
import type { RuleName } from './rules.ts';
import { brief, changeOf, type SchemaChange } from './schema-change.ts';

/** Changes of the values that `enum` and `const` allow. */
export function enumChanges(old: Form, next: Form): SchemaChange[] {
  const [mine, theirs] = [valuesOf(old), valuesOf(next)];
  if (!mine && !theirs) return [];
  const isNamed = [old, next].some(({ shape }) => shape.parts.some(isOfTag));
  const keyword = [old, next].some(({ shape }) => shape.find('enum')) ? 'enum' : 'const';
  const say = (rule: string, from: readonly unknown[] = [], to: readonly unknown[] = []) =>
    changeOf(rule, { old, new: next }, keyword, listed(from), listed(to));
  if (!mine || !theirs)
    return [say(isNamed ? 'discriminator-changed' : theirs ? 'enum-added' : 'enum-removed', mine, theirs)];
  const lacks = (all: readonly unknown[], value: unknown) => !all.some((one) => isEqual(one, value));
  const [gone, come] = [mine.filter((one) => lacks(theirs, one)), theirs.filter((one) => lacks(mine, one))];
  if (mine.length === 1 && theirs.length === 1 && gone.length === 1 && !isNamed)
    return [say('const-changed', gone, come)];
  const value = isNamed ? 'discriminator-value' : 'enum-value';
  return [
    ...(gone.length > 0 ? [say(`${value}-removed`, gone)] : []),
    ...(come.length > 0 ? [say(`${value}-added`, [], come)] : []),
  ];
}

const WHOLE: readonly (readonly [keyword: string, rule: string])[] = [
  ['not', 'not'],
  ['contains', 'contains'],
  ['propertyNames', 'property-names'],
  ['dependentRequired', 'dependent-required'],
  ['dependentSchemas', 'dependent-schemas'],
  ['if', 'condition'],
  ['then', 'condition'],
  ['else', 'condition'],
  ['unevaluatedItems', 'unevaluated-items'],
];

/** Changes of keywords that can only be equal or different. */
export function wholeChanges(old: Form, next: Form, keywords = WHOLE): SchemaChange[] {
  return keywords.flatMap(([keyword, rule]) => {
    const [mine = [], theirs = []] = [old, next].map(({ shape }) =>
      shape.all(keyword).map(({ spot }) => spot),
    );
    if (areSame(mine, theirs)) return [];
    const how = mine.length === 0 ? 'added' : theirs.length === 0 ? 'removed' : 'changed';
    const [from, to] = [mine, theirs].map(([spot]) => (spot ? brief(spot.value) : ''));
    return [changeOf(`${rule}-${how}`, { old, new: next }, keyword, from, to)];
  });
}

function listed(values: readonly unknown[]): string {
  const texts = values.map((value) => stringifyJson(value));
  return someOf(texts, 8);
}

/** An upper limit has `max` in its name, and becomes tighter when it decreases. */
const LIMITS: readonly (readonly [keyword: string, rule: string, type: JsonType])[] = [
  ['maxLength', 'max-length', 'string'],
  ['minLength', 'min-length', 'string'],
  ['maxItems', 'max-items', 'array'],
  ['minItems', 'min-items', 'array'],
  ['maxContains', 'max-contains', 'array'],
  ['minContains', 'min-contains', 'array'],
  ['maxProperties', 'max-properties', 'object'],
  ['minProperties', 'min-properties', 'object'],
  ['maximum', 'maximum', 'number'],
  ['minimum', 'minimum', 'number'],
];

/** Changes of limits: each keyword is a separate change. */
export function limitChanges(old: Form, next: Form, isShared: (type: JsonType) => boolean): SchemaChange[] {
  const forms = { old, new: next };
  const changes: SchemaChange[] = [];
  for (const [keyword, rule, type] of LIMITS.filter(([, , kind]) => isShared(kind))) {
    const isUpper = keyword.startsWith('max');
    const [mine, theirs] = [old, next].map(({ shape }) =>
      type === 'number' ? boundOf(shape, isUpper) : sizeOf(shape, keyword, isUpper),
    );
    const how = direction(mine, theirs, isUpper);
    const limit = theirs ?? mine;
    if (!how || !limit) continue;
    const [from, to] = [mine, theirs].map((bound) => (bound ? `${limit.keyword} ${brief(bound.value)}` : ''));
    const name = limit.isExclusive ? `exclusive-${rule}` : rule;
    changes.push(changeOf(`${name}-${how}`, forms, limit.keyword, from, to));
  }
  if (isShared('number')) changes.push(...multipleChange(old, next));
  const [isUnique, staysUnique] = [old, next].map(({ shape }) => shape.has('uniqueItems'));
  if (isShared('array') && isUnique !== staysUnique)
    changes.push(changeOf(`unique-items-${staysUnique ? 'added' : 'removed'}`, forms, 'uniqueItems'));
  if (isShared('string')) changes.push(...patternChange(old, next));
  return [...changes, ...formatChange(old, next)];
}

interface Bound {
  readonly value: number | bigint;
  readonly isExclusive: boolean;
  readonly keyword: string;
}

function sizeOf(shape: Shape, keyword: string, isUpper: boolean): Bound | undefined {
  const value = isUpper ? shape.lowest(keyword) : shape.highest(keyword);
  const says = value !== undefined && (isUpper || value !== 0);
  return says ? { value, isExclusive: false, keyword } : undefined;
}

/** The tightest bound, except those of integer formats. OpenAPI 3.0 writes `exclusiveMaximum: true` beside `maximum`. */
function boundOf({ parts }: Shape, isUpper: boolean): Bound | undefined {
  const [inclusive, exclusive] = isUpper
    ? (['maximum', 'exclusiveMaximum'] as const)
    : (['minimum', 'exclusiveMinimum'] as const);
  const bounds = parts.flatMap(({ value }): Bound[] => {
    const { [inclusive]: limit, [exclusive]: beyond } = (value ?? {}) as Readonly<Record<string, unknown>>;
    const isExclusive = beyond === true;
    return [
      ...(isNumber(limit)
        ? [{ value: limit, isExclusive, keyword: isExclusive ? exclusive : inclusive }]
        : []),
      ...(isNumber(beyond) ? [{ value: beyond, isExclusive: true, keyword: exclusive }] : []),
    ];
  });
  const [tightest] = bounds.toSorted((left, right) =>
    left.value === right.value
      ? Number(right.isExclusive) - Number(left.isExclusive)
      : left.value < right.value === isUpper
        ? -1
        : 1,
  );
  return tightest;
}

/** Undefined: unchanged. */
function direction(mine: Bound | undefined, theirs: Bound | undefined, isUpper: boolean): string | undefined {
  if (!mine || !theirs) return mine ? 'unset' : theirs && 'set';
  if (mine.value !== theirs.value) return theirs.value < mine.value === isUpper ? 'tightened' : 'loosened';
  if (mine.isExclusive === theirs.isExclusive) return undefined;
  return theirs.isExclusive ? 'tightened' : 'loosened';
}

/** A multiple of ten is also one of five. */
function multipleChange(old: Form, next: Form): SchemaChange[] {
  const [mine, theirs] = [old, next].map(({ shape }) => shape.find('multipleOf')?.value);
  if (String(mine) === String(theirs)) return [];
  const isMultiple = (one: unknown, other: unknown) => Number(one) % Number(other) === 0;
  const kept = isMultiple(theirs, mine) ? 'tightened' : isMultiple(mine, theirs) ? 'loosened' : 'changed';
  const how = mine === undefined ? 'set' : theirs === undefined ? 'unset' : kept;
  const [from, to] = [mine, theirs].map((one) => (one === undefined ? '' : `multipleOf ${brief(one)}`));
  return [changeOf(`multiple-of-${how}`, { old, new: next }, 'multipleOf', from, to)];
}

const ANY_TEXT = /^\^?(?:\.\*|\[\\s\\S\]\*)?\$?$/;

function patternChange(old: Form, next: Form): SchemaChange[] {
  const [mine = [], theirs = []] = [old, next].map(({ shape }) => {
    const patterns = shape.all('pattern').map(({ value }) => String(value));
    return [...new Set(patterns.filter((pattern) => !ANY_TEXT.test(pattern)))].sort();
  });
  if (mine.join('\0') === theirs.join('\0')) return [];
  const [kept, more] = [mine.every((one) => theirs.includes(one)), theirs.every((one) => mine.includes(one))];
  const rule = kept ? 'pattern-added' : more ? 'pattern-removed' : 'pattern-changed';
  return [changeOf(rule, { old, new: next }, 'pattern', mine.join(' and '), theirs.join(' and '))];
}

/** Their ranges are compared; the listed formats include all values of each. */
const OF_INTEGERS: Readonly<Record<string, readonly string[]>> = { int32: ['int64'], int64: [] };

function formatChange(old: Form, next: Form): SchemaChange[] {
  const [mine = '', theirs = ''] = [old, next].map(({ shape }) => {
    const format = shape.find('format')?.value;
    return typeof format === 'string' ? format : '';
  });
  if (mine === theirs) return [];
  const isKnown = (format: string) => isDefinedFormat(format) || Object.hasOwn(OF_INTEGERS, format);
  const changed = OF_INTEGERS[mine]?.includes(theirs)
    ? 'loosened'
    : OF_INTEGERS[theirs]?.includes(mine)
      ? 'tightened'
      : 'changed';
  const gone = isKnown(mine) ? 'removed' : 'annotation-changed';
  const how = isKnown(theirs) ? (isKnown(mine) ? changed : 'added') : gone;
  return [changeOf(`format-${how}`, { old, new: next }, 'format', mine, theirs)];
}

export const STABILITIES = ['draft', 'experimental', 'alpha', 'beta', 'stable'];

const CONTENT = [
  ['contentMediaType', 'content-media-type-changed'],
  ['contentEncoding', 'content-encoding-changed'],
  ['contentSchema', 'content-changed'],
] as const;

/** Changes that no validator checks. */
export function remarkChanges(old: Form, next: Form, deprecationDays: number): SchemaChange[] {
  const changes: SchemaChange[] = [];
  const text = (form: Form, keyword: string) => {
    const entry = form.shape.find(keyword);
    return entry ? brief(entry.value) : '';
  };
  const forms = { old, new: next };
  const say = (rule: RuleName, keyword: string) =>
    void changes.push(changeOf(rule, forms, keyword, text(old, keyword), text(next, keyword)));
  const differs = (keyword: string) => text(old, keyword) !== text(next, keyword);
  for (const [keyword, changed] of CONTENT)
    if (differs(keyword)) {
      const [isNew, isGone] = [text(old, keyword) === '', text(next, keyword) === ''];
      say(isNew ? 'content-added' : isGone ? 'content-removed' : changed, keyword);
    }
  if (differs('default')) say('default-changed', 'default');
  const [mine, theirs] = [old, next].map(({ shape }) => ({
    deprecated: shape.has('deprecated'),
    sunset: shape.find('x-sunset')?.value as string | undefined,
  })) as [Lifecycle, Lifecycle];
  for (const { rule, keyword, from, to } of lifecycleChanges('property', mine, theirs, deprecationDays))
    changes.push(changeOf(rule, forms, keyword, from, to));
  const [before, still] = [old, next].map(({ shape }) => shape.find('x-extensible-enum')?.value);
  if (Array.isArray(before) && Array.isArray(still) && before.some((value) => !still.includes(value)))
    say('extensible-enum-value-removed', 'x-extensible-enum');
  changes.push(...stabilityChanges(old, next));
  return changes;
}

function stabilityChanges(old: Form, next: Form): SchemaChange[] {
  const rank = ({ shape }: Form) => {
    const level = shape.find('x-stability-level') ?? shape.find('x-stability');
    return level ? STABILITIES.indexOf(String(level.value)) : STABILITIES.length - 1;
  };
  const [mine, theirs] = [rank(old), rank(next)];
  if (mine < 0 || theirs < 0 || mine === theirs) return [];
  const keyword = next.shape.find('x-stability-level') ? 'x-stability-level' : 'x-stability';
  const rule = theirs < mine ? 'stability-decreased' : 'stability-increased';
  return [changeOf(rule, { old, new: next }, keyword, STABILITIES[mine], STABILITIES[theirs])];
}
