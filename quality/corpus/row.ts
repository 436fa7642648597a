/** What is known of one document when its process has ended, however it has. */
export interface Row {
  /** The folder or package that the document is from. */
  readonly source: string;
  /** Its path in there. */
  readonly document: string;
  readonly bytes: number;
  /** Why it is refused, with file and line; undefined: it is read. */
  readonly refused?: string;
  /** Parts that are against the specification, or not supported, and were read all the same. */
  readonly warnings?: number;
  readonly start?: Start;
  readonly check?: Check;
  /** What the process ended with instead of a result. */
  readonly crash?: string;
}

/** From the start of the process to the first response of the mock. */
export interface Start {
  readonly ms: number;
  /** Resident memory when the response had come. */
  readonly mib: number;
  /** Operations that read or change records. */
  readonly stateful: number;
  /** Operations whose responses are samples of their schemas. */
  readonly sampled: number;
}

/** The suite over the mock, both of this project. */
export interface Check {
  readonly exitCode: number;
  /** Responses that the operations document: without one there is nothing to check. */
  readonly promises: number;
  readonly reason?: string;
  readonly ms: number;
  readonly covered: number;
  /** Cells that gate and are not covered: `operation/status: reason`. */
  readonly uncovered: readonly string[];
  /** Cells that do not gate and are not covered. */
  readonly left: number;
  /** Each finding as `case: law: received`. */
  readonly findings: readonly string[];
  /** What the mock reports as an error of its own. */
  readonly bugs: readonly string[];
}

export const OUTCOMES = ['agrees', 'disagrees', 'promises nothing', 'is refused', 'crashes'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export function outcomeOf({ refused, crash, check }: Row): Outcome {
  if (refused !== undefined) return 'is refused';
  if (crash !== undefined || check === undefined) return 'crashes';
  if (check.promises === 0) return 'promises nothing';
  return check.exitCode === 0 && check.bugs.length === 0 ? 'agrees' : 'disagrees';
}

/** Of a row that is an exception: what was seen, one sentence each. */
export function complaintsOf({ refused, crash, check }: Row): string[] {
  if (refused !== undefined) return [refused];
  if (crash !== undefined || check === undefined) return [crash ?? 'it ended without a result'];
  const { exitCode, reason, findings, uncovered, bugs } = check;
  const seen = [...bugs, ...findings, ...uncovered];
  if (exitCode === 0 || seen.length > 0) return seen;
  return [`exit ${exitCode}: ${reason ?? 'no reason is given'}`];
}
