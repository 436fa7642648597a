import type { ChangeLogSection } from '../change-log.ts';
import { type Differences, differences, type Entries } from './entries.ts';
import { releasedEntries, type Stored, toStored } from './stored.ts';
import { type Unnamed, unnamed } from './unnamed.ts';

export interface Review {
  /** Between what is stored and what the code tells. */
  readonly differences: Differences;
  /** What has to be named in the change log first. */
  readonly unnamed: readonly Unnamed[];
  /** The section for it. */
  readonly section: string;
  /** Why no line of the change log is enough, else undefined. */
  readonly refusal: string | undefined;
  /** What may then be stored. */
  readonly next: Stored;
}

export interface Given {
  readonly stored: Stored;
  readonly current: Entries;
  /** Of package.json. */
  readonly version: string;
  readonly changeLog: readonly ChangeLogSection[];
  /** Whether a version has been released. */
  readonly isReleased: (version: string) => boolean;
}

/** What has become of the stable interface, and whether the change log says so. */
export function review({ stored, current, version, changeLog, isReleased }: Given): Review {
  const linesOf = (...versions: string[]) =>
    changeLog.filter((section) => versions.includes(section.version)).flatMap(({ lines }) => lines);
  const released = releasedEntries(stored);
  const since = differences(released, current);
  const found = { differences: differences(stored.interface, current) };
  if (version !== stored.version) {
    const next = toStored(version, current, current);
    const refusal = versionRefusal(stored.version, version, since);
    return { ...found, unnamed: unnamed(since, linesOf(version)), section: version, refusal, next };
  }
  if (isReleased(version)) {
    const next = toStored(version, released, current);
    const lines = linesOf('Unreleased');
    return { ...found, unnamed: unnamed(since, lines), section: 'Unreleased', refusal: undefined, next };
  }
  // Its own section may still grow. Before the first version there is nothing that users could rely on.
  const isFirst = changeLog.filter(({ date }) => date !== undefined).length === 1;
  const demanded = isFirst ? { ...found.differences, changed: [], removed: [] } : found.differences;
  const lacking = unnamed(demanded, linesOf('Unreleased', version));
  const next = toStored(version, current, current);
  return { ...found, unnamed: lacking, section: version, refusal: undefined, next };
}

/** Semantic Versioning 2.0.0: what breaks users needs a new major version, what is new a new minor one. */
function versionRefusal(earlier: string, later: string, since: Differences): string | undefined {
  const [major = 0, minor = 0] = earlier.split('.').map(Number);
  const [newMajor = 0, newMinor = 0] = later.split('.').map(Number);
  if (newMajor > major) return undefined;
  if (since.removed.length + since.changed.length > 0)
    return `something was removed or changed since ${earlier}: that needs version ${major + 1}.0.0, not ${later}`;
  if (since.added.length > 0 && newMinor <= minor)
    return `something was added since ${earlier}: that needs version ${major}.${minor + 1}.0, not ${later}`;
  return undefined;
}
