import type { AST } from '@eslint-community/regexpp';

/** Steps that V8 takes in some milliseconds. */
const MAX_STEPS = 1_000_000;

const MAX_LENGTH = 2 ** 24;

/**
 * The text length up to which V8's backtracking surely ends within {@link MAX_STEPS}: thousands for an ordinary
 * expression, below a dozen for one with nested repetitions.
 */
export function safeLength(pattern: AST.Pattern): number {
  if (maxSteps(pattern, MAX_LENGTH) <= MAX_STEPS) return MAX_LENGTH;
  let [safe, unsafe] = [0, MAX_LENGTH];
  while (unsafe - safe > 1) {
    const middle = (safe + unsafe) >> 1;
    if (maxSteps(pattern, middle) <= MAX_STEPS) safe = middle;
    else unsafe = middle;
  }
  return safe;
}

function maxSteps({ alternatives }: AST.Pattern, length: number): number {
  const isAnchored = alternatives.every(({ elements: [first] }) => isStart(first));
  return waysOfAny(alternatives, length) * (isAnchored ? 1 : length + 1);
}

function isStart(element: AST.Element | undefined): boolean {
  return element?.type === 'Assertion' && element.kind === 'start';
}

/** In how many ways a text of this length can be divided among the elements: at worst backtracking tries them all. */
function waysOfAny(alternatives: readonly AST.Alternative[], length: number): number {
  const ways = alternatives.map(({ elements }) =>
    elements.reduce((product, element) => product * waysOf(element, length), 1),
  );
  return ways.reduce((sum, each) => sum + each, 0);
}

function waysOf(element: AST.Element, length: number): number {
  if ('alternatives' in element) return waysOfAny(element.alternatives, length);
  if (element.type === 'Backreference') return length + 1;
  if (element.type !== 'Quantifier') return 1;
  const { min, max } = element;
  const inner = waysOf(element.element, length);
  const counts = Math.min(max - min, length) + 1;
  // Beyond the least count each repetition takes at least one character.
  return inner === 1 ? counts : counts * inner ** Math.min(max, min + length);
}
