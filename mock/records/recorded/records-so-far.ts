import { stringifyJson, type Validators } from '#spec';
import type { Condition, Contents, Entry, Id } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import { assignIds } from '../snapshot/assign-ids.ts';
import { compileFitTold, isBelow, type Known } from './fit-told.ts';
import type { NoteMisfit } from './misfits.ts';
import type { Members, Moment, ToldRecord } from './told.ts';

/** The records of one collection, as far as traffic has shown them. */
export interface RecordsSoFar {
  /** In order: it comes after all others that lists have shown so far. */
  put(told: ToldRecord, moment: Moment, inOrder?: boolean): void;
  remove(id: Id | undefined, seen: readonly Condition[], moment: Moment): void;
  /** Forgets the records below these parents, if they have no ids: a list shows all of them again. */
  forget(seen: readonly Condition[]): void;
  /** A record that must exist, of which nothing else is known; false: more is known, or it is gone. */
  suppose(id: Id, seen: readonly Condition[], members: Members): boolean;
  readonly size: number;
  contents(): Contents;
}

export function createRecordsSoFar(
  collection: RecordCollection,
  validators: Validators,
  misfit: NoteMisfit,
): RecordsSoFar {
  const { resource } = collection;
  const idName = resource.id?.property;
  const fitTold = compileFitTold(collection, validators);
  /** One record by itself, such as `/settings`. */
  const isAlone = idName === undefined && !resource.list && !resource.actions.create;
  const known = new Map<Id, Known>();
  /** Those that lists have shown, in the order of the last one that showed each. */
  const listed = new Set<Id>();
  /** When records were removed. */
  const gone = new Map<Id, number | undefined>();
  /** The ids that the service has given, removed ones included. */
  const given = new Set<Id>();
  let unnamed = 0;

  /** A record without an id is known by its parents, or is another one each time. */
  const keyWithoutId = (seen: readonly Condition[]) =>
    isAlone ? stringifyJson(seen.map(({ anyOf }) => anyOf[0])) : `#${++unnamed}`;

  function idOf({ shown, id, from }: ToldRecord): Id | undefined {
    if (idName === undefined) return undefined;
    const own = shown?.[idName] ?? id ?? from({})[idName];
    return own === null ? undefined : (own as Id | undefined);
  }

  const isOld = (key: Id, at: number | undefined) => {
    const last = known.get(key)?.at ?? gone.get(key);
    return at !== undefined && last !== undefined && at < last;
  };

  /** What no list has shown comes after what lists have shown. */
  function inListedOrder(entries: readonly Entry[]): readonly Entry[] {
    const rank = new Map([...listed].map((id, index) => [id, index]));
    const rankOf = ({ id }: Entry) => rank.get(id) ?? listed.size;
    return entries.toSorted((left, right) => rankOf(left) - rankOf(right));
  }

  return {
    put(told, { place, at }, inOrder = false) {
      const id = idOf(told);
      if (idName !== undefined && id === undefined) {
        misfit('no id', place);
        return;
      }
      const key = id ?? keyWithoutId(told.seen);
      if (isOld(key, at)) return;
      const last = known.get(key);
      const fitted = fitTold(told, id, last);
      if ('misfit' in fitted) {
        misfit(fitted.misfit, place, fitted.reason);
        return;
      }
      if (fitted.unnamed !== undefined) misfit('undocumented members', place, JSON.stringify(fitted.unnamed));
      if (fitted.madeUp !== undefined) misfit('partly made up', place, JSON.stringify(fitted.madeUp));
      if (inOrder) {
        listed.delete(key);
        listed.add(key);
      }
      known.set(key, { draft: fitted.draft, scope: fitted.scope, at: at ?? last?.at });
      gone.delete(key);
      if (id !== undefined) given.add(id);
    },
    remove(id, seen, { at }) {
      const key = id ?? keyWithoutId(seen);
      const last = known.get(key);
      if (isOld(key, at) || (last && !isBelow(last.scope, seen))) return;
      known.delete(key);
      gone.set(key, at);
      if (id !== undefined) given.add(id);
    },
    forget(seen) {
      if (idName !== undefined || isAlone) return;
      for (const [key, { scope }] of known) if (isBelow(scope, seen)) known.delete(key);
    },
    suppose(id, scope, members) {
      if (known.has(id) || gone.has(id)) return false;
      const entry = collection.complete(id, { id, members, scope });
      known.set(id, { draft: { at: [], entry }, scope, at: undefined });
      return true;
    },
    get size() {
      return known.size;
    },
    contents() {
      const drafts = [...known.values()].map(({ draft }) => draft);
      const { entries: sorted, numbered } = assignIds(collection, drafts, undefined, () => {});
      const entries = idName === undefined || listed.size === 0 ? sorted : inListedOrder(sorted);
      return { entries, numbered: Math.max(numbered, highestOf(collection, given)) };
    },
  };
}

/** No one has made so many records: an id beyond was chosen. */
const MOST_RECORDS = 1e12;

/** How many ids the service must have counted for these; a new record gets a later one, though they are removed. */
function highestOf({ idOf }: RecordCollection, ids: ReadonlySet<Id>): number {
  const first = idOf(1);
  if (typeof first !== 'number') return 0;
  let highest = 0;
  for (const id of ids) {
    const ordinal = typeof id === 'number' ? id - first + 1 : 0;
    if (ordinal > highest && ordinal <= MOST_RECORDS) highest = ordinal;
  }
  return highest;
}
