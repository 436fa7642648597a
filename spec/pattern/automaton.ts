import type { AST } from '@eslint-community/regexpp';

/** A state of a nondeterministic automaton; `next` and the like are indices of states. */
export type State =
  | { readonly kind: 'one'; readonly is: Matcher; readonly next: number }
  | { readonly kind: 'split'; left: number; readonly right: number }
  | { readonly kind: 'assert'; readonly holds: Assertion; readonly next: number }
  | { readonly kind: 'look'; readonly lookaround: number; readonly negate: boolean; readonly next: number }
  | { readonly kind: 'end' };

/** Whether an anchor or word boundary holds before the unit at this position. */
type Assertion = (units: Uint32Array, at: number) => boolean;

export interface Automaton {
  readonly states: readonly State[];
  readonly start: number;
  /** Inner ones first. */
  readonly lookarounds: readonly Lookaround[];
}

interface Lookaround {
  readonly start: number;
  readonly ahead: boolean;
}

/** Counted repetitions are unrolled; running more states takes too long. */
const MAX_STATES = 20_000;

/**
 * Turns an expression into an automaton. `unsupported`: it has a back reference, which no automaton can follow, or
 * flags inside a group.
 */
export function compileAutomaton(
  { alternatives }: AST.Pattern,
  unicode: boolean,
): Automaton | 'unsupported' | 'too large' {
  const states: State[] = [];
  const lookarounds: Lookaround[] = [];
  const matchers = new Map<string, Matcher>();

  function add(state: State): number {
    if (states.length >= MAX_STATES) throw new Refusal('too large');
    return states.push(state) - 1;
  }

  function matcherOf(raw: string): Matcher {
    const known = matchers.get(raw) ?? compileMatcher(raw, unicode);
    matchers.set(raw, known);
    return known;
  }

  /** States are added from the last element to the first; for a look-ahead, which runs from its end, the other way. */
  function anyOf(alternatives: readonly AST.Alternative[], next: number, backward: boolean): number {
    const entries = alternatives.map(({ elements }) => {
      const ordered = backward ? elements : elements.toReversed();
      return ordered.reduce((after, element) => build(element, after, backward), next);
    });
    return entries.reduce((right, left) => add({ kind: 'split', left, right }));
  }

  function build(element: AST.Element, next: number, backward: boolean): number {
    switch (element.type) {
      case 'Character':
      case 'CharacterClass':
      case 'CharacterSet':
        return add({ kind: 'one', is: matcherOf(element.raw), next });
      case 'Group':
      case 'CapturingGroup':
        if ('modifiers' in element && element.modifiers) throw new Refusal('unsupported');
        return anyOf(element.alternatives, next, backward);
      case 'Quantifier':
        return repeat(element, next, backward);
      case 'Assertion':
        return assert(element, next);
      default:
        throw new Refusal('unsupported');
    }
  }

  function repeat({ element, min, max }: AST.Quantifier, next: number, backward: boolean): number {
    let entry = next;
    if (max === Number.POSITIVE_INFINITY) {
      const loop = { kind: 'split' as const, left: -1, right: next };
      entry = add(loop);
      loop.left = build(element, entry, backward);
    } else {
      for (let count = min; count < max; count++)
        entry = add({ kind: 'split', left: build(element, entry, backward), right: next });
    }
    for (let count = 0; count < min; count++) entry = build(element, entry, backward);
    return entry;
  }

  function assert(assertion: AST.Assertion, next: number): number {
    if (!('alternatives' in assertion))
      return add({ kind: 'assert', holds: compileAssertion(assertion), next });
    const ahead = assertion.kind === 'lookahead';
    const start = anyOf(assertion.alternatives, add({ kind: 'end' }), ahead);
    const lookaround = lookarounds.push({ start, ahead }) - 1;
    return add({ kind: 'look', lookaround, negate: assertion.negate, next });
  }

  try {
    return { states, start: anyOf(alternatives, add({ kind: 'end' }), false), lookarounds };
  } catch (error) {
    if (error instanceof Refusal) return error.why;
    throw error;
  }
}

class Refusal extends Error {
  readonly why: 'unsupported' | 'too large';

  constructor(why: Refusal['why']) {
    super(why);
    this.why = why;
  }
}

/** Whether a code point, or UTF-16 code unit, is in a character class. */
type Matcher = (unit: number) => boolean;

/** V8 itself decides what a character class, an escape or a property matches; its results are cached. */
function compileMatcher(raw: string, unicode: boolean): Matcher {
  const expression = new RegExp(`^(?:${raw})$`, unicode ? 'u' : '');
  const known = new Map<number, boolean>();
  return (unit) => {
    let is = known.get(unit);
    if (is === undefined) {
      is = expression.test(String.fromCodePoint(unit));
      known.set(unit, is);
    }
    return is;
  };
}

function compileAssertion(assertion: AST.EdgeAssertion | AST.WordBoundaryAssertion): Assertion {
  if (assertion.kind === 'start') return (_, at) => at === 0;
  if (assertion.kind === 'end') return (units, at) => at === units.length;
  const { negate } = assertion as AST.WordBoundaryAssertion;
  return (units, at) => (isWord(units[at - 1]) !== isWord(units[at])) !== negate;
}

const WORD = compileMatcher('\\w', false);

function isWord(unit: number | undefined): boolean {
  return unit !== undefined && WORD(unit);
}
