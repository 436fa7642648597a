import type { AST } from '@eslint-community/regexpp';

/** A state of a nondeterministic automaton; `next` and the like are indices of states. */
export type State =
  | { readonly kind: 'one'; readonly is: Matcher; readonly next: number }
  /** The start or end of a referenced group, and the reference; used only when searching for texts. */
  | { readonly kind: 'open' | 'close' | 'back'; readonly group: number; readonly next: number }
  | { readonly kind: 'split'; left: number; readonly right: number }
  | { readonly kind: 'assert'; readonly edge: Edge; readonly next: number }
  | { readonly kind: 'look'; readonly lookaround: number; readonly negate: boolean; readonly next: number }
  | { readonly kind: 'end' };

/** Whether a code point, or UTF-16 code unit, is in a character class. */
export type Matcher = (unit: number) => boolean;

/** `^`, `$`, `\b` and `\B`. */
type Edge = 'start' | 'end' | 'word' | 'inner';

export interface Automaton {
  readonly states: readonly State[];
  readonly start: number;
  /** The inner ones first. */
  readonly lookarounds: readonly Lookaround[];
}

interface Lookaround {
  readonly start: number;
  readonly ahead: boolean;
}

/** The number of each capturing group, from 1 in the order of the expression; for a reference, that of its group. */
export type GroupNumbers = ReadonlyMap<AST.CapturingGroup, number>;

/** Counted repetitions are unrolled; more states would take too long. */
const MAX_STATES = 20_000;

/**
 * Compiles an expression to an automaton. `unsupported`: it has a back reference, which no automaton can follow, or
 * flags inside a group.
 * @param referred the referenced groups, for a search that follows back references and runs look-aheads from their
 * start; undefined for {@link runAutomaton}
 */
export function compileAutomaton(
  { alternatives }: AST.Pattern,
  unicode: boolean,
  referred?: GroupNumbers,
): Automaton | 'unsupported' | 'too large' {
  const states: State[] = [];
  const lookarounds: Lookaround[] = [];

  function add(state: State): number {
    if (states.length >= MAX_STATES) throw new Refusal('too large');
    return states.push(state) - 1;
  }

  /** Adds states from the last element to the first; in the opposite order for a look-ahead, which runs from its end. */
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
        return add({ kind: 'one', is: matcherOf(element.raw, unicode), next });
      case 'Group':
      case 'CapturingGroup':
        if ('modifiers' in element && element.modifiers) throw new Refusal('unsupported');
        return group(element, next, backward);
      case 'Backreference': {
        const target = [element.resolved].flat()[0];
        const number = target && referred?.get(target);
        if (number === undefined) throw new Refusal('unsupported');
        return add({ kind: 'back', group: number, next });
      }
      case 'Quantifier':
        return repeat(element, next, backward);
      case 'Assertion':
        return assert(element, next);
      default:
        throw new Refusal('unsupported');
    }
  }

  function group(element: AST.Group | AST.CapturingGroup, next: number, backward: boolean): number {
    const number = element.type === 'CapturingGroup' ? referred?.get(element) : undefined;
    if (number === undefined) return anyOf(element.alternatives, next, backward);
    const close = add({ kind: 'close', group: number, next });
    return add({ kind: 'open', group: number, next: anyOf(element.alternatives, close, backward) });
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
    if (!('alternatives' in assertion)) return add({ kind: 'assert', edge: edgeOf(assertion), next });
    const ahead = assertion.kind === 'lookahead';
    const start = anyOf(assertion.alternatives, add({ kind: 'end' }), ahead && !referred);
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

/** Many expressions have the same few classes. */
function matcherOf(raw: string, unicode: boolean): Matcher {
  const key = `${unicode} ${raw}`;
  const matcher = MATCHERS.get(key) ?? compileMatcher(raw, unicode);
  if (MATCHERS.size >= MAX_MATCHERS) MATCHERS.clear();
  MATCHERS.set(key, matcher);
  return matcher;
}

const MATCHERS = new Map<string, Matcher>();
const MAX_MATCHERS = 1000;

/** V8 itself decides what a character class, an escape or a property matches; its results are cached. */
function compileMatcher(raw: string, unicode: boolean): Matcher {
  const expression = new RegExp(`^(?:${raw})$`, unicode ? 'u' : '');
  const cache = new Map<number, boolean>();
  return (unit) => {
    let is = cache.get(unit);
    if (is === undefined) {
      is = expression.test(String.fromCodePoint(unit));
      cache.set(unit, is);
    }
    return is;
  };
}

function edgeOf(assertion: AST.EdgeAssertion | AST.WordBoundaryAssertion): Edge {
  if (assertion.kind !== 'word') return assertion.kind;
  return assertion.negate ? 'inner' : 'word';
}

/** Whether an edge is between two units; undefined stands for the start or end of the text. */
export function isEdge(edge: Edge, before: number | undefined, after: number | undefined): boolean {
  if (edge === 'start') return before === undefined;
  if (edge === 'end') return after === undefined;
  return (isWord(before) !== isWord(after)) === (edge === 'word');
}

const WORD = compileMatcher('\\w', false);

export function isWord(unit: number | undefined): boolean {
  return unit !== undefined && WORD(unit);
}

/**
 * Whether an expression matches anywhere in a text. The time is proportional to the product of their lengths: all
 * states are followed at once, each only once at a position (Thompson's algorithm).
 * @param units code points, or UTF-16 code units for an expression without the flag `u`
 */
export function runAutomaton({ states, start, lookarounds }: Automaton, units: Uint32Array): boolean {
  const seen = new Uint32Array(states.length);
  const lookaroundEnds: Uint8Array[] = [];
  let round = 0;

  /** The positions where a match starts (backward) or ends (forward); only the first if `onlyFirst`. */
  function sweep(from: number, backward: boolean, onlyFirst: boolean): Uint8Array {
    const ends = new Uint8Array(units.length + 1);
    let waiting: number[] = [];
    for (let step = 0; step <= units.length; step++) {
      const at = backward ? units.length - step : step;
      const reached = closureOf([...waiting, from], at);
      if (reached.ended) {
        ends[at] = 1;
        if (onlyFirst) return ends;
      }
      const unit = units[backward ? at - 1 : at] ?? 0;
      waiting = [];
      for (const index of reached.takers) {
        const state = states[index];
        if (state?.kind === 'one' && state.is(unit)) waiting.push(state.next);
      }
    }
    return ends;
  }

  /** The states reachable from these without consuming a unit. */
  function closureOf(open: number[], at: number): { takers: number[]; ended: boolean } {
    round += 1;
    const takers: number[] = [];
    let ended = false;
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (seen[index] === round) continue;
      seen[index] = round;
      const state = states[index];
      if (state?.kind === 'one') takers.push(index);
      else if (state?.kind === 'split') open.push(state.right, state.left);
      else if (state?.kind === 'end') ended = true;
      else if (state?.kind === 'assert' && isEdge(state.edge, units[at - 1], units[at]))
        open.push(state.next);
      else if (state?.kind === 'look' && (lookaroundEnds[state.lookaround]?.[at] === 1) !== state.negate)
        open.push(state.next);
    }
    return { takers, ended };
  }

  for (const { start, ahead } of lookarounds) lookaroundEnds.push(sweep(start, ahead, false));
  return sweep(start, false, true).includes(1);
}
