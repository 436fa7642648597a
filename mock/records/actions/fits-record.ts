import {
  type Contract,
  formsOf,
  type Operation,
  parseJson,
  pointerTokens,
  type Shape,
  type Violation,
} from '#spec';
import { type Awaitable, andThen } from '../../http/exchange.ts';
import { onFirstCall } from '../../http/memoize.ts';
import { isRefusal, type Refusal } from '../../http/refusal.ts';
import type { Collection, Given, Id, Store } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import { compileForms } from '../forms.ts';
import { type ItemAddress, recordNotFound } from '../item.ts';
import type { Members } from './writable-members.ts';

/** What a change makes of a record: members that fit its schema, or why there are none. */
export type Fitting = (
  old: string,
  given: Given & { readonly id: NonNullable<Given['id']> },
) => Given | Refusal;

/**
 * Compiles the check of a changed record against its own schema, which may demand more than that of the request. What
 * no longer fits is refused as invalid; null for an optional member that cannot be null takes the member away.
 */
export function compileFitting(collection: RecordCollection, { validators }: Contract): Fitting {
  const { resource } = collection;
  const formOf = compileForms(resource.shape, validators, (form) => form);
  const checks = resource.shape.roots.map((part) => validators.compile(part, 'response'));
  const problemsOf = (text: string) => checks.flatMap((check) => check(parseJson(text)));
  return (old, given) => {
    const problems = problemsOf(collection.complete(given.id, given).text);
    // What did not fit before was not spoilt by this change.
    if (problems.length === 0 || problemsOf(old).length > 0) return given;
    const other = { ...given, members: withoutUnfitNulls(given.members, formOf(given.members)) };
    return problemsOf(collection.complete(given.id, other).text).length === 0 ? other : refuse(problems);
  };
}

/** Compiles the removal of null from members of a new record that cannot be null. */
export function compileWithoutUnfitNulls(
  { resource }: RecordCollection,
  { validators }: Contract,
): (members: Members) => Members {
  const formOf = onFirstCall(() => compileForms(resource.shape, validators, (form) => form));
  return (members) =>
    Object.values(members).includes(null) ? withoutUnfitNulls(members, formOf(members)) : members;
}

function withoutUnfitNulls(members: Members, { properties }: Shape): Members {
  const kept = Object.entries(members).filter(([name, value]) => {
    const member = value === null ? properties.get(name) : undefined;
    return !member || formsOf(member).some((form) => form.allows(null));
  });
  return Object.fromEntries(kept);
}

function refuse(problems: readonly Violation[]): Refusal {
  const details = problems.map(({ pointer, expected, at }) => {
    return { where: ['body', ...pointerTokens(pointer)].join('.'), message: expected, at };
  });
  const reasons = details.map(({ where, message }) => `${where} ${message}`).join('; ');
  return { refuse: 'invalid', message: `The changed record would not be valid: ${reasons}`, details };
}

/**
 * Compiles the refusal of members that the request's schema allows and the record's own schema forbids in the form that
 * they fit best: no response could show them.
 */
export function compileUnfitMembers(
  { body }: Operation,
  { resource }: RecordCollection,
  { validators }: Contract,
): (members: Members) => Refusal | undefined {
  const shapes = (body?.content ?? []).flatMap(({ shape }) => shape ?? []);
  const sent = shapes.flatMap(formsOf).flatMap(({ properties }) => [...properties]);
  const stricterIn = compileForms(resource.shape, validators, (form) =>
    [...form.properties].filter(([name, shown]) => isStricter(shown, membersNamed(sent, name))),
  );
  return (members) => {
    const details = stricterIn(members).flatMap(([name, shown]) =>
      Object.hasOwn(members, name)
        ? shown.roots
            .flatMap((part) => validators.compile(part, 'request')(members[name]))
            // What is missing inside is completed.
            .filter(({ keyword }) => keyword !== 'required')
            .map(({ pointer, expected, at }) => ({
              where: `body.${name}${pointer.replaceAll('/', '.')}`,
              message: expected,
              at,
            }))
        : [],
    );
    if (details.length === 0) return undefined;
    const reasons = details.map(({ where, message }) => `${where} ${message}`).join('; ');
    return { refuse: 'invalid', message: `The record would not be valid: ${reasons}`, details };
  };
}

function membersNamed(members: readonly (readonly [name: string, shape: Shape])[], wanted: string): Shape[] {
  return members.flatMap(([name, shape]) => (name === wanted ? shape : []));
}

/** Whether a member of a record is not what each form of the request says of it, but of the same type. */
function isStricter({ spot, mainType, readOnly, writeOnly }: Shape, sent: readonly Shape[]): boolean {
  if (readOnly || writeOnly || sent.every((member) => member.spot.value === spot.value)) return false;
  return sent.some((member) => member.mainType === mainType);
}

/** Why no record can be created. */
export function idTaken(collection: Collection, id: Id | undefined): Refusal {
  if (id === undefined) return hasUnique(collection) ? uniqueTaken(collection) : NO_ID_LEFT;
  const other = hasUnique(collection) ? `, or with the same ${namesOf(collection)}` : '';
  return { refuse: 'conflict', message: `There is already a record with the id ${id}${other}` };
}

const NO_ID_LEFT: Refusal = { refuse: 'conflict', message: 'The document allows no further id' };

/** Another record has the value of a unique member. */
export function uniqueTaken(collection: Collection): Refusal {
  return { refuse: 'conflict', message: `There is already a record with the same ${namesOf(collection)}` };
}

const hasUnique = ({ unique = [] }: Collection) => unique.length > 0;

const namesOf = ({ unique = [] }: Collection) => unique.map((names) => names.join(' and ')).join(' or ');

/**
 * Changes a record in one step, and gives its text.
 * @param edit what the record is from now on, or why it stays as it is
 */
export function changeRecord(
  store: Store,
  collection: Collection,
  { id, scope }: ItemAddress,
  edit: (record: Members, old: string) => Given | Refusal,
): Awaitable<string | Refusal> {
  let refusal: Refusal | undefined;
  const changed = store.change(collection, id, scope, (old) => {
    const record = parseJson(old) as Members;
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
