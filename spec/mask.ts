import { isRecord, pointerTokens, setMember } from './json/json-value.ts';
import { isSecretName } from './secret-name.ts';

/** The user's selection of message parts to hide from logs, reports and recordings. */
export interface Mask {
  /** Nothing is hidden. */
  readonly isEmpty: boolean;
  /** Whether the values of members, parameters and headers with this name are hidden; ignores case. */
  readonly hides: (name: string) => boolean;
  /** The steps of each pointer. */
  readonly paths: readonly Path[];
}

/** The steps of a JSON Pointer (RFC 6901). */
type Path = readonly string[];

export const NO_MASK: Mask = { isEmpty: true, hides: () => false, paths: [] };

/**
 * @param texts names, or JSON Pointers into bodies, which start with a slash
 * @throws RangeError for any other text
 */
export function compileMask(texts: readonly string[]): Mask {
  if (texts.length === 0) return NO_MASK;
  const names = new Set<string>();
  const paths: Path[] = [];
  for (const text of texts) {
    if (text === '' || text === '/' || /~(?![01])/.test(text))
      throw new RangeError(
        `"${text}" is neither the name of a member nor a JSON Pointer such as /owner/email`,
      );
    if (text.startsWith('/')) paths.push(pointerTokens(text));
    else names.add(text.toLowerCase());
  }
  return { isEmpty: false, hides: (name) => names.has(name.toLowerCase()), paths };
}

/** The maximal depth; anything below is hidden as one value. */
const DEEPEST = 64;

/**
 * Replaces the hidden values of a body; returns the same value if it has none. A pointer without an index applies to
 * all items of a list.
 * @param replace gets a hidden scalar value, and the name of the member that hides it
 */
export function maskBody(
  { hides, paths }: Pick<Mask, 'hides' | 'paths'>,
  body: unknown,
  replace: (value: unknown, steps: readonly string[]) => unknown,
): unknown {
  function mask(
    value: unknown,
    steps: readonly string[],
    open: readonly Path[],
    isHidden: boolean,
    depth: number,
  ): unknown {
    if (depth > DEEPEST) return replace(null, steps);
    const isWithin = isHidden || open.some(({ length }) => length === 0);
    const inner = (name: string, member: unknown, isIndex: boolean) => {
      const next = open.flatMap((path) => {
        const taken = path[0] === name ? [path.slice(1)] : [];
        return isIndex ? [...taken, path] : taken;
      });
      const hidden = isWithin || (!isIndex && hides(name));
      return mask(member, isIndex ? steps : [...steps, name], next, hidden, depth + 1);
    };
    if (Array.isArray(value)) {
      const items = value.map((item, index) => inner(String(index), item, true));
      return items.some((item, index) => item !== value[index]) ? items : value;
    }
    if (!isRecord(value)) return isWithin ? replace(value, steps) : value;
    const members = Object.entries(value).map(
      ([name, member]) => [name, inner(name, member, false)] as const,
    );
    if (members.every(([name, member]) => member === value[name])) return value;
    const masked: Record<string, unknown> = {};
    for (const [name, member] of members) setMember(masked, name, member);
    return masked;
  }

  return mask(body, [], paths, false, 0);
}

/** Whether {@link maskBody} hides a member, by name or by pointer. */
export function hidesAt({ hides, paths }: Mask, steps: readonly string[]): boolean {
  if (steps.some((name) => hides(name) || isSecretName(name))) return true;
  const isIndex = (step: string) => /^\d+$/.test(step);
  const isBelow = (path: Path, at: number): boolean => {
    if (path.length === 0) return true;
    const step = steps[at];
    if (step === undefined) return false;
    return (path[0] === step && isBelow(path.slice(1), at + 1)) || (isIndex(step) && isBelow(path, at + 1));
  };
  return paths.some((path) => isBelow(path, 0));
}
