import { canonicalInteger } from '../json/exact-json.ts';

/** The value of a YAML or JSON text, and the positions of its parts. */
export interface ParsedText {
  /** Plain frozen data; integers exact as in `parseJson`. */
  readonly value: unknown;
  /** Syntax errors whose meaning is clear all the same. Default: none. */
  readonly warnings?: readonly SyntaxProblem[];
  /**
   * The offset of the item or the member's key (or its value) at this path, in UTF-16 code units from 0. Where the path
   * leaves the text (merged keys), the offset of the last part on the way. Default: the key.
   */
  offsetOf(path: readonly string[], part?: 'key' | 'value'): number;
}

/** A problem in the text of a file; the offset counts UTF-16 code units from 0. */
export interface SyntaxProblem {
  readonly offset: number;
  readonly message: string;
}

/** Far above what real documents have with their aliases expanded; a walk over more would take too long. */
const MAX_VALUES = 5_000_000;

/** Recursive code would exhaust the stack on deeper values. */
export const MAX_DEPTH = 500;

export const TOO_DEEP = `values are nested too deeply: ${MAX_DEPTH} levels are read, aliases counted as what they name`;

/** The size of a value with its aliases expanded. */
interface Extent {
  readonly values: number;
  readonly depth: number;
}

const LEAF: Extent = { values: 1, depth: 0 };

interface ExpansionProblem {
  readonly path: readonly string[];
  readonly message: string;
}

/**
 * Makes the integers of parsed YAML canonical, and freezes the value. With aliases a value may contain itself or expand
 * without bound, so each shared value is visited once.
 */
export function normalize(root: unknown): { value: unknown; problem: ExpansionProblem | undefined } {
  const extents = new Map<object, Extent>();
  const open = new Set<object>();
  let problem: ExpansionProblem | undefined;

  function visit(value: unknown, path: readonly string[]): Extent {
    if (typeof value !== 'object' || value === null || problem) return LEAF;
    const extent = extents.get(value);
    if (extent !== undefined) return extent;
    if (open.has(value)) {
      problem = { path, message: 'the alias leads back to a value that contains it' };
      return LEAF;
    }
    open.add(value);
    let [values, depth] = [1, 0];
    for (const [key, member] of Object.entries(value)) {
      // A frozen container has been visited already.
      if (typeof member === 'bigint' && !Object.isFrozen(value))
        (value as Record<string, unknown>)[key] = canonicalInteger(member);
      const inner = visit(member, [...path, key]);
      values += inner.values;
      depth = Math.max(depth, inner.depth + 1);
    }
    open.delete(value);
    extents.set(Object.freeze(value), { values, depth });
    if (values > MAX_VALUES)
      problem ??= { path, message: `the aliases expand to more than ${MAX_VALUES} values` };
    if (depth > MAX_DEPTH) problem ??= { path, message: TOO_DEEP };
    return { values, depth };
  }

  visit(root, []);
  return { value: typeof root === 'bigint' ? canonicalInteger(root) : root, problem };
}
