import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { complaintsOf, type Row } from './row.ts';

/** Whose fault an exception is, and why: a line of `reasons.yaml`. */
export interface Reason {
  /** Part of the complaint; absent: any. */
  readonly says?: string;
  /** The document's path in its source; absent: any. */
  readonly document?: string;
  /** `document`, `mock` or `suite`. */
  readonly fault: string;
  readonly why: string;
}

export function readReasons(): Reason[] {
  return parse(readFileSync(new URL('reasons.yaml', import.meta.url), 'utf8')) ?? [];
}

/** The first reason that fits; undefined: nobody has looked into it. */
function reasonFor(row: Row, complaint: string, reasons: readonly Reason[]): Reason | undefined {
  return reasons.find(
    ({ says = '', document }) => complaint.includes(says) && (document ?? row.document) === row.document,
  );
}

/** The complaints of a row, those with the same reason once. */
export function explained(row: Row, reasons: readonly Reason[]): [complaint: string, reason?: Reason][] {
  const byReason = new Map<Reason | undefined, string>();
  for (const complaint of complaintsOf(row)) {
    const reason = reasonFor(row, complaint, reasons);
    if (!byReason.has(reason)) byReason.set(reason, complaint);
  }
  return [...byReason].map(([reason, complaint]) => (reason ? [complaint, reason] : [complaint]));
}
