import type { AST } from '@eslint-community/regexpp';

/** Steps that V8 takes in some milliseconds. */
const MOST_STEPS = 1_000_000;

const LONGEST = 2 ** 24;

/**
 * The length up to which V8's backtracking surely ends within {@link MOST_STEPS}: an ordinary expression has it in the
 * thousands, one with repetitions inside repetitions below a dozen.
 */
export function safeLength(pattern: AST.Pattern): number {
  let [safe, unsafe] = [0, LONGEST];
  if (stepsAt(pattern, LONGEST) <= MOST_STEPS) return LONGEST;
  while (unsafe - safe > 1) {
    const middle = (safe + unsafe) >> 1;
    if (stepsAt(pattern, middle) <= MOST_STEPS) safe = middle;
    else unsafe = middle;
  }
  return safe;
}

function stepsAt({ alternatives }: AST.Pattern, length: number): number {
  const anchored = alternatives.every(({ elements: [first] }) => isStart(first));
  return ways(alternatives, length) * (anchored ? 1 : length + 1);
}

function isStart(element: AST.Element | undefined): boolean {
  return element?.type === 'Assertion' && element.kind === 'start';
}

/** In how many ways a text of this length can be divided among the parts: backtracking tries them all at worst. */
function ways(alternatives: readonly AST.Alternative[], length: number): number {
  return alternatives.reduce(
    (sum, { elements }) => sum + elements.reduce((product, element) => product * waysOf(element, length), 1),
    0,
  );
}

function waysOf(element: AST.Element, length: number): number {
  switch (element.type) {
    case 'Group':
    case 'CapturingGroup':
      return ways(element.alternatives, length);
    case 'Assertion':
      return 'alternatives' in element ? ways(element.alternatives, length) : 1;
    case 'Quantifier': {
      const { min, max } = element;
      const inner = waysOf(element.element, length);
      const counts = Math.min(max - min, length) + 1;
      // Beyond the least count each repetition takes at least one character.
      return inner === 1 ? counts : counts * inner ** Math.min(max, min + length);
    }
    case 'Backreference':
      return length + 1;
    default:
      return 1;
  }
}
