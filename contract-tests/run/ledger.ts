import type { Observation } from '../laws/finding.ts';
import { compareMarks } from '../laws/mark.ts';
import { type CasePlace, comparePlaces } from '../laws/operation-role.ts';

/** A record that the run made, or may have made, on the target. */
export interface CreatedRecord {
  readonly operationId: string;
  readonly caseId: string;
  /** The text by which the run's records can be told from others, where they have an ordinary text member. */
  readonly mark: string | undefined;
  /** As the target gave it; undefined: it gave none. */
  readonly id: unknown;
  /** Path parameters of the create: what a nested record belongs to. */
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  /** False: an unsafe request was not answered, or with an error of the service: it may have been carried out. */
  readonly certain: boolean;
}

/** What a path names. */
export interface Item {
  /** The operations that make and change such records. */
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

/** Counts what the run leaves behind on a service that may have no delete. */
export interface Ledger {
  /** Those that are still there, or may be. */
  readonly records: readonly CreatedRecord[];
  /**
   * @param place the case that made the record, or the part of it
   * @param lasts the service cannot remove it
   * @param isBelow it stands below a record of somebody else
   */
  note(record: CreatedRecord, place: CasePlace, lasts: boolean, isBelow: boolean): void;
  /** It was to be removed, and the service did not. */
  noteStaying(record: CreatedRecord): void;
  /** What has become of the records that an operation made. */
  fateOf(operationId: string): FateOfRecords;
  /** How many of them the service cannot remove, or did not. */
  readonly lasting: number;
  /** Those that were made below records of others, also where they are gone again. */
  readonly below: readonly CreatedRecord[];
  /** The records in the order of the cases, for the report. */
  inOrderOf(caseIds: readonly string[]): readonly CreatedRecord[];
  /** What was made below records of others, and how much of it is still there. */
  noticesBelow(): Observation[];
  /** What was made under one name is a case's. */
  rename(from: string, caseId: string): void;
  /** A list has shown it. @returns the record with its id */
  settle(record: CreatedRecord, id: unknown): CreatedRecord;
  /** A case has given the record another id. */
  move(item: Item, id: unknown): void;
  /** The record is gone again. */
  strike(record: CreatedRecord): void;
  /** A case has removed the record itself: its id may be another record's from now on. */
  strikeRemoved(item: Item): void;
  /** Whether the run has made the item: it stands, or is gone again. Undefined: it has not. */
  stateOf(item: Item): 'standing' | 'gone' | undefined;
  /** Those that cases have removed themselves, each told once. */
  takeRemoved(chosen: (record: CreatedRecord) => boolean): CreatedRecord[];
  /** The record serves other cases than the one that made it. */
  share(id: unknown): void;
  /** The record is to stand until the end, to be looked at once more, if there is room for it. */
  keep(id: unknown): void;
  /** Whether the record is still needed when its case is over. */
  readonly isNeeded: (record: CreatedRecord) => boolean;
}

/** How many records were removed again, and how many the service cannot remove, or did not. */
export interface FateOfRecords {
  readonly gone: number;
  readonly staying: number;
}

const NONE_MADE: FateOfRecords = { gone: 0, staying: 0 };

/** So many of the records that could be taken away are left standing until the end. */
const KEPT = 12;

const markOf = ({ record: { mark = '' } }: { readonly record: CreatedRecord }) => mark;

export function createLedger(): Ledger {
  const records = new Map<CreatedRecord, CasePlace>();
  const removed = new Set<CreatedRecord>();
  /** By their ids. */
  const gone = new Map<string, CreatedRecord[]>();
  const names = new Map<string, string>();
  const shared = new Set<unknown>();
  const kept = new Set<unknown>();
  const lasting = new Set<CreatedRecord>();
  const below: CreatedRecord[] = [];
  const fates = new Map<string, FateOfRecords>();

  function drop(record: CreatedRecord): void {
    records.delete(record);
    lasting.delete(record);
  }

  function noteFate({ operationId }: CreatedRecord, what: keyof FateOfRecords): void {
    const known = fates.get(operationId) ?? NONE_MADE;
    fates.set(operationId, { ...known, [what]: known[what] + 1 });
  }

  function noteStaying(record: CreatedRecord): void {
    if (!lasting.has(record)) noteFate(record, 'staying');
    lasting.add(record);
  }

  function strike(record: CreatedRecord): void {
    drop(record);
    noteFate(record, 'gone');
  }

  function settle(record: CreatedRecord, id: unknown): CreatedRecord {
    const settled = { ...record, id, certain: true };
    records.set(settled, records.get(record) ?? []);
    if (lasting.has(record)) lasting.add(settled);
    if (below.includes(record)) below.splice(below.indexOf(record), 1, settled);
    drop(record);
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
        // Requests of a race are answered in any order; their marks have the order in which they were sent.
        (a, b) =>
          a.position - b.position || comparePlaces(a.place, b.place) || compareMarks(markOf(a), markOf(b)),
      );
      return named.map(({ record }) => record);
    },
    noticesBelow: () => {
      // What a PUT makes is named by the last value of its path.
      const parentsOf = ({ path = {}, id }: CreatedRecord) =>
        Object.entries(path).flatMap(([name, value], index) =>
          index > 0 && value === id ? [] : [`${name} ${value}`],
        );
      const groups = Map.groupBy(below, (one) => `${one.operationId} ${parentsOf(one)}`);
      return [...groups.values()].map((all) => {
        const [first] = all as [CreatedRecord];
        const { operationId, caseId } = first;
        const left = all.filter((one) => records.has(one)).length;
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
