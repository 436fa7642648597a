import type { Automaton } from './automaton.ts';

/**
 * Whether an expression matches anywhere in a text, in time proportional to the product of their lengths: all states
 * are followed at once, and none twice at one position (Thompson's algorithm).
 * @param units code points, or UTF-16 code units for an expression without the flag `u`
 */
export function runAutomaton({ states, start, lookarounds }: Automaton, units: Uint32Array): boolean {
  const seen = new Uint32Array(states.length);
  const lookaroundEnds: Uint8Array[] = [];
  let round = 0;

  /** The positions where a match begins (backward) or ends (forward); the first only, if `onlyFirst`. */
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

  /** The states reached from these without taking a unit. */
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
      else if (state?.kind === 'assert' && state.holds(units, at)) open.push(state.next);
      else if (state?.kind === 'look' && (lookaroundEnds[state.lookaround]?.[at] === 1) !== state.negate)
        open.push(state.next);
    }
    return { takers, ended };
  }

  for (const { start, ahead } of lookarounds) lookaroundEnds.push(sweep(start, ahead, false));
  return sweep(start, false, true).includes(1);
}
