import { readFileSync } from 'node:fs';
import { isRecord } from '#spec';
import { SettingsError } from './settings-error.ts';

/** What a finding is told by in any run: neither ports nor marks, seeds or line numbers matter. */
export interface FindingIdentity {
  readonly caseId: string;
  readonly law: string;
  /** Where the document says it (RFC 6901); undefined: the report is of a version that did not tell. */
  readonly pointer: string | undefined;
}

/** An earlier report, to compare a run with. */
export interface Baseline {
  readonly file: string;
  /** When that run began. */
  readonly startedAt: string | undefined;
  readonly findings: readonly FindingIdentity[];
}

/** How the findings of a run differ from those of an earlier one. */
export interface BaselineComparison {
  /** The file of the earlier report. */
  readonly file: string;
  readonly startedAt: string | undefined;
  readonly new: readonly FindingIdentity[];
  readonly fixed: readonly FindingIdentity[];
  readonly same: readonly FindingIdentity[];
  /** Found earlier, by cases that this run skipped, did not reach or does not have. */
  readonly notTried: readonly FindingIdentity[];
}

/**
 * Reads a JSON report of an earlier run.
 * @throws SettingsError for a file that cannot be read or is no report
 */
export function readBaseline(file: string): Baseline {
  const report = parseReport(file);
  if (!isRecord(report) || !Array.isArray(report.findings))
    throw new SettingsError(`--baseline ${file}: it is no JSON report of "paddock check"`);
  return {
    file,
    startedAt: textOr(report.startedAt),
    findings: report.findings.filter(isRecord).map(({ caseId, law, pointer }) => ({
      caseId: String(caseId),
      law: String(law),
      pointer: textOr(pointer),
    })),
  };
}

function parseReport(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new SettingsError(`--baseline ${file}: ${(error as Error).message}`);
  }
}

function textOr(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function isInBaseline({ findings }: Baseline, one: FindingIdentity): boolean {
  return findings.some((earlier) => isSame(earlier, one));
}

/** @param tried says of the id of a case whether it was executed to its end */
export function compareWithBaseline(
  baseline: Baseline,
  found: readonly FindingIdentity[],
  tried: (caseId: string) => boolean,
): BaselineComparison {
  const { file, startedAt, findings } = baseline;
  const gone = findings.filter((earlier) => !found.some((one) => isSame(earlier, one)));
  return {
    file,
    startedAt,
    new: found.filter((one) => !isInBaseline(baseline, one)),
    fixed: gone.filter(({ caseId }) => tried(caseId)),
    same: found.filter((one) => isInBaseline(baseline, one)),
    notTried: gone.filter(({ caseId }) => !tried(caseId)),
  };
}

function isSame(one: FindingIdentity, other: FindingIdentity): boolean {
  const isSamePlace =
    one.pointer === undefined || other.pointer === undefined || one.pointer === other.pointer;
  return one.caseId === other.caseId && one.law === other.law && isSamePlace;
}
