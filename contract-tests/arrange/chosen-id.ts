import {
  answerShape,
  type Contract,
  memberShape,
  type Operation,
  type Resource,
  type Shape,
  successOf,
} from '#spec';
import { recordInBody } from '../laws/mark.ts';
import { furtherRoleOf, roleOf } from '../laws/operation-role.ts';
import { freshId } from './made-up.ts';

/** The id that a client chooses for a new record. */
export interface ChosenId {
  readonly property: string;
  /** Undefined: the service chooses it. */
  readonly value: unknown;
  readonly isMember: (shape: Shape) => boolean;
}

/**
 * A new id where the body requires one, or the response would not show it. Otherwise the service chooses it (value
 * undefined), also where no body can contain it (undefined). Another record's id would be rejected.
 */
export function chosenId(contract: Contract, operation: Operation, mark: () => string): ChosenId | undefined {
  const resource = createdIn(contract, operation);
  const property = resource?.id?.property;
  const { shape: body } = recordInBody(resource, operation);
  const member = property === undefined || !body ? undefined : memberShape(body, property);
  if (property === undefined || !body || !member || member.readOnly) return undefined;
  const isMember = (shape: Shape) => shape.spot.value === member.spot.value;
  if (!isRequired(body, property) && isTold(resource, operation, property))
    return { property, value: undefined, isMember };
  return { property, value: freshId(member, mark()), isMember };
}

/** The collection to which an operation adds one record, or several. */
export function createdIn(contract: Contract, operation: Operation): Resource | undefined {
  const role = roleOf(contract, operation);
  if (role) return role.action === 'create' ? role.resource : undefined;
  const { resource, further } = furtherRoleOf(contract, operation) ?? {};
  return further && ['create', 'createMany'].includes(further.role) ? resource : undefined;
}

function isRequired(shape: Shape, name: string): boolean {
  return shape.required.has(name) || shape.alternatives.some((branch) => branch.required.has(name));
}

/** Whether the response shows the id: in the record, in a member with the parameter's name, or in a header or link. */
function isTold(resource: Resource | undefined, create: Operation, property: string): boolean {
  const answer = answerShape(create);
  const success = successOf(create);
  if (success?.headers.some(({ name }) => name === 'location') || success?.links.length) return true;
  const parameter = resource?.id?.parameter;
  if (parameter !== undefined && answer?.properties.has(parameter)) return true;
  return (
    answer !== undefined &&
    [answer, ...answer.properties.values()].some((shape) => memberShape(shape, property))
  );
}
