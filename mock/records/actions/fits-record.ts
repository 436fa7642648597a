import { type Contract, parseJson, type Shape, type Violation } from '#spec';
import type { Refusal } from '../../http/refusal.ts';
import type { Given } from '../../store/port.ts';
import { compileForms } from '../best-fit.ts';
import type { RecordCollection } from '../collection.ts';
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
  const checks = resource.shape.parts.map((part) => validators.compile(part, 'response'));
  const problemsOf = (text: string) => checks.flatMap((check) => check(parseJson(text)));
  return (old, given) => {
    const problems = problemsOf(collection.complete(given.id, given).text);
    // What did not fit before was not spoilt by this change.
    if (problems.length === 0 || problemsOf(old).length > 0) return given;
    const other = { ...given, members: withoutUnfitNulls(given.members, formOf(given.members)) };
    return problemsOf(collection.complete(given.id, other).text).length === 0 ? other : refuse(problems);
  };
}

function withoutUnfitNulls(members: Members, { properties }: Shape): Members {
  const kept = Object.entries(members).filter(([name, value]) => {
    const member = value === null ? properties.get(name) : undefined;
    return !member || member.allows(null);
  });
  return Object.fromEntries(kept);
}

function refuse(problems: readonly Violation[]): Refusal {
  const details = problems.map(({ pointer, expected, at }) => {
    const steps = pointer.split('/').slice(1);
    const inner = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    return { where: ['body', ...inner].join('.'), message: expected, at };
  });
  const told = details.map(({ where, message }) => `${where} ${message}`).join('; ');
  return { refuse: 'invalid', message: `The changed record would not be valid: ${told}`, details };
}
