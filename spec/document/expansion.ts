/** More values than this, aliases written out, no honest document has; walking them all would not end. */
const MAX_VALUES = 5_000_000;

interface Expansion {
  readonly path: readonly string[];
  readonly message: string;
}

/** YAML aliases may make a value contain itself, or expand without bound; each shared value is measured once. */
export function expansionProblem(root: unknown): Expansion | undefined {
  const sizes = new Map<object, number>();
  const open = new Set<object>();
  let problem: Expansion | undefined;

  function sizeOf(value: unknown, path: readonly string[]): number {
    if (typeof value !== 'object' || value === null || problem) return 1;
    const known = sizes.get(value);
    if (known !== undefined) return known;
    if (open.has(value)) {
      problem = { path, message: 'the alias leads back to a value that contains it' };
      return 1;
    }
    open.add(value);
    let size = 1;
    for (const [key, member] of Object.entries(value)) size += sizeOf(member, [...path, key]);
    open.delete(value);
    sizes.set(value, size);
    if (size > MAX_VALUES)
      problem ??= { path, message: `the aliases expand to more than ${MAX_VALUES} values` };
    return size;
  }

  sizeOf(root, []);
  return problem;
}
