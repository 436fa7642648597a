import { isRecord, ownEntry, parseJson, type Validators, type Violation } from '#spec';
import type { Condition, Given, Id, Scalar } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import { keepsUnnamed, namedMembers } from '../members.ts';
import type { Draft } from '../snapshot/read-record.ts';
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
  | (Omit<Known, 'at'> & {
      /** A member that was left out. */
      readonly unnamed: string | undefined;
      /** A member that was made up. */
      readonly madeUp: string | undefined;
    })
  | { readonly misfit: Misfit; readonly reason: string | undefined };

/** Makes a record of what an exchange says and what is known of it. */
export type FitTold = (told: ToldRecord, id: Id | undefined, last: Known | undefined) => Fitted;

export function compileFitTold(collection: RecordCollection, validators: Validators): FitTold {
  const { resource } = collection;
  const idName = resource.id?.property;
  const checks = resource.shape.parts.map((part) => validators.compile(part, 'response'));
  const members = namedMembers(resource.shape);
  const isClosed = !keepsUnnamed(resource.shape);

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
    if (!key.startsWith('{')) return ownEntry(members, key) as Scalar | undefined;
    const parent = resource.parents.find(({ parameter }) => `{${parameter}}` === key);
    const object = parent?.property === undefined ? undefined : members[parent.property];
    return parent?.inner !== undefined && isRecord(object) ? (object[parent.inner] as Scalar) : undefined;
  }

  /** The forms that the record may have, the most likely one first. */
  function formsOf(
    { shown, documented, from }: ToldRecord,
    id: Id | undefined,
    last: Known | undefined,
  ): readonly Members[] {
    const combined = from(last ? membersOf(last) : {});
    const isPart = documented && [...members.keys()].some((name) => !documented.has(name));
    const forms = !shown ? [combined] : isPart && last ? [combined, shown] : [shown, combined];
    if (idName === undefined || id === undefined) return forms;
    return forms.map((form) => (form[idName] === undefined ? { [idName]: id, ...form } : form));
  }

  /** What the document does not allow; what such a response cannot show is made up. */
  function violationsOf(form: Members, documented: ToldRecord['documented']) {
    const checked = isClosed
      ? Object.fromEntries(Object.entries(form).filter(([name]) => members.has(name)))
      : form;
    const all = checks.flatMap((check) => check(checked));
    const isUnseen = ({ keyword, pointer }: Violation) =>
      keyword === 'required' && documented !== undefined && !documented.has(pointer.slice(1));
    return { broken: all.find((one) => !isUnseen(one)), unseen: all.find(isUnseen) };
  }

  return (told, id, last) => {
    let reason: string | undefined;
    for (const form of formsOf(told, id, last)) {
      const scope = scopeOf(form, told.seen, last);
      if (!scope) return { misfit: 'no parent', reason: undefined };
      if (last && !isBelow(last.scope, scope)) return { misfit: 'same id', reason: undefined };
      const given = { ...form, ...Object.fromEntries(scope.flatMap(memberOf)) };
      const { broken, unseen } = violationsOf(given, told.documented);
      if (broken) {
        const name = broken.pointer.slice(1).replaceAll('/', '.');
        reason ??= `${name || 'the record'} ${broken.expected}`;
        continue;
      }
      const draft = draftOf(id, { id, members: given, scope });
      const isUnnamed = (name: string) => isClosed && !members.has(name) && !told.documented?.has(name);
      const unnamed = Object.keys(told.shown ?? {}).filter(isUnnamed);
      // Members that the responses of other operations have are kept, too.
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

  /** Completed at once, so that the members of a million records need not be kept. */
  function draftOf(id: Id | undefined, given: Given): Draft {
    return id === undefined ? { at: [], given } : { at: [], entry: collection.complete(id, given) };
  }
}

/** What a path says of a record is a member of it, unless braces say that it has none. */
function memberOf({ key, anyOf }: Condition): [name: string, value: Scalar][] {
  return key.startsWith('{') ? [] : [[key, anyOf[0] as Scalar]];
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

function membersOf({ draft: { entry, given } }: Pick<Known, 'draft'>): Members {
  return entry ? (parseJson(entry.text) as Members) : (given?.members ?? {});
}
