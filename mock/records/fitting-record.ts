import { idIn, isRecord, ownEntry, showPlace, toPointer, type Validators } from '#spec';
import type { Refusal } from '../http/refusal.ts';
import type { Condition, Entry, Given, Id, Scalar, Store } from '../store/port.ts';
import type { RecordCollection } from './collection.ts';
import { keepsUnnamed, namedMembers } from './forms.ts';

type Members = Readonly<Record<string, unknown>>;

/** Members with what the path of a record says of its parents. */
export function withParents(members: Members, scope: readonly Condition[]): Members {
  const named = scope.filter(({ key }) => !key.startsWith('{')).map(({ key, anyOf }) => [key, anyOf[0]]);
  return { ...Object.fromEntries(named), ...members };
}

/** Of the parents: what a member of the record says, else what its path said. */
function scopeFor(
  { scopeFrom }: RecordCollection,
  members: Members,
  known: readonly Condition[],
): readonly Condition[] {
  return scopeFrom({}).map(({ key }) => {
    const value = key.startsWith('{') ? undefined : (ownEntry(members, key) as Scalar | undefined);
    return { key, anyOf: [(value ?? known.find((one) => one.key === key)?.anyOf[0]) as Scalar] };
  });
}

/** The parents of a record that is there, which its members may not say. */
export async function knownScope(
  collection: RecordCollection,
  id: Id,
  store: Store,
): Promise<readonly Condition[]> {
  const places = collection.scopeFrom({});
  if (places.length === 0) return [];
  const { entries } = await store.contents(collection);
  const entry: Entry | undefined = entries.find((one) => one.id === id);
  return places.map(({ key }) => ({ key, anyOf: [entry?.keys[collection.keys.indexOf(key)] as Scalar] }));
}

/** One reason why a record does not fit the document. */
export interface RecordProblem {
  /** The path of the value in the record, as a JSON Pointer (RFC 6901); empty: the record as a whole. */
  readonly pointer: string;
  /** The predicate of a sentence about the value: `must be one of "available", "sold"`. */
  readonly message: string;
  /** The line of the document that demands it: `spec/openapi.yaml:41`; undefined: no single one does. */
  readonly at: string | undefined;
}

/** All problems of a record that a client wants to be stored; empty: it fits. */
type CheckRecord = (record: unknown) => readonly RecordProblem[];

/** Compiles the check of records by the schema of responses, as states are read. What the service sets may be missing. */
function compileCheckRecord({ resource }: RecordCollection, validators: Validators): CheckRecord {
  const { shape, id } = resource;
  const members = namedMembers(shape);
  const isOpen = keepsUnnamed(shape);
  const checks = shape.roots.map((part) => validators.compile(part, 'response'));
  const mayLack = new Set([...members].flatMap(([name, { readOnly }]) => (readOnly ? [`/${name}`] : [])));
  if (id) mayLack.add(`/${id.property}`);

  return (record) => {
    if (!isRecord(record)) return [{ pointer: '', message: 'must be an object', at: undefined }];
    const unknown = Object.keys(record).filter((name) => !isOpen && !members.has(name));
    const problems = [
      ...unknown.map((name) => ({
        pointer: toPointer([name]),
        message: 'is not in the document',
        at: undefined,
      })),
      ...checks
        .flatMap((check) => check(record))
        .filter(({ keyword, pointer }) => keyword !== 'required' || !mayLack.has(pointer))
        .map(({ pointer, expected, at }) => ({ pointer, message: expected, at: showPlace(at) })),
    ];
    // Several parts of a schema may demand the same.
    return [...new Map(problems.map((one) => [`${one.pointer} ${one.message}`, one])).values()];
  };
}

/** Writes records of a collection as whoever may do everything: the control API, and code of the user's. */
export interface Writes {
  readonly check: CheckRecord;
  /** A new record below these parents, or why there can be none. */
  created(value: unknown, known: readonly Condition[]): Given | Refusal;
  /** What a record is from now on, which stays below the parents that its members do not name. */
  changed(id: Id, value: unknown, known: readonly Condition[]): (Given & { readonly id: Id }) | Refusal;
}

export function compileWrites(collection: RecordCollection, validators: Validators): Writes {
  const { id: identity } = collection.resource;
  const check = compileCheckRecord(collection, validators);

  function read(value: unknown, known: readonly Condition[]) {
    const members = isRecord(value) ? withParents(value, known) : value;
    const problems = check(members);
    if (problems.length > 0) return refuseMisfit(problems);
    const fitting = members as Members;
    const id = identity && (idIn(identity, fitting) as Id | undefined);
    return { id, members: fitting, scope: scopeFor(collection, fitting, known) };
  }

  return {
    check,
    created(value, known) {
      const given = read(value, known);
      const missing =
        'refuse' in given ? undefined : given.scope.find(({ anyOf: [one] }) => one === undefined);
      if (!missing) return given;
      const message = `collection must be a path with the ids of its parents: nothing says what ${missing.key} is`;
      return { refuse: 'malformed', message };
    },
    changed(id, value, known) {
      const given = read(value, known);
      if ('refuse' in given) return given;
      if (given.id === undefined || given.id === id) return { ...given, id };
      const message = 'must stay what it is: a record with another id is another record';
      return refuseMisfit([{ pointer: `/${identity?.property}`, message, at: undefined }]);
    },
  };
}

export function refuseMisfit(problems: readonly RecordProblem[]): Refusal {
  const details = problems.map(({ pointer, message }) => ({ where: pointer, message }));
  const message = problems.map((one) => `${one.pointer || 'the record'} ${one.message}`).join('; ');
  return { refuse: 'malformed', message, details };
}
