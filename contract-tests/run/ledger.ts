import type { Observation } from '../laws/finding.ts';
import { compareMarks } from '../laws/mark.ts';
import { type CasePlace, comparePlaces } from '../laws/operation-role.ts';

/** A record that the run created, or may have created, at the target. */
export interface CreatedRecord {
  readonly operationId: string;
  readonly caseId: string;
  /** The text that identifies the run's record, if it has an ordinary text member. */
  readonly mark: string | undefined;
  /** The id that the target returned; undefined: none. */
  readonly id: unknown;
  /** The path parameters of the create request: the parents of a nested record. */
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  /** False: an unsafe request got no response or a server error, and may have been carried out. */
  readonly certain: boolean;
}

/** A record that a path names. */
export interface Item {
  /** The operations that create and change such records. */
  readonly operationIds: ReadonlySet<string>;
  readonly id: unknown;
  readonly path: CreatedRecord['path'];
}

function isItem({ operationIds, id, path }: Item): (record: CreatedRecord) => boolean {
  return (record) =>
    operationIds.has(record.operationId) &&
    String(record.id) === String(id) &&
    Object.entries(record.path ?? {}).every(([name, value]) => String(path?.[name]) === String(value));
}

/** Tracks the records that the run leaves at a service, which may have no delete. */
export interface Ledger {
  /** The records that exist, or may exist. */
  readonly records: readonly CreatedRecord[];
  /**
   * @param place the case that created the record, or the part of it
   * @param lasts the service cannot remove it
   * @param isBelow it is below a record of somebody else
   */
  note(record: CreatedRecord, place: CasePlace, lasts: boolean, isBelow: boolean): void;
  /** It should have been removed, and was not. */
  noteStaying(record: CreatedRecord): void;
  /** The record does not exist yet, and does not count as remaining; a request without a response may still create it. */
  noteAbsent(record: CreatedRecord): void;
  /** What happened to the records of an operation. */
  fateOf(operationId: string): FateOfRecords;
  /** The number of records that the service cannot remove, or did not. */
  readonly lasting: number;
  /** The records that were created below those of others, including removed ones. */
  readonly below: readonly CreatedRecord[];
  /** The records in the order of the cases, for the report. */
  inOrderOf(caseIds: readonly string[]): readonly CreatedRecord[];
  /** What was created below records of others, and how much of it remains. */
  noticesBelow(): Observation[];
  /** Assigns the records of shared work to a case. */
  rename(from: string, caseId: string): void;
  /**
   * A list shows the record.
   * @returns the record with its id
   */
  settle(record: CreatedRecord, id: unknown): CreatedRecord;
  /** A case changed the id of the record. */
  move(item: Item, id: unknown): void;
  /** The record was removed. */
  strike(record: CreatedRecord): void;
  /** A case removed the record itself: the service may reuse its id. */
  strikeRemoved(item: Item): void;
  /** Whether the run created the item, and whether it still exists. Undefined: the run did not create it. */
  stateOf(item: Item): 'standing' | 'gone' | undefined;
  /** The records that cases removed themselves, each returned once. */
  takeRemoved(chosen: (record: CreatedRecord) => boolean): CreatedRecord[];
  /** Other cases than its creator use the record. */
  share(id: unknown): void;
  /** Keeps the record for a check at the end of the run, if there is room. */
  keep(id: unknown): void;
  /** Whether the record is still needed after its case. */
  readonly isNeeded: (record: CreatedRecord) => boolean;
}

/** How many records were removed, and how many remain. */
export interface FateOfRecords {
  readonly gone: number;
  readonly staying: number;
}

const NONE_MADE: FateOfRecords = { gone: 0, staying: 0 };

/** The number of removable records that are kept until the end. */
const KEPT = 12;

const markOf = ({ record: { mark = '' } }: { readonly record: CreatedRecord }) => mark;

export function createLedger(): Ledger {
  const records = new Map<CreatedRecord, CasePlace>();
  const removed = new Set<CreatedRecord>();
  /** Removed records by id. */
  const gone = new Map<string, CreatedRecord[]>();
  const names = new Map<string, string>();
  const shared = new Set<unknown>();
  const kept = new Set<unknown>();
  const lasting = new Set<CreatedRecord>();
  const below: CreatedRecord[] = [];
  const fates = new Map<string, FateOfRecords>();

  function noteFate({ operationId }: CreatedRecord, what: keyof FateOfRecords, by: 1 | -1 = 1): void {
    const fate = fates.get(operationId) ?? NONE_MADE;
    fates.set(operationId, { ...fate, [what]: fate[what] + by });
  }

  function noteStaying(record: CreatedRecord): void {
    if (!lasting.has(record)) noteFate(record, 'staying');
    lasting.add(record);
  }

  function noteAbsent(record: CreatedRecord): void {
    if (lasting.delete(record)) noteFate(record, 'staying', -1);
  }

  function strike(record: CreatedRecord): void {
    noteAbsent(record);
    records.delete(record);
    noteFate(record, 'gone');
  }

  function settle(record: CreatedRecord, id: unknown): CreatedRecord {
    const settled = { ...record, id, certain: true };
    records.set(settled, records.get(record) ?? []);
    if (lasting.has(record)) lasting.add(settled);
    if (below.includes(record)) below.splice(below.indexOf(record), 1, settled);
    records.delete(record);
    lasting.delete(record);
    return settled;
  }

  return {
    get records() {
      return [...records.keys()];
    },
    inOrderOf(caseIds) {
      const positions = new Map(caseIds.map((id, index) => [id, index]));
      const named = [...records].map(([record, place]) => {
        const caseId = names.get(record.caseId) ?? record.caseId;
        return { record: { ...record, caseId }, position: positions.get(caseId) ?? 0, place };
      });
      named.sort(
        // Responses in a race arrive in any order; marks have the order of sending.
        (a, b) =>
          a.position - b.position || comparePlaces(a.place, b.place) || compareMarks(markOf(a), markOf(b)),
      );
      return named.map(({ record }) => record);
    },
    noticesBelow: () => {
      // The last path parameter of a PUT names the created record itself.
      const parentsOf = ({ path = {}, id }: CreatedRecord) =>
        Object.entries(path).flatMap(([name, value], index) =>
          index > 0 && value === id ? [] : [`${name} ${value}`],
        );
      const groups = Map.groupBy(below, (record) => `${record.operationId} ${parentsOf(record)}`);
      return [...groups.values()].map((all) => {
        const [first] = all as [CreatedRecord];
        const { operationId, caseId } = first;
        const left = all.filter((record) => records.has(record)).length;
        const text = `records made below ${parentsOf(first).join(', ')}, which the run has not made: ${all.length}, of which ${left} are left`;
        return { caseId: names.get(caseId) ?? caseId, operationId, text };
      });
    },
    rename: (from, caseId) => void names.set(from, caseId),
    note(record, place, lasts, isBelow) {
      records.set(record, place);
      if (isBelow) below.push(record);
      if (lasts) noteStaying(record);
    },
    settle,
    move(item, id) {
      for (const record of [...records.keys()].filter(isItem(item))) settle(record, id);
    },
    noteStaying,
    noteAbsent,
    fateOf: (operationId) => fates.get(operationId) ?? NONE_MADE,
    get lasting() {
      return lasting.size;
    },
    below,
    strike,
    strikeRemoved(item) {
      for (const record of [...records.keys()].filter(isItem(item))) {
        strike(record);
        removed.add(record);
        const id = String(record.id);
        gone.set(id, [...(gone.get(id) ?? []), record]);
      }
    },
    stateOf(item) {
      const isSame = isItem(item);
      if (records.keys().some(isSame)) return 'standing';
      return gone.get(String(item.id))?.some(isSame) ? 'gone' : undefined;
    },
    takeRemoved(chosen) {
      const taken = [...removed].filter(chosen);
      for (const record of taken) removed.delete(record);
      return taken;
    },
    share: (id) => void shared.add(id),
    keep: (id) => void (kept.size < KEPT && kept.add(id)),
    isNeeded: ({ id }) => shared.has(id) || kept.has(id),
  };
}
