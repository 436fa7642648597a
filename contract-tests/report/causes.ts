import type { LawName } from '../laws/law.ts';
import { type ReportedFinding, reproductionOf } from './reported-finding.ts';

/** What is broken: one law in one way at one place of the document, however many cases have seen it. */
export interface Cause {
  /** That of its findings. */
  readonly key: string;
  readonly law: LawName;
  readonly at: string;
  /** JSON Pointer of the place. */
  readonly pointer: string;
  /** False: none of its findings gates. */
  readonly gates: boolean;
  /** Accepted until that day, by all of its findings. */
  readonly knownUntil: string | undefined;
  /** The finding with the shortest reproduction, as an index into `findings`. */
  readonly finding: number;
  readonly received: string;
  readonly documented: string;
  readonly curl: string;
  readonly steps: readonly string[] | undefined;
  /** The ids of the cases that have seen it. */
  readonly cases: readonly string[];
}

/** Groups findings by cause, those that gate first. */
export function groupByCause(findings: readonly ReportedFinding[]): Cause[] {
  const groups = Map.groupBy(findings, ({ key }) => key);
  const causes = [...groups.values()].map((group) => causeOf(group, findings));
  return causes.sort((one, other) => Number(other.gates) - Number(one.gates));
}

function causeOf(group: readonly ReportedFinding[], findings: readonly ReportedFinding[]): Cause {
  const [shown] = group.toSorted(byReproduction) as [ReportedFinding];
  const { key, law, at, pointer, received, documented, curl, steps } = shown;
  const known = group.map(({ knownUntil }) => knownUntil ?? '').sort();
  return {
    key,
    law,
    at,
    pointer,
    gates: group.some(({ gates }) => gates),
    knownUntil: known[0] || undefined,
    finding: findings.indexOf(shown),
    received,
    documented,
    curl,
    steps,
    cases: [...new Set(group.map(({ caseId }) => caseId))],
  };
}

/** Those that gate first, then the fewest requests, then the shortest. */
function byReproduction(one: ReportedFinding, other: ReportedFinding): number {
  return (
    Number(other.gates) - Number(one.gates) ||
    requestsIn(one) - requestsIn(other) ||
    reproductionOf(one).length - reproductionOf(other).length
  );
}

function requestsIn({ steps = [] }: ReportedFinding): number {
  return Math.max(1, steps.length);
}
