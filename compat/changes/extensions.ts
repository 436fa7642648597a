import { isEqual, isRecord, type Spot } from '#spec';

/** Those on which the behaviour of a mock, or what the suite asks for, depends. */
const OF_BEHAVIOUR = /^x-(?:unique|paddock-(?!safe|presumed).+)$/;

/** The names of extensions of behaviour that two documents give another value, or only one of them has. */
export function extensionsOf(old: readonly Spot[], next: readonly Spot[]): string[] {
  const [mine, theirs] = [old, next].map((spots) => {
    const entries = spots.flatMap(({ value }) => (isRecord(value) ? Object.entries(value) : []));
    return new Map(entries.filter(([name]) => OF_BEHAVIOUR.test(name)));
  });
  if (!mine || !theirs) return [];
  return [...new Set([...mine.keys(), ...theirs.keys()])].filter(
    (name) => !isEqual(mine.get(name), theirs.get(name)),
  );
}
