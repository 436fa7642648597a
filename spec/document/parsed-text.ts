import { canonicalInteger } from '../json/exact-json.ts';

/** The value of a YAML or JSON text, and where its parts stand. */
export interface ParsedText {
  /** Plain frozen data; integers exact as in `parseJson`. */
  readonly value: unknown;
  /** What is against the syntax, and leaves no doubt how it is meant. Default: nothing. */
  readonly warnings?: readonly SyntaxProblem[];
  /**
   * Where the key of the member (or its value), or the item, at this path begins, in UTF-16 code units from 0; where the
   * path leads nowhere (merged keys), the last one found. Default: the key.
   */
  offsetOf(path: readonly string[], part?: 'key' | 'value'): number;
}

/** A problem of a file's text before it has values; the offset counts UTF-16 code units from 0. */
export interface SyntaxProblem {
  readonly offset: number;
  readonly message: string;
}

/** Far more than real documents have with their aliases written out; walking all of them would not end. */
const MAX_VALUES = 5_000_000;

/** Deeper values would exhaust the stack of recursive code. */
export const MAX_DEPTH = 500;

export const TOO_DEEP = `values are nested too deeply: ${MAX_DEPTH} levels are read, aliases counted as what they name`;

/** The size of a value with its aliases written out. */
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
 * Makes the integers of parsed YAML canonical and freezes it. Aliases may make a value contain itself, or expand
 * without bound: each shared value is visited once.
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
      // What is frozen has been through here.
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
