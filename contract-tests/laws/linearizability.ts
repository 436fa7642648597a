/** An operation as a client saw it: it took effect at one moment between two. */
export interface Call<Operation> {
  readonly operation: Operation;
  readonly began: number;
  /** Infinity: its fate is unknown; it took effect at any moment after it began, or never. */
  readonly ended: number;
}

/** What an object without concurrency does. */
export interface SequentialObject<State, Operation> {
  /** The state after an operation; undefined: the operation cannot have had its result in this state. */
  readonly apply: (state: State, operation: Operation) => State | undefined;
  /** Equal for equal states. */
  readonly keyOf: (state: State) => string;
}

/** More calls do not fit into a bit set of one number. */
const MOST_CALLS = 30;

/**
 * Whether some order of the calls explains all their results: one in which no call comes before another that had ended
 * when it began. The search of Wing and Gong (1993), with the memory of Lowe (2017): calls that are done and the state
 * that they lead to are tried once.
 */
export function isLinearizable<State, Operation>(
  calls: readonly Call<Operation>[],
  initial: State,
  { apply, keyOf }: SequentialObject<State, Operation>,
): boolean {
  if (calls.length > MOST_CALLS) throw new RangeError(`more than ${MOST_CALLS} calls in one history`);
  const bits = calls.map((call, index) => ({ ...call, bit: 1 << index }));
  const mustBeDone = bits.filter(({ ended }) => Number.isFinite(ended));
  const tried = new Set<string>();

  function search(done: number, state: State): boolean {
    const pending = mustBeDone.filter(({ bit }) => (done & bit) === 0);
    if (pending.length === 0) return true;
    const key = `${done} ${keyOf(state)}`;
    if (tried.has(key)) return false;
    tried.add(key);
    const firstEnd = Math.min(...pending.map(({ ended }) => ended));
    return bits.some(({ bit, began, operation }) => {
      if ((done & bit) !== 0 || began > firstEnd) return false;
      const next = apply(state, operation);
      return next !== undefined && search(done | bit, next);
    });
  }

  return search(0, initial);
}
