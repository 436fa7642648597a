import { isRecord, parseJson, type Validators } from '#spec';
import type { RecordCollection } from '../records/collection.ts';
import { keepsUnnamed, namedMembers } from '../records/members.ts';
import { compileReadRecord, type Draft } from '../snapshot/read-record.ts';
import type { Condition, Id, Scalar } from '../store/port.ts';
import type { Misfit } from './recorded-traffic.ts';
import type { Members, ToldRecord } from './told.ts';

/** A record as traffic has shown it last. */
export interface Known {
  readonly draft: Draft;
  /** Below which other records it is. */
  readonly scope: readonly Condition[];
  /** In milliseconds since 1970; undefined: not known. */
  readonly at: number | undefined;
}

export type Fitted =
  | (Omit<Known, 'at'> & { /** A member that was left out. */ readonly unnamed: string | undefined })
  | { readonly misfit: Misfit; readonly reason: string | undefined };

/** Makes a record of what an exchange says and what is known of it. */
export type FitTold = (told: ToldRecord, id: Id | undefined, last: Known | undefined) => Fitted;

export function compileFitTold(collection: RecordCollection, validators: Validators): FitTold {
  const { resource } = collection;
  const idName = resource.id?.property;
  const readRecord = compileReadRecord(collection, validators);
  const named = keepsUnnamed(resource.shape) ? undefined : namedMembers(resource.shape);

  /** Undefined: something is missing. */
  function scopeOf(
    members: Members,
    seen: readonly Condition[],
    last: Known | undefined,
  ): readonly Condition[] | undefined {
    const scope = collection.scopeFrom({}).map(({ key }) => {
      const sources = [memberAt(members, key), scalarAt(seen, key), scalarAt(last?.scope ?? [], key)];
      return { key, anyOf: [sources.find((value) => value !== undefined) as Scalar] };
    });
    return scope.every(({ anyOf }) => anyOf[0] !== undefined) ? scope : undefined;
  }

  /** A member that names the parent, or is an object that does. */
  function memberAt(members: Members, key: string): Scalar | undefined {
    if (!key.startsWith('{')) return members[key] as Scalar | undefined;
    const parent = resource.parents.find(({ parameter }) => `{${parameter}}` === key);
    const object = parent?.property === undefined ? undefined : members[parent.property];
    return parent?.inner !== undefined && isRecord(object) ? (object[parent.inner] as Scalar) : undefined;
  }

  /** The forms that the record may have, the most likely one first. */
  function formsOf({ shown, isPart, from }: ToldRecord, id: Id | undefined, last: Known | undefined) {
    const combined = from(last ? membersOf(last) : {});
    const forms: Members[] = !shown ? [combined] : isPart && last ? [combined, shown] : [shown, combined];
    if (idName === undefined || id === undefined) return forms;
    return forms.map((form) => (form[idName] === undefined ? { [idName]: id, ...form } : form));
  }

  return (told, id, last) => {
    let reason: string | undefined;
    for (const form of formsOf(told, id, last)) {
      const scope = scopeOf(form, told.seen, last);
      if (!scope) return { misfit: 'no parent', reason: undefined };
      if (last && !isBelow(last.scope, scope)) return { misfit: 'same id', reason: undefined };
      const unnamed = Object.keys(form).find((name) => named?.has(name) === false);
      const members =
        unnamed === undefined
          ? form
          : Object.fromEntries(Object.entries(form).filter(([name]) => named?.has(name)));
      const problems: string[] = [];
      const draft = readRecord(members, scope, [], (_path, message) => problems.push(message));
      if (draft && problems.length === 0) return { draft, scope, unnamed };
      reason ??= problems[0];
    }
    return { misfit: 'breaks schema', reason };
  };
}

/** Whether a record can be below these parents. */
export function isBelow(scope: readonly Condition[], seen: readonly Condition[]): boolean {
  return seen.every(({ key, anyOf }) => {
    const own = scalarAt(scope, key);
    return own === undefined || anyOf[0] === undefined || own === anyOf[0];
  });
}

function scalarAt(scope: readonly Condition[], wanted: string): Scalar | undefined {
  return scope.find(({ key }) => key === wanted)?.anyOf[0];
}

function membersOf({ draft: { entry, given } }: Known): Members {
  return entry ? (parseJson(entry.text) as Members) : (given?.members ?? {});
}
