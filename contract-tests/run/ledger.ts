import { type Resource, valueAt } from '#spec';
import { createdIdOf } from '../laws/created-id.ts';
import type { Evidence } from '../laws/evidence.ts';
import { compareMarks, markIn, recordInBody } from '../laws/mark.ts';
import { furtherRoleOf } from '../laws/operation-role.ts';
import { type CasePlace, comparePlaces } from '../laws/own-record.ts';
import { isSuccess } from '../send/response.ts';
import type { Created } from '../send/trail.ts';
import type { Budget } from './budget.ts';
import type { Ownership } from './ownership.ts';

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
  /**
   * @param place the case that made the record, or the part of it
   * @param lasts the service cannot remove it
   */
  note(record: CreatedRecord, place: CasePlace, lasts: boolean): void;
  /** It was to be removed, and the service did not. */
  noteStaying(record: CreatedRecord): void;
  /** How many of them the service cannot remove, or did not. */
  readonly lasting: number;
  /** The records in the order of the cases, for the report. */
  inOrderOf(caseIds: readonly string[]): readonly CreatedRecord[];
  /** What was made under one name is a case's. */
  rename(from: string, caseId: string): void;
  /** The record is gone again. */
  strike(record: CreatedRecord): void;
  /** A case has removed the record itself: its id may be another record's from now on. */
  strikeRemoved(removed: Pick<CreatedRecord, 'operationId' | 'id' | 'path'>): void;
  /** Those that cases have removed themselves, each told once. */
  takeRemoved(chosen: (record: CreatedRecord) => boolean): CreatedRecord[];
  /** The record serves other cases than the one that made it. */
  share(id: unknown): void;
  /** The record is to stand until the end, to be looked at once more, if there is room for it. */
  keep(id: unknown): void;
  /** Whether the record is still needed when its case is over. */
  readonly isNeeded: (record: CreatedRecord) => boolean;
}

/** So many of the records that could be taken away are left standing until the end. */
const KEPT = 12;

const markOf = ({ record: { mark = '' } }: { readonly record: CreatedRecord }) => mark;

export function createLedger(): Ledger {
  const records = new Map<CreatedRecord, CasePlace>();
  const removed = new Set<CreatedRecord>();
  const names = new Map<string, string>();
  const shared = new Set<unknown>();
  const kept = new Set<unknown>();
  const lasting = new Set<CreatedRecord>();
  function strike(record: CreatedRecord): void {
    records.delete(record);
    lasting.delete(record);
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
    rename: (from, caseId) => void names.set(from, caseId),
    note(record, place, lasts) {
      records.set(record, place);
      if (lasts) lasting.add(record);
    },
    noteStaying: (record) => void lasting.add(record),
    get lasting() {
      return lasting.size;
    },
    strike,
    strikeRemoved({ operationId, id, path }) {
      for (const record of records.keys()) {
        const isSame = record.operationId === operationId && String(record.id) === String(id);
        const isBelowSame = Object.entries(record.path ?? {}).every(
          ([name, value]) => String(path?.[name]) === String(value),
        );
        if (!isSame || !isBelowSame) continue;
        strike(record);
        removed.add(record);
      }
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

/** What notes of the records that a run makes go into. */
interface Books {
  readonly ledger: Ledger;
  readonly own: Ownership;
  readonly budget: Budget;
  /** The part that all marks of the run share. */
  readonly mark: string;
}

/**
 * Takes down what an exchange has made or removed, whatever its request was meant for.
 * @returns the record that it has made, where its id is known
 */
export function noteInLedger(
  { ledger, mark, own: ownership, budget }: Books,
  evidence: Evidence,
  { caseId, place }: { readonly caseId: string; readonly place: CasePlace },
): Pick<Created, 'resource' | 'id'> | undefined {
  const { role, operation, exchange } = evidence;
  if (!isSuccess(exchange.response)) return undefined;
  const { request, input } = exchange;
  const creator = role ? (role.action === 'create' ? role.resource : undefined) : createdBeside(evidence);
  if (creator) {
    const { path } = recordInBody(creator, operation);
    const chosen = valueAt(input.body, [...path, creator.id?.property ?? '']);
    // A response without a body shows no id, where the client has chosen it.
    const id = createdIdOf(creator, exchange) ?? (role && chosen);
    const own = markIn(Buffer.from(request.body ?? []).toString(), mark);
    // What is only inferred to be a create may answer with a record that was there before.
    if (!role && (own === undefined || markIn(exchange.response.text ?? '', mark) !== own)) return undefined;
    const record = { operationId: operation.id, caseId, mark: own, id, path: input.path, certain: true };
    ledger.note(record, place, !budget.isRemovable(creator));
    if (id === undefined) return undefined;
    ownership.note(creator, id);
    return { resource: creator, id };
  }
  if (role?.action === 'remove') {
    const { id: identity, actions } = role.resource;
    const id = input.path?.[identity?.parameter ?? ''];
    for (const one of [actions.create, actions.replace])
      if (one) ledger.strikeRemoved({ operationId: one.id, id, path: input.path });
  }
  return undefined;
}

/** An operation on another path may add records to a collection too. */
function createdBeside({ contract, operation }: Evidence): Resource | undefined {
  const { resource, further } = furtherRoleOf(contract, operation) ?? {};
  return further?.role === 'create' ? resource : undefined;
}
