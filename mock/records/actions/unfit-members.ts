import { type Contract, memberShape, type Operation, type Shape } from '#spec';
import type { Refusal } from '../../errors/refusal.ts';
import type { RecordCollection } from '../collection.ts';
import { namedMembers } from '../members.ts';
import type { Members } from './writable-members.ts';

/**
 * Compiles the refusal of members that the request's schema allows and the record's own schema forbids: no response could
 * show them. Undefined: both say the same.
 */
export function compileUnfitMembers(
  { body }: Operation,
  { resource }: RecordCollection,
  { validators }: Contract,
): ((members: Members) => Refusal | undefined) | undefined {
  const shapes = (body?.content ?? []).flatMap(({ shape }) => shape ?? []);
  const named = new Map(shapes.flatMap((shape) => [...namedMembers(shape)]));
  const stricter = [...named].flatMap(([name, member]): [string, Shape][] => {
    const shown = memberShape(resource.shape, name);
    const isOther = shown && shown.spot.value !== member.spot.value && shown.mainType === member.mainType;
    return isOther && !shown.readOnly && !shown.writeOnly ? [[name, shown]] : [];
  });
  if (stricter.length === 0) return undefined;
  return (members) => {
    const details = stricter.flatMap(([name, shown]) =>
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
