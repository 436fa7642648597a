import {
  type Data,
  formsOf,
  idIn,
  isRecord,
  type Operation,
  oncePer,
  ownEntry,
  parseJson,
  pointerTokens,
  type Shape,
  showPlace,
  toPointer,
  violationsOf,
} from '#spec';
import { type Awaitable, andThen, type Detail } from '../http/exchange.ts';
import { isRefusal, type Refusal } from '../http/refusal.ts';
import type { Collection, Condition, Entry, Given, Id, Scalar, Store } from '../store/port.ts';
import type { RecordCollection } from './collection.ts';
import { compileForms, formOf, keepsUnnamed, namedMembers } from './forms.ts';
import { type ItemAddress, recordNotFound } from './item.ts';

/** Adds the parents in a record's path to its members. */
export function withParents(members: Data, scope: readonly Condition[]): Data {
  const named = scope.filter(({ key }) => !key.startsWith('{')).map(({ key, anyOf }) => [key, anyOf[0]]);
  return { ...Object.fromEntries(named), ...members };
}

/** The parents of a record: from its members, else from its path. */
function scopeFor(
  { scopeFrom }: RecordCollection,
  members: Data,
  conditions: readonly Condition[],
): readonly Condition[] {
  return scopeFrom({}).map(({ key }) => {
    const value = key.startsWith('{') ? undefined : (ownEntry(members, key) as Scalar | undefined);
    return {
      key,
      anyOf: [(value ?? conditions.find((condition) => condition.key === key)?.anyOf[0]) as Scalar],
    };
  });
}

/** The parents of an existing record, which its members may not show. */
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

/** A reason why a record does not fit the document. */
export interface RecordProblem {
  /** The path of the value in the record, as a JSON Pointer (RFC 6901); empty: the record as a whole. */
  readonly pointer: string;
  /** The predicate of a sentence about the value: `must be one of "available", "sold"`. */
  readonly message: string;
  /** The line of the document with the constraint: `spec/openapi.yaml:41`. Undefined: there is no single one. */
  readonly at: string | undefined;
}

/** Returns all problems of a record before it is stored; empty: it fits. */
type CheckRecord = (record: unknown) => readonly RecordProblem[];

/** Compiles the check against the response schema, also for saved states. Members that the service sets may be missing. */
function compileCheckRecord({ resource }: RecordCollection): CheckRecord {
  const { shape, id } = resource;
  const members = namedMembers(shape);
  const isOpen = keepsUnnamed(shape);
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
      ...violationsOf(shape, record)
        .filter(({ keyword, pointer }) => keyword !== 'required' || !mayLack.has(pointer))
        .map(({ pointer, expected, at }) => ({ pointer, message: expected, at: showPlace(at) })),
    ];
    // Several parts of a schema may have the same constraint.
    return [
      ...new Map(problems.map((problem) => [`${problem.pointer} ${problem.message}`, problem])).values(),
    ];
  };
}

/** Writes records without restrictions, for the control API and the user's code. */
export interface Writes {
  readonly check: CheckRecord;
  /** A new record below these parents, or the reason why it is refused. */
  created(value: unknown, conditions: readonly Condition[]): Given | Refusal;
  /** The changed record, which keeps parents that its members do not name. */
  changed(id: Id, value: unknown, conditions: readonly Condition[]): (Given & { readonly id: Id }) | Refusal;
}

/** Compiled on demand: a large document has a thousand collections. */
export const writesOf = oncePer((collection: RecordCollection): Writes => {
  const { id: identity } = collection.resource;
  const check = compileCheckRecord(collection);

  function read(value: unknown, conditions: readonly Condition[]) {
    const members = isRecord(value) ? withParents(value, conditions) : value;
    const problems = check(members);
    if (problems.length > 0) return refuseMisfit(problems);
    const fitting = members as Data;
    const id = identity && (idIn(identity, fitting) as Id | undefined);
    return { id, members: fitting, scope: scopeFor(collection, fitting, conditions) };
  }

  return {
    check,
    created(value, conditions) {
      const input = read(value, conditions);
      const missing =
        'refuse' in input ? undefined : input.scope.find(({ anyOf: [one] }) => one === undefined);
      if (!missing) return input;
      const message = `collection must be a path with the ids of its parents: nothing says what ${missing.key} is`;
      return { refuse: 'malformed', message };
    },
    changed(id, value, conditions) {
      const input = read(value, conditions);
      if ('refuse' in input) return input;
      if (input.id === undefined || input.id === id) return { ...input, id };
      const message = 'must stay what it is: a record with another id is another record';
      return refuseMisfit([{ pointer: `/${identity?.property}`, message, at: undefined }]);
    },
  };
});

export function refuseMisfit(problems: readonly RecordProblem[]): Refusal {
  const details = problems.map(({ pointer, message }) => ({ where: pointer, message }));
  const message = problems
    .map((problem) => `${problem.pointer || 'the record'} ${problem.message}`)
    .join('; ');
  return { refuse: 'malformed', message, details };
}

/** A changed record whose members fit its schema, or the reason for a refusal. */
export type Fitting = (
  old: string,
  input: Given & { readonly id: NonNullable<Given['id']> },
) => Given | Refusal;

/**
 * Compiles the check of a changed record against its own schema, which may be stricter than the request's. A violation is
 * refused as invalid; null for an optional, non-nullable member removes it.
 */
export function compileFitting(collection: RecordCollection): Fitting {
  const { shape } = collection.resource;
  const problemsOf = (text: string) => violationsOf(shape, parseJson(text));
  return (old, input) => {
    const problems = problemsOf(collection.complete(input.id, input).text);
    // The old record violated its schema already, so the change is not to blame.
    if (problems.length === 0 || problemsOf(old).length > 0) return input;
    const other = { ...input, members: madeToFit(input.members, collection) };
    if (problemsOf(collection.complete(input.id, other).text).length === 0) return other;
    const details = problems.map(({ pointer, expected, at }) => {
      return { where: ['body', ...pointerTokens(pointer)].join('.'), message: expected, at };
    });
    return refuse('The changed record', details);
  };
}

/** Removes null members that are not nullable, and completes times of day without an offset (RFC 3339 §5.6) as UTC. */
export function madeToFit(members: Data, { resource }: RecordCollection): Data {
  if (!Object.values(members).some((value) => value === null || isBareTime(value))) return members;
  const { properties } = formOf(resource.shape, members);
  const kept = Object.entries(members).flatMap(([name, value]): [string, unknown][] => {
    const forms = formsOf(properties.get(name) ?? resource.shape);
    const isTime = forms.some((form) => form.find('format')?.value === 'time');
    if (properties.has(name) && value === null && !forms.some((form) => form.allows(null))) return [];
    return [[name, isTime && isBareTime(value) ? `${value}${value.length === 5 ? ':00' : ''}Z` : value]];
  });
  return Object.fromEntries(kept);
}

const isBareTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(value);

function refuse(record: string, details: readonly Detail[]): Refusal {
  const reasons = details.map(({ where, message }) => `${where} ${message}`).join('; ');
  return { refuse: 'invalid', message: `${record} would not be valid: ${reasons}`, details };
}

/**
 * Compiles refusing members that the request's schema allows but the record's does not, in the form that fits best, since
 * no response could show them.
 */
export function compileUnfitMembers(
  { body }: Operation,
  { resource }: RecordCollection,
): (members: Data) => Refusal | undefined {
  const shapes = (body?.content ?? []).flatMap(({ shape }) => shape ?? []);
  const sent = shapes.flatMap(formsOf).flatMap(({ properties }) => [...properties]);
  const stricterIn = compileForms(resource.shape, (form) =>
    [...form.properties].filter(([name, member]) => isStricter(member, membersNamed(sent, name))),
  );
  return (members) => {
    const details = stricterIn(members).flatMap(([name, member]) =>
      Object.hasOwn(members, name)
        ? violationsOf(member, members[name], 'request')
            // Missing inner members are filled in.
            .filter(({ keyword }) => keyword !== 'required')
            .map(({ pointer, expected, at }) => ({
              where: `body.${name}${pointer.replaceAll('/', '.')}`,
              message: expected,
              at,
            }))
        : [],
    );
    return details.length === 0 ? undefined : refuse('The record', details);
  };
}

function membersNamed(members: readonly (readonly [name: string, shape: Shape])[], wanted: string): Shape[] {
  return members.flatMap(([name, shape]) => (name === wanted ? shape : []));
}

/** Whether a record's member differs from every form of the request, though of the same type. */
function isStricter({ spot, mainType, readOnly, writeOnly }: Shape, sent: readonly Shape[]): boolean {
  if (readOnly || writeOnly || sent.every((member) => member.spot.value === spot.value)) return false;
  return sent.some((member) => member.mainType === mainType);
}

/** The refusal of a create whose id is taken. */
export function idTaken(collection: Collection, id: Id | undefined): Refusal {
  if (id === undefined) return hasUnique(collection) ? uniqueTaken(collection) : NO_ID_LEFT;
  const other = hasUnique(collection) ? `, or with the same ${namesOf(collection)}` : '';
  return { refuse: 'conflict', message: `There is already a record with the id ${id}${other}` };
}

const NO_ID_LEFT: Refusal = { refuse: 'conflict', message: 'The document allows no further id' };

/** The refusal of a record whose unique value another record has. */
export function uniqueTaken(collection: Collection): Refusal {
  return { refuse: 'conflict', message: `There is already a record with the same ${namesOf(collection)}` };
}

const hasUnique = ({ unique = [] }: Collection) => unique.length > 0;

const namesOf = ({ unique = [] }: Collection) => unique.map((names) => names.join(' and ')).join(' or ');

/**
 * Changes a record atomically and returns its text.
 * @param edit returns the new record, or the reason for a refusal
 */
export function changeRecord(
  store: Store,
  collection: Collection,
  { id, scope }: ItemAddress,
  edit: (record: Data, old: string) => Given | Refusal,
): Awaitable<string | Refusal> {
  let refusal: Refusal | undefined;
  const changed = store.change(collection, id, scope, (old) => {
    const record = parseJson(old) as Data;
    const made = edit(record, old);
    if (!isRefusal(made)) return made;
    refusal = made;
    return { id, members: record, scope };
  });
  return andThen(changed, (text): string | Refusal => {
    if (text === undefined) return recordNotFound(id);
    return refusal ?? (text === false ? uniqueTaken(collection) : text);
  });
}
