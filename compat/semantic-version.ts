import type { DocumentChange, VersionStep } from '#contract-tests';
import type { Contracts } from './pair.ts';

/**
 * The version that NEW has to have after OLD.
 * @param isBroken something breaks, whether or not it is accepted
 */
export function semanticVersion(
  { old, new: next }: Contracts,
  changes: readonly DocumentChange[],
  isBroken: boolean,
): VersionStep {
  const follows = isBroken ? 'major' : isGrowth(changes) ? 'minor' : changes.length > 0 ? 'patch' : 'none';
  const [mine, theirs] = [partsOf(old.version), partsOf(next.version)];
  const expected = mine && grown(mine, follows);
  return {
    follows,
    old: old.version,
    new: next.version,
    expected: expected?.join('.'),
    isEnough: expected && theirs && compareParts(theirs, expected) >= 0,
  };
}

/** Something is there that was not, or is announced. */
function isGrowth(changes: readonly DocumentChange[]): boolean {
  return changes.some((one) => one.class !== 'note');
}

type Parts = readonly [major: number, minor: number, patch: number];

function partsOf(version: string): Parts | undefined {
  const [, ...parts] = /^v?(\d+)\.(\d+)(?:\.(\d+))?(?:[-+].*)?$/.exec(version) ?? [];
  const [major, minor, patch = '0'] = parts;
  return major === undefined || minor === undefined
    ? undefined
    : [Number(major), Number(minor), Number(patch)];
}

function grown([major, minor, patch]: Parts, follows: VersionStep['follows']): Parts {
  if (follows === 'major') return [major + 1, 0, 0];
  if (follows === 'minor') return [major, minor + 1, 0];
  return follows === 'patch' ? [major, minor, patch + 1] : [major, minor, patch];
}

function compareParts(one: Parts, other: Parts): number {
  const at = one.findIndex((part, index) => part !== other[index]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}
