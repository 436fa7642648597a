/** Texts that are kept, and the longest among them. */
const MOST = 512;
const LONGEST = 4096;

/** A function of a text and a circumstance, with the results of the latest texts kept. */
export function createMemo<Circumstance extends string | object, Result>(
  of: (text: string, circumstance: Circumstance) => Result,
): (text: string, circumstance: Circumstance) => Result {
  const kept = new Map<Circumstance, Map<string, Result>>();
  return (text, circumstance) => {
    const known = kept.get(circumstance) ?? new Map<string, Result>();
    if (known.size === 0) {
      // Circumstances are few: methods, or the proxies of one process.
      if (kept.size >= MOST) kept.clear();
      kept.set(circumstance, known);
    }
    const found = known.get(text);
    if (found !== undefined) return found;
    const result = of(text, circumstance);
    if (text.length <= LONGEST) {
      if (known.size >= MOST) known.clear();
      known.set(text, result);
    }
    return result;
  };
}
