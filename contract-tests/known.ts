import { existsSync, readFileSync } from 'node:fs';
import { isRecord, readSourceFile } from '#spec';
import type { Finding, Observation } from './finding.ts';
import { LAWS, type LawName } from './laws/law.ts';
import { SettingsError } from './settings-error.ts';

/** A finding that is accepted until the end of a day (UTC): a line of the file given with `--known`. */
export interface KnownFinding {
  readonly case: string;
  /** Undefined: any law. */
  readonly law: LawName | undefined;
  /** RFC 3339 full-date. */
  readonly until: string;
  /** Why it is accepted: a ticket, a name. */
  readonly why: string | undefined;
}

/**
 * Reads a YAML or JSON list of `{ case, until, law?, why? }`.
 * @param mayBeMissing the file is to be written; a missing or empty one has no entries
 * @throws SettingsError with file, line and remedy
 */
export function readKnown(path: string, mayBeMissing = false): KnownFinding[] {
  if (mayBeMissing && !existsSync(path)) return [];
  const file = readSourceFile(path, readText(path));
  if (mayBeMissing && file.value === null) return [];
  if (!Array.isArray(file.value))
    throw refused(path, 1, 'the file must hold a list of { case, until, law?, why? }');
  return file.value.map((entry: unknown, index) => {
    const { line } = file.positionOf([String(index)]);
    return readEntry(entry, (message) => refused(path, line, message));
  });
}

function readEntry(entry: unknown, refuse: (message: string) => SettingsError): KnownFinding {
  if (!isRecord(entry)) throw refuse('an entry must be an object { case, until, law?, why? }');
  const { case: caseId, law, until, why, ...others } = entry;
  const [stranger] = Object.keys(others);
  if (stranger !== undefined)
    throw refuse(`"${stranger}" is no member of an entry: case, until, law and why are`);
  if (typeof caseId !== 'string')
    throw refuse('"case" must be the id of a case, such as "OPERATION/STATUS/NAME"');
  if (typeof until !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(until) || Number.isNaN(Date.parse(until))) {
    throw refuse('"until" must be a day such as 2031-01-31');
  }
  if (law !== undefined && !(String(law) in LAWS))
    throw refuse(`"${law}" is no law: ${Object.keys(LAWS).join(', ')}`);
  return {
    case: caseId,
    law: law as LawName | undefined,
    until,
    why: typeof why === 'string' ? why : undefined,
  };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new SettingsError(`--known: ${(error as Error).message}`);
  }
}

function refused(path: string, line: number, message: string): SettingsError {
  return new SettingsError(`--known ${path}:${line}: ${message}`);
}

type Knowing = { readonly known: readonly KnownFinding[] };

/** The day until which a finding is accepted; undefined: it is not, or no longer. */
export function knownUntilDay({ known }: Knowing, caseId: string, law: LawName): string | undefined {
  const today = new Date().toISOString().slice(0, 10);
  return known.find((entry) => matches(entry, caseId, law) && entry.until >= today)?.until;
}

function matches(entry: KnownFinding, caseId: string, law: LawName): boolean {
  return entry.case === caseId && (entry.law === undefined || entry.law === law);
}

/** A case that is over. */
interface Ended {
  readonly case: { readonly id: string; readonly operation: { readonly id: string } };
  readonly outcome: string;
  readonly findings: readonly Finding[];
}

/** What to do about the entries: those whose finding is gone, and those whose time is over. */
export function judgeKnown({ known }: Knowing, results: readonly Ended[]): Observation[] {
  return known.flatMap((entry) => {
    const result = results.find(({ case: one }) => one.id === entry.case);
    const observation = (text: string): Observation[] => [
      {
        caseId: entry.case,
        operationId: result?.case.operation.id ?? '',
        text: `${entry.case} (--known): ${text}`,
      },
    ];
    if (!result) return observation('there is no such case; strike the entry');
    const found = result.findings.find(({ law }) => matches(entry, entry.case, law));
    if (result.outcome === 'passed' || (result.outcome === 'failed' && !found))
      return observation('it is fixed; strike the entry');
    return found && found.knownUntil === undefined
      ? observation(`its time was over on ${entry.until}; it counts again`)
      : [];
  });
}
