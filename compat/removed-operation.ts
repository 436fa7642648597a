import type { Operation } from '#spec';
import { type Contract, placeOf, rawChild } from '#spec';
import { answersTo, evidenceOf } from './answers.ts';
import { type Break, firstSuccess } from './break.ts';
import type { Tried } from './find-draft.ts';
import type { Twins } from './twins.ts';

/** NEW does not have the operation. */
export async function removedOperation(
  twins: Twins,
  next: Contract,
  operation: Operation,
  base: Tried | undefined,
): Promise<Break> {
  const { root } = next.document;
  const answers = base && (await answersTo(twins, base.sent));
  const paths = rawChild(root, 'paths') ?? root;
  const name = `${operation.method} ${operation.path}`;
  return {
    operation,
    status: firstSuccess(operation),
    law: 'status',
    received: answers?.new ? `${answers.new.status}: NEW has no ${name}` : `NEW has no ${name}`,
    documented: name,
    at: placeOf(operation.spot),
    oldSpot: operation.spot,
    newAt: placeOf(rawChild(paths, operation.path) ?? paths),
    ...evidenceOf(base?.sent, answers),
  };
}
