import type { Contract, Operation, Shape } from '#spec';
import type { Refusal } from '../../http/refusal.ts';
import { compileForms } from '../best-fit.ts';
import type { RecordCollection } from '../collection.ts';
import { formsOf } from '../members.ts';
import type { Members } from './writable-members.ts';

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
        ? shown.parts
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
    const told = details.map(({ where, message }) => `${where} ${message}`).join('; ');
    return { refuse: 'invalid', message: `The record would not be valid: ${told}`, details };
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
