/** Far more than real documents have with their aliases written out; walking all of them would not end. */
const MAX_VALUES = 5_000_000;

/** Deeper values would exhaust the stack of recursive code. */
const MAX_DEPTH = 500;

export const TOO_DEEP = `values are nested too deeply: ${MAX_DEPTH} levels are read, aliases counted as what they name`;

/** The size of a value with its aliases written out. */
interface Extent {
  readonly values: number;
  readonly depth: number;
}

const LEAF: Extent = { values: 1, depth: 0 };

/** YAML aliases may make a value contain itself, or expand without bound; each shared value is measured once. */
export function expansionProblem(root: unknown): { path: readonly string[]; message: string } | undefined {
  const known = new Map<object, Extent>();
  const open = new Set<object>();
  let problem: ReturnType<typeof expansionProblem>;

  function measure(value: unknown, path: readonly string[]): Extent {
    if (typeof value !== 'object' || value === null || problem) return LEAF;
    const found = known.get(value);
    if (found !== undefined) return found;
    if (open.has(value)) {
      problem = { path, message: 'the alias leads back to a value that contains it' };
      return LEAF;
    }
    open.add(value);
    let values = 1;
    let depth = 0;
    for (const [key, member] of Object.entries(value)) {
      const inner = measure(member, [...path, key]);
      values += inner.values;
      depth = Math.max(depth, inner.depth + 1);
    }
    open.delete(value);
    known.set(value, { values, depth });
    if (values > MAX_VALUES)
      problem ??= { path, message: `the aliases expand to more than ${MAX_VALUES} values` };
    if (depth > MAX_DEPTH) problem ??= { path, message: TOO_DEEP };
    return { values, depth };
  }

  measure(root, []);
  return problem;
}
