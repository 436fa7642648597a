import type { Problem } from '#spec';

/** What became of the watched document, for one session. */
export interface DocumentChange extends NewChange {
  /** Counted from 1, for all sessions together. */
  readonly number: number;
  /** RFC 3339, UTC. */
  readonly at: string;
  /** Records of the session that do not fit the document. */
  readonly dropped: readonly DroppedRecord[];
  /** How many of each there are: the lists have the first {@link MOST_LISTED}. */
  readonly counts: Readonly<Record<ListName, number>>;
}

export interface NewChange {
  /** `refused`: it is broken, and the old one goes on; `restored`: it is again what is served. */
  readonly kind: 'changed' | 'refused' | 'restored';
  /** Of the document that is served from then on. */
  readonly title: string;
  readonly version: string;
  readonly added: readonly ChangedOperation[];
  readonly removed: readonly ChangedOperation[];
  readonly changed: readonly ChangedOperation[];
  /** What is wrong with a document that is refused. */
  readonly problems: readonly Problem[];
}

export type DocumentProblem = Problem;

export interface ChangedOperation {
  readonly id: string;
  readonly method: string;
  /** Without the base path. */
  readonly path: string;
  /** Where the document has it: `spec/openapi.yaml:41`. */
  readonly at: string;
  /** What of it changed, as `compareContracts` names it; empty for one that is added or removed. */
  readonly parts: readonly string[];
}

export interface DroppedRecord {
  /** Empty: the session of requests that name none. */
  readonly session: string;
  readonly path: string;
  readonly id: unknown;
  readonly reason: string;
}

export type ListName = 'added' | 'removed' | 'changed' | 'dropped' | 'problems';

export interface DocumentChanges {
  add(change: NewChange, at: number, dropped?: readonly DroppedRecord[]): void;
  /** The last change as a session sees it. */
  last(session: string): DocumentChange;
  all(session: string): readonly DocumentChange[];
}

const MOST_CHANGES = 50;

/** A listener that is sent more than a mebibyte at once is disconnected. */
const MOST_LISTED = 200;

/** Of all sessions together, in each change. */
const MOST_DROPPED = 2000;

interface KeptChange {
  readonly number: number;
  readonly at: string;
  readonly change: NewChange;
  readonly dropped: readonly DroppedRecord[];
}

export function createDocumentChanges(): DocumentChanges {
  let kept: readonly KeptChange[] = [];
  const seenBy = (session: string) => (one: KeptChange) => seenFrom(one, session);
  return {
    add(change, at, dropped = []) {
      const number = (kept.at(-1)?.number ?? 0) + 1;
      const next = {
        number,
        at: new Date(at).toISOString(),
        change,
        dropped: dropped.slice(0, MOST_DROPPED),
      };
      kept = [...kept, next].slice(-MOST_CHANGES);
    },
    last: (session) => seenFrom(kept.at(-1) as KeptChange, session),
    all: (session) => kept.map(seenBy(session)),
  };
}

function seenFrom({ number, at, change, dropped }: KeptChange, session: string): DocumentChange {
  const { kind, title, version, ...others } = change;
  const lists = { ...others, dropped: dropped.filter((record) => record.session === session) };
  const names = Object.keys(lists) as ListName[];
  const counts = Object.fromEntries(names.map((name) => [name, lists[name].length]));
  const heads = Object.fromEntries(names.map((name) => [name, lists[name].slice(0, MOST_LISTED)]));
  return { number, at, kind, title, version, counts, ...heads } as unknown as DocumentChange;
}
