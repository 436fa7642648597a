import type { Spot } from '../document/spot.ts';
import type { Operation } from '../operation.ts';
import { answerShape } from './answer.ts';
import type { Draft } from './draft.ts';
import { listForm, listPlace } from './list-form.ts';
import type { Match } from './match.ts';
import { parentMember } from './parent-member.ts';
import { pathParameters, withoutSuffix } from './paths.ts';
import { unwrapped } from './record-schema.ts';
import { type Further, type FurtherRole, ON_ONE } from './resource.ts';

/** The role of an operation with what it takes to play it. */
export function furtherOf(operation: Operation, { draft, role, sign }: Match): Further {
  const place = role === 'view' ? listPlace(operation) : undefined;
  const parameter = parameterOf(operation, draft, role);
  return {
    role,
    operation,
    list: place && listForm(operation, place, draft.shape),
    parents: pathParameters(operation.path)
      .filter((name) => name !== parameter)
      .map((name) => ({ parameter: name, property: parentOf(operation, draft, name) })),
    parameter,
    sign,
    because: evidenceOf(operation, { role, sign }) ?? operation.spot,
  };
}

/** An object around the parent's id is left out: no list selects by it. */
function parentOf({ path, parameters }: Operation, { shape, id }: Draft, name: string): string | undefined {
  const described = parameters.find((one) => one.in === 'path' && one.name === name);
  const member = parentMember(shape, path, name, described, id?.property);
  return member && member.inner === undefined ? member.property : undefined;
}

function evidenceOf(operation: Operation, { role, sign }: Pick<Match, 'role' | 'sign'>): Spot | undefined {
  if (sign === 'extension') return operation.declared.spot;
  return role === 'view' || role === 'create' ? unwrapped(answerShape(operation))?.spot : operation.spot;
}

/** The path parameter with the id of the one record that an operation works on. */
function parameterOf({ path }: Operation, draft: Draft, role: FurtherRole): string | undefined {
  if (!ON_ONE.has(role)) return undefined;
  const rest = withoutSuffix(path).slice(draft.path.length);
  if (!withoutSuffix(path).startsWith(`${draft.path}/`)) return pathParameters(path).at(-1);
  return /^\/\{([^/{}]+)\}/.exec(rest)?.[1];
}
