import type { Problem } from '#spec';

/** A change of the watched document, for one session. */
export interface DocumentChange extends NewChange {
  /** Counted from 1, across all sessions. */
  readonly number: number;
  /** RFC 3339, UTC. */
  readonly at: string;
  /** Records of the session that do not fit the document. */
  readonly dropped: readonly DroppedRecord[];
  /** The full lengths of the lists, which have the first {@link MOST_LISTED} items. */
  readonly counts: Readonly<Record<ListName, number>>;
}

export interface NewChange {
  /** `refused`: it is broken, so the old one stays in use; `restored`: it equals the one in use again. */
  readonly kind: 'changed' | 'refused' | 'restored';
  /** Of the document in use after the change. */
  readonly title: string;
  readonly version: string;
  readonly added: readonly ChangedOperation[];
  readonly removed: readonly ChangedOperation[];
  readonly changed: readonly ChangedOperation[];
  /** The problems of a refused document. */
  readonly problems: readonly Problem[];
}

export type DocumentProblem = Problem;

export interface ChangedOperation {
  readonly id: string;
  readonly method: string;
  /** Without the base path. */
  readonly path: string;
  /** The line of the document: `spec/openapi.yaml:41`. */
  readonly at: string;
  /** What has changed, by the names of `compareContracts`; empty for added and removed operations. */
  readonly parts: readonly string[];
}

export interface DroppedRecord {
  /** Empty: the default session. */
  readonly session: string;
  readonly path: string;
  readonly id: unknown;
  readonly reason: string;
}

export type ListName = 'added' | 'removed' | 'changed' | 'dropped' | 'problems';

export interface DocumentChanges {
  add(change: NewChange, at: number, dropped?: readonly DroppedRecord[]): void;
  /** The last change for a session. */
  last(session: string): DocumentChange;
  all(session: string): readonly DocumentChange[];
}

const MOST_CHANGES = 50;

/** Per list: a listener that is sent more than a mebibyte at once is disconnected. */
const MOST_LISTED = 200;

/** Per change, for all sessions together. */
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
