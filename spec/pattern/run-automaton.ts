import type { Program } from './automaton.ts';

/**
 * Whether an expression matches anywhere in a text, in a time that grows with the product of the two and no faster:
 * all states that can be reached are followed at once, and none twice at one position.
 * @param units code points, or UTF-16 units for an expression without the flag `u`
 */
export function walk({ states, start, probes }: Program, units: Uint32Array): boolean {
  const seen = new Uint32Array(states.length);
  const told: Uint8Array[] = [];
  let round = 0;

  /** Positions from which (backwards) or up to which (forwards) there is a match; stops at the first if asked to. */
  function sweep(from: number, backward: boolean, onlyFirst: boolean): Uint8Array {
    const ends = new Uint8Array(units.length + 1);
    let waiting: number[] = [];
    for (let step = 0; step <= units.length; step++) {
      const at = backward ? units.length - step : step;
      const reached = reach([...waiting, from], at);
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

  /** The states to which these lead without taking anything. */
  function reach(open: number[], at: number): { takers: number[]; ended: boolean } {
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
      else if (state?.kind === 'at' && state.holds(units, at)) open.push(state.next);
      else if (state?.kind === 'look' && (told[state.probe]?.[at] === 1) !== state.negate)
        open.push(state.next);
    }
    return { takers, ended };
  }

  for (const probe of probes) told.push(sweep(probe.start, probe.ahead, false));
  return sweep(start, false, true).includes(1);
}
