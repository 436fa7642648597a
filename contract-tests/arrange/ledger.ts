/** A record that the run made, or may have made, on the target. */
export interface CreatedRecord {
  readonly operationId: string;
  readonly caseId: string;
  readonly mark: string | undefined;
  readonly id: unknown;
  /** False: an unsafe request broke off, and nobody knows whether it was carried out. */
  readonly certain: boolean;
}

/** Counts what the run leaves behind on a service that may have no delete. */
export interface Ledger {
  readonly records: readonly CreatedRecord[];
  note(record: CreatedRecord): void;
  /** True while another record may be made. */
  readonly open: () => boolean;
}

export function createLedger(most: number): Ledger {
  const records: CreatedRecord[] = [];
  return { records, note: (record) => void records.push(record), open: () => records.length < most };
}
