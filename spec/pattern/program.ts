import type { AST } from '@eslint-community/regexpp';
import { regexpp } from '#libraries';
import { oncePer } from '../json/once-per.ts';
import { type Automaton, compileAutomaton, type Matcher, type State } from './automaton.ts';
import { isAnchored, type Pattern, parseExpression } from './pattern.ts';

/** An expression compiled for the search. */
export interface Program {
  readonly states: readonly State[];
  readonly start: number;
  readonly lookarounds: readonly Lookaround[];
  /** By state, the minimal number of units to the end. */
  readonly distances: readonly number[];
  /** The characters that the expression names. */
  readonly units: readonly number[];
  readonly unicode: boolean;
}

export type Lookaround = Automaton['lookarounds'][number];

/** Undefined: it is too large, or has a construct that an automaton cannot follow. */
export const programOf = oncePer(compileProgram);

function compileProgram({ expression }: Pattern): Program | undefined {
  const tree = parseExpression(expression);
  const units = new Set<number>();
  const groups = new Map<AST.CapturingGroup, number>();
  const addRange = ({ min, max }: AST.CharacterClassRange) => {
    for (let unit = min.value; unit <= max.value && unit < min.value + MOST_OF_RANGE; unit++) units.add(unit);
  };
  regexpp().visitRegExpAST(tree, {
    onCharacterEnter: ({ value }) => units.add(value),
    onCharacterClassRangeEnter: addRange,
    onBackreferenceEnter: ({ resolved }) => {
      for (const group of [resolved].flat()) groups.set(group, groups.size + 1);
    },
  });
  const automaton = compileAutomaton(tree, expression.unicode, groups);
  if (typeof automaton === 'string') return undefined;
  const { states, start, lookarounds } = automaton;
  for (const state of states)
    if (state.kind === 'one' && ![...USUAL, ...units].some(state.is))
      for (const unit of unitsOf(state.is, expression.unicode ? LARGEST : 0xffff)) units.add(unit);
  // A match may start anywhere unless the expression is anchored.
  const waiting = states.length;
  const all: State[] = [...states, { kind: 'split', left: waiting + 1, right: start }];
  all.push({ kind: 'one', is: () => true, next: waiting });
  const { unicode } = expression;
  return {
    states: all,
    start: isAnchored(tree) ? start : waiting,
    lookarounds,
    unicode,
    units: [...units],
    distances: distancesIn(all),
  };
}

const MOST_OF_RANGE = 64;

/** The first units of a class that contains none of the usual ones, for example Greek letters. */
function unitsOf(is: Matcher, largest: number): number[] {
  const units: number[] = [];
  for (let unit = 0; unit <= largest && units.length < MOST_OF_RANGE; unit++) {
    const isHalf = unit >= 0xd800 && unit <= 0xdfff;
    if (!isHalf && is(unit)) units.push(unit);
  }
  return units;
}

function distancesIn(states: readonly State[]): number[] {
  const distances = states.map((state) => (state.kind === 'end' ? 0 : Number.POSITIVE_INFINITY));
  const of = (index: number) => distances[index] ?? Number.POSITIVE_INFINITY;
  for (let changed = true; changed; ) {
    changed = false;
    for (const [index, state] of states.entries()) {
      if (state.kind === 'end') continue;
      const after = state.kind === 'split' ? Math.min(of(state.left), of(state.right)) : of(state.next);
      const distance = after + (state.kind === 'one' ? 1 : 0);
      if (distance >= of(index)) continue;
      distances[index] = distance;
      changed = true;
    }
  }
  return distances;
}

export const LARGEST = 0x1fbff;

/** Printable ASCII, letters first, then a few other letters and characters. */
export const USUAL = [
  ...unitsBetween('az', '09', 'AZ', '  ', '!/', ':@', '[`', '{~'),
  ...Array.from('éßÉΩωДд中あ한ابא€😀', (character) => character.codePointAt(0) as number),
];

function unitsBetween(...ranges: readonly string[]): number[] {
  return ranges.flatMap((range) => {
    const [first = 0, last = 0] = [range.charCodeAt(0), range.charCodeAt(1)];
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}
