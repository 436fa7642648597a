import type { AST } from '@eslint-community/regexpp';
import { regexpp } from '#libraries';
import { type Automaton, compileAutomaton, runAutomaton } from './automaton.ts';

/** A regular expression (ECMA-262) that is tested in bounded time for any text. */
export interface Pattern {
  readonly expression: RegExp;
  /** False also for a text that is too long to test. */
  test(text: string): boolean;
  /** Whether texts of this length can be tested in time; with back references, long ones cannot. */
  canTest(length: number): boolean;
  /** Whether matching texts are too long to generate. */
  readonly isTooLarge: boolean;
}

/** The steps of an automaton in about a second. */
const MAX_STEPS = 100_000_000;

/**
 * V8 tests short texts; above the length at which its backtracking could take too long, this project's automaton does.
 * RE2 (`re2js`) is no alternative: it has no look-ahead, counts up to 1000 only, no UTF-16 units, and a different `.`,
 * `\s` and `\p{...}`.
 * @throws SyntaxError if it is not a regular expression
 */
export function compilePattern(source: string): Pattern {
  const expression = toRegExp(source);
  // V8 rejects some sizes only at the first test.
  expression.test('');
  const tree = parseExpression(expression);
  const safe = safeLength(tree);
  let compiled: ReturnType<typeof compileAutomaton> | undefined;
  const compile = () => (compiled ??= compileAutomaton(tree, expression.unicode));

  function automatonFor(length: number): Automaton | undefined {
    const automaton = compile();
    if (typeof automaton === 'string' || length * automaton.states.length > MAX_STEPS) return undefined;
    return automaton;
  }

  return {
    expression,
    test(text) {
      if (text.length <= safe) return expression.test(text);
      const automaton = automatonFor(text.length);
      return automaton !== undefined && runAutomaton(automaton, unitsOf(text, expression));
    },
    canTest: (length) => length <= safe || automatonFor(length) !== undefined,
    get isTooLarge() {
      return compile() === 'too large';
    },
  };
}

/** JSON Schema requires the flag `u` (2020-12 core §6.4), but the patterns of many documents are valid only without it. */
function toRegExp(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}

/** The syntax tree of an expression that V8 accepts. The parser is loaded on first use. */
export function parseExpression({ source, unicode }: RegExp): AST.Pattern {
  const { RegExpParser } = regexpp();
  return new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, { unicode });
}

function unitsOf(text: string, { unicode }: RegExp): Uint32Array {
  if (unicode) return Uint32Array.from(text, (character) => character.codePointAt(0) as number);
  return Uint32Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
}

/** The steps of V8 in some milliseconds. */
const MAX_BACKTRACKING = 1_000_000;

const MAX_LENGTH = 2 ** 24;

/**
 * The text length up to which V8's backtracking certainly ends within {@link MAX_BACKTRACKING}: thousands for an
 * ordinary expression, less than a dozen for nested repetitions.
 */
export function safeLength(pattern: AST.Pattern): number {
  if (maxSteps(pattern, MAX_LENGTH) <= MAX_BACKTRACKING) return MAX_LENGTH;
  let [safe, unsafe] = [0, MAX_LENGTH];
  while (unsafe - safe > 1) {
    const middle = (safe + unsafe) >> 1;
    if (maxSteps(pattern, middle) <= MAX_BACKTRACKING) safe = middle;
    else unsafe = middle;
  }
  return safe;
}

/** Whether a match can only begin at the start of a text. */
export const isAnchored = ({ alternatives }: AST.Pattern): boolean =>
  alternatives.every(({ elements: [first] }) => first?.type === 'Assertion' && first.kind === 'start');

function maxSteps(pattern: AST.Pattern, length: number): number {
  const { alternatives } = pattern;
  // Comparing a text with that of a group takes a step for each unit.
  const comparing = alternatives.some(({ raw }) => /\\(?:[1-9]|k<)/.test(raw)) ? length + 1 : 1;
  return waysOfAny(alternatives, length) * comparing * (isAnchored(pattern) ? 1 : length + 1);
}

/**
 * The number of ways to divide a text of this length among the elements, all of which backtracking may try. It never
 * re-enters a look-around, so the ways of look-arounds are added.
 */
function waysOfAny(alternatives: readonly AST.Alternative[], length: number): number {
  const ways = alternatives.map(({ elements }) => {
    const [around, others] = [true, false].map((isAround) =>
      elements.filter((element) => (element.type === 'Assertion' && 'alternatives' in element) === isAround),
    ) as [AST.Element[], AST.Element[]];
    const looked = around.reduce((sum, element) => sum + waysOf(element, length), 0);
    return others.reduce((product, element) => product * waysOf(element, length), Math.max(looked, 1));
  });
  return ways.reduce((sum, each) => sum + each, 0);
}

function waysOf(element: AST.Element, length: number): number {
  if ('alternatives' in element) return waysOfAny(element.alternatives, length);
  if (element.type !== 'Quantifier') return 1;
  const { min, max } = element;
  const inner = waysOf(element.element, length);
  const counts = Math.min(max - min, length) + 1;
  // Above the minimal count, each repetition consumes at least one character.
  return inner === 1 ? counts : counts * inner ** Math.min(max, min + length);
}

/** The text length that every pattern of a document must be able to test. */
const REQUIRED_LENGTH = 64;

/** Returns what is wrong with a `pattern`, or undefined. */
export function patternProblem(source: unknown): string | undefined {
  const invalid = 'must be a regular expression (ECMA-262)';
  if (typeof source !== 'string') return invalid;
  try {
    if (compilePattern(source).canTest(REQUIRED_LENGTH)) return undefined;
  } catch {
    return invalid;
  }
  return 'could take forever: take out references to groups (\\1) beside repetitions inside repetitions, and say large counts by maxLength';
}

/** The source of an expression that matches exactly this text; Node 22 has no `RegExp.escape`. */
export function escapeText(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
