import type { AST } from '@eslint-community/regexpp';

/** A state of the automaton that an expression is turned into; `next` and the like are indices of states. */
export type State =
  | { readonly kind: 'one'; readonly is: (unit: number) => boolean; readonly next: number }
  | { readonly kind: 'split'; left: number; readonly right: number }
  | { readonly kind: 'at'; readonly holds: Place; readonly next: number }
  | { readonly kind: 'look'; readonly probe: number; readonly negate: boolean; readonly next: number }
  | { readonly kind: 'end' };

/** Whether an assertion without parts of its own holds before the unit at this position. */
type Place = (units: Uint32Array, at: number) => boolean;

export interface Program {
  readonly states: readonly State[];
  readonly start: number;
  /** The look-aheads and look-behinds, inner ones first. */
  readonly probes: readonly Probe[];
}

export interface Probe {
  readonly start: number;
  readonly ahead: boolean;
}

/** Counted repetitions are written out; more states than this take too long to be walked. */
const MOST_STATES = 20_000;

/**
 * Turns an expression into states. `foreign`: no automaton can do it, because of a reference back to what a group took,
 * or we do not, because of flags of a part of its own.
 */
export function compileProgram(
  { alternatives }: AST.Pattern,
  unicode: boolean,
): Program | 'foreign' | 'too large' {
  const states: State[] = [];
  const probes: Probe[] = [];
  const tests = new Map<string, (unit: number) => boolean>();

  function add(state: State): number {
    if (states.length >= MOST_STATES) throw new NoProgram('too large');
    return states.push(state) - 1;
  }

  function oneOf(raw: string): (unit: number) => boolean {
    const known = tests.get(raw) ?? compileTest(raw, unicode);
    tests.set(raw, known);
    return known;
  }

  /** Parts are built from the last to the first; for a look-ahead, which is walked from its end, the other way. */
  function anyOf(parts: readonly AST.Alternative[], next: number, backward: boolean): number {
    return parts
      .map(({ elements }) =>
        (backward ? elements : elements.toReversed()).reduce(
          (after, element) => build(element, after, backward),
          next,
        ),
      )
      .reduce((right, left) => add({ kind: 'split', left, right }));
  }

  function build(element: AST.Element, next: number, backward: boolean): number {
    switch (element.type) {
      case 'Character':
      case 'CharacterClass':
      case 'CharacterSet':
        return add({ kind: 'one', is: oneOf(element.raw), next });
      case 'Group':
        if (element.modifiers) throw new NoProgram('foreign');
        return anyOf(element.alternatives, next, backward);
      case 'CapturingGroup':
        return anyOf(element.alternatives, next, backward);
      case 'Quantifier':
        return repeat(element, next, backward);
      case 'Assertion':
        return assert(element, next);
      default:
        throw new NoProgram('foreign');
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
    if (!('alternatives' in assertion)) return add({ kind: 'at', holds: placeOf(assertion), next });
    const ahead = assertion.kind === 'lookahead';
    const start = anyOf(assertion.alternatives, add({ kind: 'end' }), ahead);
    const probe = probes.push({ start, ahead }) - 1;
    return add({ kind: 'look', probe, negate: assertion.negate, next });
  }

  try {
    return { states, start: anyOf(alternatives, add({ kind: 'end' }), false), probes };
  } catch (error) {
    if (error instanceof NoProgram) return error.why;
    throw error;
  }
}

class NoProgram extends Error {
  readonly why: 'foreign' | 'too large';

  constructor(why: NoProgram['why']) {
    super(why);
    this.why = why;
  }
}

/** V8 itself says what a class, an escape or a property holds; what it said is kept. */
function compileTest(raw: string, unicode: boolean): (unit: number) => boolean {
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

function placeOf(assertion: AST.EdgeAssertion | AST.WordBoundaryAssertion): Place {
  if (assertion.kind === 'start') return (_, at) => at === 0;
  if (assertion.kind === 'end') return (units, at) => at === units.length;
  const { negate } = assertion as AST.WordBoundaryAssertion;
  return (units, at) => (isWord(units[at - 1]) !== isWord(units[at])) !== negate;
}

const WORD = compileTest('\\w', false);

function isWord(unit: number | undefined): boolean {
  return unit !== undefined && WORD(unit);
}
