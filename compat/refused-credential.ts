import { type Contract, compileRequestReader, type Operation, type Place, placeOf, rawChild } from '#spec';
import { type Address, atNew } from './address.ts';
import { answersTo, evidenceOf } from './answers.ts';
import { type Break, firstSuccess } from './break.ts';
import { rawOf } from './draft.ts';
import type { Tried } from './find-draft.ts';
import { type Twins, worked } from './twins.ts';

/** A valid request is refused for the credential that OLD asks for. Undefined: it is not. */
export async function refusedCredential(
  twins: Twins,
  next: Contract,
  { old, new: after, address }: { old: Operation; new: Operation; address: Address },
  tried: Tried,
): Promise<Break | undefined> {
  if (!worked(tried.answer)) return undefined;
  const read = compileRequestReader(after, next.validators);
  if (read(rawOf(after, atNew(address, tried.sent))).violations.length > 0) return undefined;
  const answers = await answersTo(twins, tried.sent);
  if (answers.new?.status !== 401 && answers.new?.status !== 403) return undefined;
  const names = tried.draft.requirement?.map(({ scheme }) => scheme).join(' and ');
  const wanted = after.security.map((one) => one.map(({ scheme }) => scheme).join(' and ')).join(' or ');
  return {
    operation: old,
    status: firstSuccess(old),
    law: 'status',
    received: `${answers.new.status}: NEW asks for the credential ${wanted}`,
    documented: names ? `the credential ${names} is enough` : 'no credential is needed',
    at: securityAt(old),
    oldSpot: old.spot,
    newAt: securityAt(after),
    ...evidenceOf(tried.sent, answers),
  };
}

function securityAt({ spot }: Operation): Place {
  return placeOf(rawChild(spot, 'security') ?? rawChild(spot.document.root, 'security') ?? spot);
}
