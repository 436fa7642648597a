import { isRecord, type Validators } from '#spec';
import type { RecordCollection } from '../records/collection.ts';
import { keepsUnnamed, namedMembers } from '../records/members.ts';
import type { Condition, Entry, Id } from '../store/port.ts';
import type { Complain } from './list-readers.ts';

/** A record of a state that may still lack its id. */
export interface Draft {
  readonly id: Id | undefined;
  readonly members: Readonly<Record<string, unknown>>;
  readonly scope: readonly Condition[];
  /** Where it stands in the file. */
  readonly at: readonly string[];
  /** Completed already; the members are then not kept. */
  readonly entry?: Entry;
}

/** Undefined: it is no record of the collection, and what is wrong has been said. */
export type ReadRecord = (
  value: unknown,
  scope: readonly Condition[],
  at: readonly string[],
  complain: Complain,
) => Draft | undefined;

/** Compiles what a record must be. Its id may be missing, and so may what its path says already. */
export function compileReadRecord({ resource }: RecordCollection, validators: Validators): ReadRecord {
  const { shape, id: identity } = resource;
  const idName = identity?.property;
  const named = keepsUnnamed(shape) ? undefined : namedMembers(shape);
  const checks = shape.parts.map((part) => validators.compile(part, 'response'));

  return (value, scope, at, complain) => {
    if (!isRecord(value)) {
      complain(at, 'a record must be an object');
      return undefined;
    }
    const members = { ...value };
    for (const { key, anyOf } of scope) {
      if (key.startsWith('{')) continue;
      const given = members[key] ?? anyOf[0];
      if (given !== anyOf[0]) complain([...at, key], `${key} must be ${anyOf[0]}, as in the path`);
      members[key] = given;
    }
    for (const name of Object.keys(value)) {
      if (named && !named.has(name)) complain([...at, name], `the document has no member "${name}" here`);
    }
    for (const violation of checks.flatMap((check) => check(members))) {
      const { pointer, expected, keyword } = violation;
      if (keyword === 'required' && pointer === `/${idName}`) continue;
      const steps = pointer
        .split('/')
        .slice(1)
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
      complain([...at, ...steps], `${steps.join('.') || 'the record'} ${expected}`);
    }
    return { id: idName === undefined ? undefined : (members[idName] as Id | undefined), members, scope, at };
  };
}
