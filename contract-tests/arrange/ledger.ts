/** A record that the run made, or may have made, on the target. */
export interface CreatedRecord {
  readonly operationId: string;
  readonly caseId: string;
  readonly mark: string | undefined;
  readonly id: unknown;
  /** Path parameters of the create: what a nested record belongs to. */
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  /** False: an unsafe request broke off, and nobody knows whether it was carried out. */
  readonly certain: boolean;
}

/** Counts what the run leaves behind on a service that may have no delete. */
export interface Ledger {
  /** Those that are still there, or may be. */
  readonly records: readonly CreatedRecord[];
  note(record: CreatedRecord): void;
  /** The record is gone again. */
  strike(record: CreatedRecord): void;
  /** The record serves more than the case that made it. */
  share(id: unknown): void;
  readonly isShared: (record: CreatedRecord) => boolean;
  /** True while another record may be made: the bound is on what stands at one time. */
  readonly open: () => boolean;
}

export function createLedger(most: number): Ledger {
  const records = new Set<CreatedRecord>();
  const shared = new Set<unknown>();
  return {
    get records() {
      return [...records];
    },
    note: (record) => void records.add(record),
    strike: (record) => void records.delete(record),
    share: (id) => void shared.add(id),
    isShared: ({ id }) => shared.has(id),
    open: () => records.size < most,
  };
}
