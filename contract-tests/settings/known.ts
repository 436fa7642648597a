import { existsSync } from 'node:fs';
import { isRecord, readSourceFile } from '#spec';
import type { Finding, Observation } from '../laws/finding.ts';
import { LAWS, type LawName } from '../laws/law.ts';
import { readText, SettingsError } from './check-options.ts';

/** A waiver of a finding until the end of a day (UTC): an entry in the file of `--known`. */
export interface KnownFinding {
  /** The key of the waived finding or cause, whichever case reports it. Undefined: the waiver is for a case. */
  readonly key: string | undefined;
  /** Beside a key, a case that reported it: when that passes, and no other reports it, the finding is fixed. */
  readonly case: string | undefined;
  /** Undefined: any rule. */
  readonly law: LawName | undefined;
  /** RFC 3339 full-date. */
  readonly until: string;
  /** The reason, such as a ticket or a name. */
  readonly why: string | undefined;
}

/**
 * Reads a YAML or JSON list of `{ case, until, law?, why? }`.
 * @param mayBeMissing the file will be written; a missing or empty one has no entries
 * @param ownLaws names of custom rules
 * @throws SettingsError with file, line and remedy
 */
export function readKnown(
  path: string,
  mayBeMissing = false,
  ownLaws: readonly string[] = [],
): KnownFinding[] {
  if (mayBeMissing && !existsSync(path)) return [];
  const file = readSourceFile(path, readText(path, '--known'));
  if (mayBeMissing && file.value === null) return [];
  if (!Array.isArray(file.value))
    throw refused(
      path,
      1,
      'the file must hold a list of { key, until, why? } or { case, until, law?, why? }',
    );
  return file.value.map((entry: unknown, index) => {
    const { line } = file.positionOf([String(index)]);
    return readEntry(entry, ownLaws, (message) => refused(path, line, message));
  });
}

function readEntry(
  entry: unknown,
  ownLaws: readonly string[],
  refuse: (message: string) => SettingsError,
): KnownFinding {
  if (!isRecord(entry))
    throw refuse('an entry must be an object { key, until, why? } or { case, until, law?, why? }');
  const { key, case: caseId, law, until, why, ...others } = entry;
  const [stranger] = Object.keys(others);
  if (stranger !== undefined)
    throw refuse(`"${stranger}" is no member of an entry: key, case, until, law and why are`);
  if (key !== undefined && typeof key !== 'string')
    throw refuse('"key" must be the key of a finding, as the JSON report has it');
  if (caseId !== undefined ? typeof caseId !== 'string' : key === undefined)
    throw refuse('"case" must be the id of a case, such as "OPERATION/STATUS/NAME", unless there is a "key"');
  if (typeof until !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(until) || Number.isNaN(Date.parse(until))) {
    throw refuse('"until" must be a day such as 2031-01-31');
  }
  const names = [...Object.keys(LAWS), ...ownLaws];
  if (law !== undefined && !names.includes(String(law)))
    throw refuse(`"${law}" is no law: ${names.join(', ')}`);
  return {
    key,
    case: caseId as string | undefined,
    law: law as LawName | undefined,
    until,
    why: typeof why === 'string' ? why : undefined,
  };
}

function refused(path: string, line: number, message: string): SettingsError {
  return new SettingsError(`--known ${path}:${line}: ${message}`);
}

type Knowing = { readonly known: readonly KnownFinding[] };

/** What an entry is compared with. */
type Identified = Pick<Finding, 'key' | 'caseId' | 'law'> & { readonly root?: string };

/** The last day of a finding's waiver; undefined: it has none, or an expired one. */
export function knownUntilDay({ known }: Knowing, finding: Identified): string | undefined {
  const today = new Date().toISOString().slice(0, 10);
  return known.find((entry) => isAbout(entry, finding) && entry.until >= today)?.until;
}

/** A root whose key waives all of its findings. */
interface KnownRoot {
  readonly key: string;
  readonly findings: readonly Finding[];
  readonly followUps: readonly { readonly findings: readonly Finding[] }[];
}

/** The last days of the waivers that findings have by their root. */
export function knownByRoot({ known }: Knowing, roots: readonly KnownRoot[]): ReadonlyMap<Finding, string> {
  const today = new Date().toISOString().slice(0, 10);
  return new Map(
    roots.flatMap((root) => {
      const until = known.find(({ key, until }) => key === root.key && until >= today)?.until;
      return until === undefined
        ? []
        : findingsOf(root).map((finding): [Finding, string] => [finding, until]);
    }),
  );
}

function findingsOf({ findings, followUps }: KnownRoot): readonly Finding[] {
  return [...findings, ...followUps.flatMap((followUp) => followUp.findings)];
}

/** An entry in the file. */
type Entry = Readonly<Partial<Record<'key' | 'case' | 'law', unknown>>>;

/** Whether an entry matches a finding, by its own key or that of its root, regardless of the date. */
export function isAbout(entry: Entry, { key, root, caseId, law }: Identified): boolean {
  if (entry.key !== undefined) return entry.key === key || entry.key === root;
  return entry.case === caseId && (entry.law === undefined || entry.law === law);
}

/**
 * Whether the cases of an entry were completed, or no longer exist: then a finding that they do not report is fixed. A key
 * may come from traffic, or from another document.
 */
export function wasLookedFor(
  entry: Entry,
  cases: readonly { readonly id: string; readonly outcome: string }[],
): boolean {
  const meant = cases.filter(({ id }) => entry.case === undefined || id === entry.case);
  if (meant.length === 0) return entry.key === undefined;
  return meant.every(({ outcome }) => outcome === 'passed' || outcome === 'failed');
}

/** A completed case. */
interface Ended {
  readonly case: { readonly id: string; readonly operation: { readonly id: string } };
  readonly outcome: string;
  readonly findings: readonly Finding[];
}

/** Notices about entries: those whose finding is fixed, and expired ones. */
export function judgeKnown(
  { known }: Knowing,
  results: readonly Ended[],
  roots: readonly KnownRoot[] = [],
): Observation[] {
  return known.flatMap((entry) => {
    const root = roots.find(({ key }) => key === entry.key);
    const ofRoot = new Set(root && findingsOf(root).map(({ key, caseId }) => `${caseId} ${key}`));
    const matches = results
      .flatMap(({ findings }) => findings)
      .filter((finding) => isAbout(entry, finding) || ofRoot.has(`${finding.caseId} ${finding.key}`));
    const named = results.find(({ case: one }) => one.id === (matches[0]?.caseId ?? entry.case));
    const observation = (text: string): Observation[] => [
      {
        caseId: named?.case.id ?? entry.case ?? '',
        operationId: named?.case.operation.id ?? '',
        text: `${entry.key ?? entry.case} (--known): ${text}`,
      },
    ];
    if (entry.key === undefined && !named) return observation('there is no such case; remove the entry');
    const cases = results.map(({ case: { id }, outcome }) => ({ id, outcome }));
    if (matches.length === 0 && wasLookedFor(entry, cases))
      return observation('it is fixed; remove the entry');
    return matches.length > 0 && matches.every(({ knownUntil }) => knownUntil === undefined)
      ? observation(`it expired on ${entry.until}; it counts again`)
      : [];
  });
}
