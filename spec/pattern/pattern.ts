import { compileProgram, type Program } from './automaton.ts';
import { parseExpression } from './parse.ts';
import { walk } from './run-automaton.ts';
import { safeLength } from './safe-length.ts';

/** A regular expression of a document. Asking it ends soon, whatever the expression and the text are. */
export interface Pattern {
  readonly expression: RegExp;
  test(text: string): boolean;
  /** Whether texts of this length are judged as ECMA-262 says; where not, they count as no match. */
  canJudge(length: number): boolean;
  /** Too large to make texts of. */
  readonly isVast: boolean;
}

/** Steps that a walk takes in about a second. */
const MOST_STEPS = 100_000_000;

/**
 * Short texts are for V8. Where its backtracking could take too long, the expression is walked as an automaton, with the
 * same answer: a text of a megabyte is then a matter of a second, where V8 would need longer than the world is old.
 * @throws SyntaxError when it is no expression
 */
export function compilePattern(source: string): Pattern {
  const expression = toRegExp(source);
  // Some sizes V8 refuses only when it is asked.
  expression.test('');
  const tree = parseExpression(expression);
  const safe = safeLength(tree);
  let made: ReturnType<typeof compileProgram> | undefined;
  const program = () => (made ??= compileProgram(tree, expression.unicode));

  function programFor(length: number): Program | undefined {
    const walked = program();
    return typeof walked === 'object' && length * walked.states.length <= MOST_STEPS ? walked : undefined;
  }

  return {
    expression,
    test(text) {
      if (text.length <= safe) return expression.test(text);
      const walked = programFor(text.length);
      return walked !== undefined && walk(walked, unitsOf(text, expression));
    },
    canJudge: (length) => length <= safe || programFor(length) !== undefined,
    get isVast() {
      return program() === 'too large';
    },
  };
}

/** So short a text every expression must be able to judge. */
const SHORT_TEXT = 64;

/** What is wrong with a `pattern`; undefined: nothing. */
export function patternProblem(source: unknown): string | undefined {
  const none = 'must be a regular expression (ECMA-262)';
  if (typeof source !== 'string') return none;
  try {
    if (compilePattern(source).canJudge(SHORT_TEXT)) return undefined;
  } catch {
    return none;
  }
  return 'could take forever: take out references to groups (\\1) beside repetitions inside repetitions, and say large counts by maxLength';
}

/** JSON Schema's patterns are ECMA-262 with the `u` flag; those of many documents are valid only without it. */
function toRegExp(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}

function unitsOf(text: string, { unicode }: RegExp): Uint32Array {
  if (unicode) return Uint32Array.from(text, (character) => character.codePointAt(0) as number);
  return Uint32Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
}
