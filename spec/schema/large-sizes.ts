import { addWarning, rawChild, type Spot } from '../document/spot.ts';
import { isRecord } from '../json/json-value.ts';
import { compilePattern, patternProblem } from '../pattern/pattern.ts';
import { Shape } from './shape.ts';

/** What a generated value may take: an item, an entry of a map and ten characters of a demanded length each count as one. */
export const MOST_GENERATED = 10_000;

/** What the least length of a text takes of that. */
export function sizeOfText(minLength: number): number {
  return Math.floor(minLength / CHARACTERS);
}

const CHARACTERS = 10;

/** Warns of sizes that only huge values have: such values are judged, and none are generated. */
export function checkSizes(schema: Spot): void {
  for (const keyword of SIZES) {
    const spot = rawChild(schema, keyword);
    if (!spot || !(Number(spot.value) >= WORTH_A_LOOK)) continue;
    const { least, inner } = sizeBy(keyword, Shape.of([schema]), 0);
    // What is too large inside has a warning of its own.
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

/** The product of smaller ones in a few levels is no large size either. */
const WORTH_A_LOOK = 10;

function ofWhat(keyword: Size): string {
  if (keyword === 'minLength') return `more than ${MOST_GENERATED * CHARACTERS} characters`;
  return `more than ${MOST_GENERATED} ${keyword === 'minProperties' ? 'members' : 'items'}, with what is in them`;
}

/** The least size of a value by one of its keywords, and that of an item or entry of it. */
function sizeBy(keyword: Size, shape: Shape, depth: number): { least: number; inner: number } {
  const count = shape.highest(keyword) ?? 0;
  if (keyword === 'minLength') return { least: sizeOfText(count), inner: 0 };
  const inside = keyword === 'minProperties' ? shape.additional : shape.items;
  const inner = count > 0 && inside ? leastSize(inside, depth + 1) : 0;
  return { least: count * (1 + inner), inner };
}

/** Deeper levels are found when values are generated. */
const DEEPEST = 4;

/** The least that a value of a schema takes of what is generated. */
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

/** Most expressions have no large count, and need not be parsed for it. */
const HAS_LARGE_COUNT = /\{\d*,?\d{3,}\}|\{\d{3,},/;

function isLargePattern(pattern: unknown): boolean {
  if (typeof pattern !== 'string' || !HAS_LARGE_COUNT.test(pattern)) return false;
  // What is ignored has a warning of its own.
  return patternProblem(pattern) === undefined && compilePattern(pattern).isTooLarge;
}

/** Whether a hint for faker, `method` or `{ method: arguments }`, asks for a large value, whatever the method is. */
export function isLargeHint(hint: unknown): boolean {
  if (!isRecord(hint)) return false;
  return Object.entries(hint).some(([method, args]) => {
    const isSize = SIZED.test(method);
    return [args]
      .flat()
      .some((argument) => hasLargeSize(argument, isSize || !/^number\./.test(method), isSize));
  });
}

/** Methods whose every number is a length or a count. */
const SIZED = /^(?:lorem|word|string|helpers)\./;

/**
 * @param isSize whether a number itself is one: of most methods, if it is an argument of its own
 * @param inside whether any number inside of an object is one
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
