import {
  type Contract,
  essenceOf,
  JSON_PATCH,
  type MediaType,
  memberShape,
  type Operation,
  recordPath,
  type Shape,
  sample,
  toPointer,
} from '#spec';
import { markMember } from '../laws/mark.ts';
import { resourceOf } from '../laws/operation-role.ts';

/**
 * A JSON Patch (RFC 6902) that any record takes: `add` sets a member of an object, whether the record has it or not (§4.1).
 * The schema of a patch says nothing of which paths a record has. Undefined: the body is no such patch, or nothing is known
 * of the record.
 */
export function jsonPatch(
  contract: Contract,
  operation: Operation,
  { type }: MediaType,
  mark: string,
): readonly object[] | undefined {
  const resource = resourceOf(contract, operation);
  if (essenceOf(type) !== JSON_PATCH || !resource) return undefined;
  const name = patchedMember(resource.shape);
  const member = name === undefined ? undefined : memberShape(resource.shape, name);
  if (name === undefined || !member) return undefined;
  const value = name === markMember(resource.shape) ? mark : sample(member, { key: mark });
  const path = toPointer([...recordPath(resource, operation), name]);
  return [{ op: 'add', path, value }];
}

function patchedMember(shape: Shape): string | undefined {
  const isPlain = ({ readOnly, mainType }: Shape) =>
    !readOnly && ['string', 'boolean', 'integer', 'number'].includes(mainType ?? '');
  return markMember(shape) ?? [...shape.properties].find(([, member]) => isPlain(member))?.[0];
}
