import { type Contract, memberShape, type Operation, type Shape } from '#spec';
import { furtherRoleOf } from '../laws/further-role.ts';
import { roleOf } from '../laws/operation-role.ts';

/**
 * A member of a body as the record's schema has it, where that says something else: a service cannot show a record with
 * what its own schema forbids, and may refuse it. Undefined: it says nothing else.
 */
export function recordMember(
  contract: Contract,
  operation: Operation,
  name: string,
  member: Shape,
): Shape | undefined {
  const resource = (roleOf(contract, operation) ?? furtherRoleOf(contract, operation))?.resource;
  const shown = resource && memberShape(resource.shape, name);
  if (!shown || shown.readOnly || shown.writeOnly || shown.spot.value === member.spot.value) return undefined;
  return shown.mainType === member.mainType && !isContent(member) ? shown : undefined;
}

/** A file: what a record shows of it is its address, say. */
function isContent(member: Shape): boolean {
  const isBinary = member.find('format')?.value === 'binary';
  return isBinary || ['contentMediaType', 'contentEncoding'].some((keyword) => member.find(keyword));
}

/** Whether a record can show the members of a body. */
export function fitsRecord(
  contract: Contract,
  operation: Operation,
  shape: Shape | undefined,
  body: Readonly<Record<string, unknown>>,
): boolean {
  return Object.entries(body).every(([name, value]) => {
    const member = shape && memberShape(shape, name);
    const shown = member && recordMember(contract, operation, name, member);
    // In a merge patch null is no value.
    if (!shown || value === null) return true;
    return shown.parts
      .flatMap((part) => contract.validators.compile(part, 'request')(value))
      .every(({ keyword }) => keyword === 'required');
  });
}
