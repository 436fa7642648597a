import { isRecord, type Validators } from '#spec';
import type { Condition, Entry, Given, Id } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import { keepsUnnamed, namedMembers } from '../members.ts';

/** Notes what is wrong at a path within the file. */
export type Report = (path: readonly string[], message: string) => void;

/** A record of a state: complete, or still without its id. */
export type Draft = { /** Where it stands in the file. */ readonly at: readonly string[] } & (
  | { readonly entry: Entry; readonly given?: undefined }
  | { readonly entry?: undefined; readonly given: Given }
);

/** Undefined: it is no record of the collection, which was reported. */
type ReadRecord = (
  value: unknown,
  scope: readonly Condition[],
  at: readonly string[],
  report: Report,
) => Draft | undefined;

/** Compiles what a record must be. Its id may be missing, and so may what its path says already. */
export function compileReadRecord(collection: RecordCollection, validators: Validators): ReadRecord {
  const { shape, id: identity } = collection.resource;
  const idName = identity?.property;
  const named = keepsUnnamed(shape) ? undefined : namedMembers(shape);
  const checks = shape.parts.map((part) => validators.compile(part, 'response'));

  return (value, scope, at, report) => {
    if (!isRecord(value)) {
      report(at, 'a record must be an object');
      return undefined;
    }
    const members: Record<string, unknown> = Object.assign(Object.create(null), value);
    for (const { key, anyOf } of scope) {
      if (key.startsWith('{')) continue;
      const given = members[key] ?? anyOf[0];
      if (given !== anyOf[0]) report([...at, key], `${key} must be ${anyOf[0]}, as in the path`);
      members[key] = given;
    }
    for (const name of Object.keys(value)) {
      if (named && !named.has(name)) report([...at, name], `the document has no member "${name}" here`);
    }
    for (const violation of checks.flatMap((check) => check(members))) {
      const { pointer, expected, keyword } = violation;
      if (keyword === 'required' && pointer === `/${idName}`) continue;
      const steps = pointer
        .split('/')
        .slice(1)
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
      report([...at, ...steps], `${steps.join('.') || 'the record'} ${expected}`);
    }
    const id = idName === undefined ? undefined : (members[idName] as Id | undefined);
    const given = { id, members, scope };
    // Completed at once, so that the members of a million records need not be kept.
    return id === undefined ? { at, given } : { at, entry: collection.complete(id, given) };
  };
}
