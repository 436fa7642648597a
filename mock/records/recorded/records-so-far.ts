import { type Data, isRecord, ownEntry, parseJson, type Violation, valueAt, violationsOf } from '#spec';
import type { Condition, Contents, Entry, Given, Id, Scalar } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import { keepsUnnamed, namedMembers } from '../forms.ts';
import { idAlone, isAlone } from '../item.ts';
import { assignIds, type Draft, highestOrdinal } from '../snapshot/read-state.ts';
import { type Moment, type ObservedRecord, observedId } from './observed-records.ts';
import type { Misfit, NoteMisfit } from './recorded-traffic.ts';

/** The records of one collection, as far as traffic has shown them. */
export interface RecordsSoFar {
  /** `inOrder`: the record comes after all others that lists have shown so far. */
  put(observed: ObservedRecord, moment: Moment, inOrder?: boolean): void;
  remove(id: Id | undefined, seen: readonly Condition[], moment: Moment): void;
  /** @returns the ids of the records below these parents, which are removed with them */
  removeBelow(seen: readonly Condition[], moment: Moment): readonly Id[];
  /** Removes the records without ids below these parents: a list shows all of them again. */
  forget(seen: readonly Condition[]): void;
  /** Adds a record that must exist, though nothing else is known of it. False: more is known, or it was removed. */
  suppose(id: Id, seen: readonly Condition[], members: Data): boolean;
  readonly size: number;
  contents(): Contents;
}

export function createRecordsSoFar(collection: RecordCollection, misfit: NoteMisfit): RecordsSoFar {
  const { resource } = collection;
  const idName = resource.id?.inner === undefined ? resource.id?.property : undefined;
  const fitObserved = compileFitObserved(collection);
  /** A singleton, such as `/settings`. */
  const isOne = isAlone(resource);
  const records = new Map<Id, Known>();
  /** Records in lists, in the order of the last list that showed each. */
  const listed = new Set<Id>();
  const gone = new Map<Id, number | undefined>();
  /** The ids that the service has assigned, including those of removed records. */
  const assignedIds = new Set<Id>();
  let unnamed = 0;

  /** A record without an id is identified by its parents, or else counts as a new one each time. */
  const keyWithoutId = (seen: readonly Condition[]) => (isOne ? idAlone(seen) : `#${++unnamed}`);

  const isOld = (key: Id, at: number | undefined) => {
    const last = records.get(key)?.at ?? gone.get(key);
    return at !== undefined && last !== undefined && at < last;
  };

  /** Records that no list has shown come last. */
  function inListedOrder(entries: readonly Entry[]): readonly Entry[] {
    const rank = new Map([...listed].map((id, index) => [id, index]));
    const rankOf = ({ id }: Entry) => rank.get(id) ?? listed.size;
    return entries.toSorted((left, right) => rankOf(left) - rankOf(right));
  }

  return {
    put(observed, { place, at }, inOrder = false) {
      const id = observedId(collection, observed);
      if (idName !== undefined && id === undefined) {
        misfit('no id', place);
        return;
      }
      const key = id ?? keyWithoutId(observed.seen);
      if (isOld(key, at)) return;
      const last = records.get(key);
      const fitted = fitObserved(observed, id, last);
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
      records.set(key, { draft: fitted.draft, scope: fitted.scope, at: at ?? last?.at });
      gone.delete(key);
      if (id !== undefined) assignedIds.add(id);
    },
    remove(id, seen, { at }) {
      const key = id ?? keyWithoutId(seen);
      const last = records.get(key);
      if (isOld(key, at) || (last && !isBelow(last.scope, seen))) return;
      records.delete(key);
      gone.set(key, at);
      if (id !== undefined) assignedIds.add(id);
    },
    removeBelow(seen, { at }) {
      const below = [...records].filter(([key, { scope }]) => isBelow(scope, seen) && !isOld(key, at));
      for (const [key] of below) {
        records.delete(key);
        gone.set(key, at);
      }
      return below.map(([key]) => key);
    },
    forget(seen) {
      if (idName !== undefined || isOne) return;
      for (const [key, { scope }] of records) if (isBelow(scope, seen)) records.delete(key);
    },
    suppose(id, scope, members) {
      if (records.has(id) || gone.has(id)) return false;
      const entry = collection.complete(id, { id, members, scope });
      records.set(id, { draft: { at: [], entry }, scope, at: undefined });
      return true;
    },
    get size() {
      return records.size;
    },
    contents() {
      const drafts = [...records.values()].map(({ draft }) => draft);
      const { entries: sorted, numbered } = assignIds(collection, drafts, undefined, () => {});
      const entries = idName === undefined || listed.size === 0 ? sorted : inListedOrder(sorted);
      return { entries, numbered: Math.max(numbered, highestOrdinal(collection, assignedIds, 0)) };
    },
  };
}

interface Known {
  readonly draft: Draft;
  /** The conditions on its parents. */
  readonly scope: readonly Condition[];
  /** In milliseconds since 1970. Undefined: unknown. */
  readonly at: number | undefined;
}

type Fitted =
  | (Omit<Known, 'at'> & {
      readonly unnamed: string | undefined;
      readonly madeUp: string | undefined;
    })
  | { readonly misfit: Misfit; readonly reason: string | undefined };

/** Makes a record from an exchange and what is known already. */
export type FitObserved = (observed: ObservedRecord, id: Id | undefined, last: Known | undefined) => Fitted;

export function compileFitObserved(collection: RecordCollection): FitObserved {
  const { resource } = collection;
  const idName = resource.id?.inner === undefined ? resource.id?.property : undefined;
  const members = namedMembers(resource.shape);
  const isClosed = !keepsUnnamed(resource.shape);

  /** Undefined: a parent is unknown. */
  function scopeOf(
    members: Data,
    seen: readonly Condition[],
    last: Known | undefined,
  ): readonly Condition[] | undefined {
    const scope = collection.scopeFrom({}).map(({ key }) => {
      const sources = [memberAt(members, key), scalarAt(seen, key), scalarAt(last?.scope ?? [], key)];
      return { key, anyOf: [sources.find((value) => value !== undefined) as Scalar] };
    });
    return scope.every(({ anyOf }) => anyOf[0] !== undefined) ? scope : undefined;
  }

  /** A member that names the parent, or an object that shows it. */
  function memberAt(members: Data, key: string): Scalar | undefined {
    if (!key.startsWith('{')) return ownEntry(members, key) as Scalar | undefined;
    const parent = resource.parents.find(({ parameter }) => `{${parameter}}` === key);
    const object = parent?.property === undefined ? undefined : members[parent.property];
    return parent?.inner !== undefined && isRecord(object)
      ? (valueAt(object, parent.inner.split('.')) as Scalar)
      : undefined;
  }

  /** The possible forms of the record, the most likely first. */
  function formsOf(
    { shownMembers, documented, from }: ObservedRecord,
    id: Id | undefined,
    last: Known | undefined,
  ): readonly Data[] {
    const combined = from(last ? membersOf(last) : {});
    const isPart = documented && [...members.keys()].some((name) => !documented.has(name));
    const forms = !shownMembers
      ? [combined]
      : isPart && last
        ? [combined, shownMembers]
        : [shownMembers, combined];
    if (idName === undefined || id === undefined) return forms;
    return forms.map((form) => (form[idName] === undefined ? { [idName]: id, ...form } : form));
  }

  /** Violations of the schema; members that such a response cannot show are made up. */
  function misfitsOf(form: Data, documented: ObservedRecord['documented']) {
    const checked = isClosed
      ? Object.fromEntries(Object.entries(form).filter(([name]) => members.has(name)))
      : form;
    const all = violationsOf(resource.shape, checked);
    const isUnseen = ({ keyword, pointer }: Violation) =>
      keyword === 'required' && documented !== undefined && !documented.has(pointer.slice(1));
    return { broken: all.find((violation) => !isUnseen(violation)), unseen: all.find(isUnseen) };
  }

  return (observed, id, last) => {
    let reason: string | undefined;
    for (const form of formsOf(observed, id, last)) {
      const scope = scopeOf(form, observed.seen, last);
      if (!scope) return { misfit: 'no parent', reason: undefined };
      if (last && !isBelow(last.scope, scope)) return { misfit: 'same id', reason: undefined };
      const candidate = { ...form, ...Object.fromEntries(scope.flatMap(memberOf)) };
      const { broken, unseen } = misfitsOf(candidate, observed.documented);
      if (broken) {
        const name = broken.pointer.slice(1).replaceAll('/', '.');
        reason ??= `${name || 'the record'} ${broken.expected}`;
        continue;
      }
      const draft = draftOf(id, { id, members: candidate, scope });
      const isUnnamed = (name: string) => isClosed && !members.has(name) && !observed.documented?.has(name);
      const unnamed = Object.keys(observed.shownMembers ?? {}).filter(isUnnamed);
      // Members from responses of other operations are kept, too.
      const kept = unnamed.length > 0 ? membersOf({ draft }) : {};
      return {
        draft,
        scope,
        unnamed: unnamed.find((name) => !Object.hasOwn(kept, name)),
        madeUp: unseen?.pointer.slice(1),
      };
    }
    return { misfit: 'breaks schema', reason };
  };

  /** Completed at once, to save the memory for members of a million records. */
  function draftOf(id: Id | undefined, input: Given): Draft {
    const ownId = id ?? (isAlone(resource) ? idAlone(input.scope) : undefined);
    return ownId === undefined ? { at: [], input } : { at: [], entry: collection.complete(ownId, input) };
  }
}

/** A condition as a member, unless its key has braces: no member names that parent. */
function memberOf({ key, anyOf }: Condition): [name: string, value: Scalar][] {
  return key.startsWith('{') ? [] : [[key, anyOf[0] as Scalar]];
}

/** Whether a record can be below these parents. */
function isBelow(scope: readonly Condition[], seen: readonly Condition[]): boolean {
  return seen.every(({ key, anyOf }) => {
    const value = scalarAt(scope, key);
    return value === undefined || anyOf[0] === undefined || value === anyOf[0];
  });
}

function scalarAt(scope: readonly Condition[], wanted: string): Scalar | undefined {
  return scope.find(({ key }) => key === wanted)?.anyOf[0];
}

function membersOf({ draft: { entry, input } }: Pick<Known, 'draft'>): Data {
  return entry ? (parseJson(entry.text) as Data) : (input?.members ?? {});
}
