import { addWarning, rawChild, type Spot } from '../document/spot.ts';
import { isRecord } from '../json/json-value.ts';
import { compilePattern, patternProblem } from '../pattern/pattern.ts';
import { Shape } from './shape.ts';

/** The size limit of a generated value: an item, a map entry and ten characters of a required length count as one each. */
export const MOST_GENERATED = 10_000;

/** The share of the limit that the minimal length of a text takes. */
export function sizeOfText(minLength: number): number {
  return Math.floor(minLength / CHARACTERS);
}

const CHARACTERS = 10;

/** Warns of schemas whose values are all huge: such values are validated, but not generated. */
export function checkSizes(schema: Spot): void {
  for (const keyword of SIZES) {
    const spot = rawChild(schema, keyword);
    if (!spot || !(Number(spot.value) >= WORTH_A_LOOK)) continue;
    const { least, inner } = sizeBy(keyword, Shape.of([schema]), 0);
    // A schema inside that is too large has its own warning.
    if (least > MOST_GENERATED && inner <= MOST_GENERATED)
      addWarning(
        spot,
        `"${keyword}" demands ${ofWhat(keyword)}; such values are judged, but none are generated`,
      );
  }
  const pattern = rawChild(schema, 'pattern');
  if (pattern && isLargePattern(pattern.value))
    addWarning(
      pattern,
      '"pattern" has counts that are too large; texts are judged by it, but none are generated',
    );
  const hint = rawChild(schema, 'x-faker');
  if (hint && isLargeHint(hint.value))
    addWarning(hint, '"x-faker" asks for a value that is too large; it is not used');
}

const SIZES = ['minItems', 'minContains', 'minProperties', 'minLength'] as const;
type Size = (typeof SIZES)[number];

/** Several small sizes multiplied over a few levels are no large size. */
const WORTH_A_LOOK = 10;

function ofWhat(keyword: Size): string {
  if (keyword === 'minLength') return `more than ${MOST_GENERATED * CHARACTERS} characters`;
  return `more than ${MOST_GENERATED} ${keyword === 'minProperties' ? 'members' : 'items'}, with what is in them`;
}

/** The minimal size of a value by one of its keywords, and that of an item or entry. */
function sizeBy(keyword: Size, shape: Shape, depth: number): { least: number; inner: number } {
  const count = shape.highest(keyword) ?? 0;
  if (keyword === 'minLength') return { least: sizeOfText(count), inner: 0 };
  const inside = keyword === 'minProperties' ? shape.additional : shape.items;
  const inner = count > 0 && inside ? leastSize(inside, depth + 1) : 0;
  return { least: count * (1 + inner), inner };
}

/** Deeper levels are measured when values are generated. */
const DEEPEST = 4;

/** The minimal size of a schema's values. */
export function leastSize(shape: Shape, depth = 0): number {
  if (depth > DEEPEST || shape.values) return 0;
  const { alternatives } = shape;
  if (alternatives.length > 0) return Math.min(...alternatives.map((branch) => leastSize(branch, depth + 1)));
  const sizes = SIZES.map((keyword) => sizeBy(keyword, shape, depth).least);
  const members = [...shape.required.keys()].map((name) => {
    const member = shape.properties.get(name);
    return member ? leastSize(member, depth + 1) : 0;
  });
  return Math.max(...sizes) + members.reduce((sum, size) => sum + size, 0);
}

/** Most expressions have no large count and need not be parsed. */
const HAS_LARGE_COUNT = /\{\d*,?\d{3,}\}|\{\d{3,},/;

function isLargePattern(pattern: unknown): boolean {
  if (typeof pattern !== 'string' || !HAS_LARGE_COUNT.test(pattern)) return false;
  // An ignored pattern has its own warning.
  return patternProblem(pattern) === undefined && compilePattern(pattern).isTooLarge;
}

/** Whether a faker hint, `method` or `{ method: arguments }`, requests a large value, whatever the method. */
export function isLargeHint(hint: unknown): boolean {
  if (!isRecord(hint)) return false;
  return Object.entries(hint).some(([method, args]) => {
    const isSize = SIZED.test(method);
    return [args]
      .flat()
      .some((argument) => hasLargeSize(argument, isSize || !/^number\./.test(method), isSize));
  });
}

/** Methods whose numeric arguments are all lengths or counts. */
const SIZED = /^(?:lorem|word|string|helpers)\./;

/**
 * @param isSize whether the argument itself is a size if it is a number, as for most methods with a plain argument
 * @param inside whether any number inside an object is a size
 */
function hasLargeSize(argument: unknown, isSize: boolean, inside: boolean): boolean {
  if (typeof argument === 'number' || typeof argument === 'bigint')
    return isSize && argument > MOST_GENERATED;
  if (typeof argument === 'string') return HAS_LARGE_COUNT.test(argument);
  if (Array.isArray(argument)) return argument.some((item) => hasLargeSize(item, isSize, inside));
  if (!isRecord(argument)) return false;
  return Object.entries(argument).some(([name, value]) => {
    const isNamed = inside || /^(?:length|count)$/.test(name);
    return hasLargeSize(value, isNamed, isNamed);
  });
}
