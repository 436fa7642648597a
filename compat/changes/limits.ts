import { isDefinedFormat, isNumber, type JsonType, type Shape, type Spot } from '#spec';
import type { Form } from './forms.ts';
import type { RuleName } from './rules.ts';
import { brief, type SchemaChange } from './schema-change.ts';

interface Limit {
  readonly keyword: string;
  readonly rule: string;
  readonly type: JsonType;
  readonly isUpper: boolean;
}

const upper = (keyword: string, rule: string, type: JsonType): Limit => ({
  keyword,
  rule,
  type,
  isUpper: true,
});
const lower = (keyword: string, rule: string, type: JsonType): Limit => ({
  keyword,
  rule,
  type,
  isUpper: false,
});

const LIMITS: readonly Limit[] = [
  upper('maxLength', 'max-length', 'string'),
  lower('minLength', 'min-length', 'string'),
  upper('maxItems', 'max-items', 'array'),
  lower('minItems', 'min-items', 'array'),
  upper('maxContains', 'max-contains', 'array'),
  lower('minContains', 'min-contains', 'array'),
  upper('maxProperties', 'max-properties', 'object'),
  lower('minProperties', 'min-properties', 'object'),
];

/** Limits of a value: each keyword is a change of its own. */
export function limitChanges(old: Form, next: Form, isShared: (type: JsonType) => boolean): SchemaChange[] {
  const changes: SchemaChange[] = [];
  const say = (rule: string, keyword: string, from: unknown, to: unknown) =>
    void changes.push({
      rule: rule as RuleName,
      from: from === undefined ? '' : `${keyword} ${text(from)}`,
      to: to === undefined ? '' : `${keyword} ${text(to)}`,
      old: spotOf(old.shape, keyword),
      new: spotOf(next.shape, keyword),
    });
  for (const { keyword, rule, type, isUpper } of LIMITS) {
    if (!isShared(type)) continue;
    const pick = (shape: Shape) => (isUpper ? shape.lowest(keyword) : shape.highest(keyword));
    const [mine, theirs] = [pick(old.shape), pick(next.shape)].map((limit) =>
      isUpper || limit !== 0 ? limit : undefined,
    );
    const how = direction(mine, theirs, isUpper);
    if (how) say(`${rule}-${how}`, keyword, mine, theirs);
  }
  if (isShared('number')) {
    for (const isUpper of [true, false]) {
      const [mine, theirs] = [boundOf(old.shape, isUpper), boundOf(next.shape, isUpper)];
      const name = (bound: Bound) =>
        `${bound.isExclusive ? 'exclusive-' : ''}${isUpper ? 'maximum' : 'minimum'}`;
      const shown = theirs ?? mine;
      const how = shown && directionOfBounds(mine, theirs, isUpper);
      if (shown && how) say(`${name(shown)}-${how}`, shown.keyword, mine?.value, theirs?.value);
    }
    const [mine, theirs] = [old.shape, next.shape].map((shape) => shape.find('multipleOf')?.value);
    if (mine !== theirs && String(mine) !== String(theirs))
      say(`multiple-of-${steps(mine, theirs)}`, 'multipleOf', mine, theirs);
  }
  if (isShared('array') && old.shape.has('uniqueItems') !== next.shape.has('uniqueItems'))
    say(
      `unique-items-${next.shape.has('uniqueItems') ? 'added' : 'removed'}`,
      'uniqueItems',
      undefined,
      undefined,
    );
  if (isShared('string')) changes.push(...patternChange(old.shape, next.shape));
  changes.push(...formatChange(old.shape, next.shape));
  return changes;
}

function text(value: unknown): string {
  return typeof value === 'bigint' ? String(value) : brief(value);
}

function spotOf(shape: Shape, keyword: string): Spot {
  return shape.find(keyword)?.spot ?? shape.spot;
}

function direction(
  mine: number | undefined,
  theirs: number | undefined,
  isUpper: boolean,
): string | undefined {
  if (mine === theirs) return undefined;
  if (mine === undefined) return 'set';
  if (theirs === undefined) return 'unset';
  return theirs < mine === isUpper ? 'tightened' : 'loosened';
}

/** A multiple of ten is one of five. */
function steps(mine: unknown, theirs: unknown): string {
  if (mine === undefined || theirs === undefined) return mine === undefined ? 'set' : 'unset';
  if (Number(theirs) % Number(mine) === 0) return 'tightened';
  return Number(mine) % Number(theirs) === 0 ? 'loosened' : 'changed';
}

interface Bound {
  readonly value: number | bigint;
  readonly isExclusive: boolean;
  readonly keyword: string;
}

/** The tightest one, formats of integers left out. OpenAPI 3.0 writes `exclusiveMaximum: true` beside `maximum`. */
function boundOf({ parts }: Shape, isUpper: boolean): Bound | undefined {
  const [inclusive, exclusive] = isUpper ? ['maximum', 'exclusiveMaximum'] : ['minimum', 'exclusiveMinimum'];
  const bounds = parts.flatMap(({ value }): Bound[] => {
    const { [inclusive as string]: own, [exclusive as string]: beyond } = (value ?? {}) as Record<
      string,
      unknown
    >;
    return [
      ...(isNumber(own)
        ? [
            {
              value: own,
              isExclusive: beyond === true,
              keyword: beyond === true ? (exclusive as string) : (inclusive as string),
            },
          ]
        : []),
      ...(isNumber(beyond) ? [{ value: beyond, isExclusive: true, keyword: exclusive as string }] : []),
    ];
  });
  return bounds.reduce<Bound | undefined>((best, bound) => {
    if (!best) return bound;
    if (best.value === bound.value) return bound.isExclusive ? bound : best;
    return bound.value < best.value === isUpper ? bound : best;
  }, undefined);
}

function directionOfBounds(
  mine: Bound | undefined,
  theirs: Bound | undefined,
  isUpper: boolean,
): string | undefined {
  if (!mine || !theirs) return mine ? 'unset' : theirs ? 'set' : undefined;
  if (mine.value !== theirs.value) return theirs.value < mine.value === isUpper ? 'tightened' : 'loosened';
  if (mine.isExclusive === theirs.isExclusive) return undefined;
  return theirs.isExclusive ? 'tightened' : 'loosened';
}

const ANY_TEXT = /^\^?(?:\.\*|\[\\s\\S\]\*)?\$?$/;

function patternChange(old: Shape, next: Shape): SchemaChange[] {
  const [mine, theirs] = [old, next].map((shape) => {
    const patterns = shape.all('pattern').map(({ value }) => String(value));
    return [...new Set(patterns.filter((one) => !ANY_TEXT.test(one)))].sort();
  });
  if (!mine || !theirs || mine.join('\0') === theirs.join('\0')) return [];
  const [kept, more] = [mine.every((one) => theirs.includes(one)), theirs.every((one) => mine.includes(one))];
  const rule = kept ? 'pattern-added' : more ? 'pattern-removed' : 'pattern-changed';
  return [
    {
      rule,
      from: mine.join(' and '),
      to: theirs.join(' and '),
      old: spotOf(old, 'pattern'),
      new: spotOf(next, 'pattern'),
    },
  ];
}

/** Their range is judged. */
const OF_INTEGERS = new Set(['int32', 'int64']);

/** Those that have all values of the one before. */
const WIDER: Readonly<Record<string, readonly string[]>> = { int32: ['int64'] };

function formatChange(old: Shape, next: Shape): SchemaChange[] {
  const [mine, theirs] = [old, next].map((shape) => {
    const found = shape.find('format')?.value;
    return typeof found === 'string' ? found : undefined;
  });
  if (mine === theirs) return [];
  const isKnown = (format: string | undefined) =>
    format !== undefined && (isDefinedFormat(format) || OF_INTEGERS.has(format));
  const rule: RuleName =
    !isKnown(mine) && !isKnown(theirs)
      ? 'format-annotation-changed'
      : !isKnown(mine)
        ? 'format-added'
        : !isKnown(theirs)
          ? 'format-removed'
          : WIDER[mine ?? '']?.includes(theirs ?? '')
            ? 'format-loosened'
            : WIDER[theirs ?? '']?.includes(mine ?? '')
              ? 'format-tightened'
              : 'format-changed';
  return [
    { rule, from: mine ?? '', to: theirs ?? '', old: spotOf(old, 'format'), new: spotOf(next, 'format') },
  ];
}
