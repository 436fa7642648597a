import { readFileSync } from 'node:fs';
import { isRecord } from '#spec';
import { SettingsError } from './check-options.ts';

/** What a finding is told by in any run: neither ports nor marks, seeds or line numbers matter. */
export interface FindingIdentity {
  /** Law, kind of breach and place; undefined: the report is of a version that did not tell, and law and pointer count. */
  readonly key: string | undefined;
  /** A case that has seen it: an example. */
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

/** How the findings of a run differ from those of an earlier one; what several cases have seen is one. */
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
    findings: report.findings.filter(isRecord).map(({ key, caseId, law, pointer }) => ({
      key: textOr(key),
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
  // Another of the cases that have seen it might see it still.
  const wasTried = (one: FindingIdentity) =>
    gone.every((other) => !isSame(one, other) || tried(other.caseId));
  return {
    file,
    startedAt,
    new: onceEach(found.filter((one) => !isInBaseline(baseline, one))),
    fixed: onceEach(gone.filter(wasTried)),
    same: onceEach(found.filter((one) => isInBaseline(baseline, one))),
    notTried: onceEach(gone.filter((one) => !wasTried(one))),
  };
}

function onceEach(findings: readonly FindingIdentity[]): FindingIdentity[] {
  return findings.filter((one, index) => findings.findIndex((other) => isSame(one, other)) === index);
}

function isSame(one: FindingIdentity, other: FindingIdentity): boolean {
  if (one.key !== undefined && other.key !== undefined) return one.key === other.key;
  if (one.pointer === undefined || other.pointer === undefined)
    return one.law === other.law && one.caseId === other.caseId;
  return one.law === other.law && one.pointer === other.pointer;
}
