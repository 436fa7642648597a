import {
  answerShape,
  bodyMedia,
  isRecord,
  memberShape,
  type Operation,
  type Resource,
  recordPath,
  shapeAt,
  valueAt,
} from '#spec';
import { createdIdOf, isId } from '../laws/created-id.ts';
import { bears } from '../laws/mark.ts';
import { owedMembers } from '../laws/sent-members.ts';
import { NotReached } from '../run/not-reached.ts';
import type { Recipe } from '../run/recipe.ts';
import type { Judged } from '../run/sender.ts';
import type { RequestInput } from '../send/plan-request.ts';
import { recipeOn } from './recipe.ts';

type Data = Readonly<Record<string, unknown>>;

/** A request that was to make a record, and what became of it. */
export interface Creation extends Judged {
  /** The record in the body as it was sent; of a body that is no object nothing is known to become a member. */
  readonly sent: Data;
  readonly mark: string | undefined;
  /** The record in the response and its id; undefined where there is none. */
  readonly record: Data | undefined;
  readonly id: unknown;
}

/** How a create request differs from the ordinary one. */
export interface Variation extends Omit<RequestInput, 'body' | 'rawBody' | 'expected'> {
  /** Without the optional members. */
  readonly requiredOnly?: boolean;
  /** With all members that the document has, whatever else the target has shown to take. */
  readonly asDocumented?: boolean;
  /** In the place of the ordinary body. */
  readonly body?: unknown;
  /** Changes the body, which already has its mark. */
  readonly change?: (body: Data, mark: string | undefined) => unknown;
  /** The documented success must come; `or 4xx`: a refusal is just as right. */
  readonly expect?: 'success' | 'success or 4xx';
}

/** What a response to a create shows of the new record. */
export function creationOf(
  resource: Resource,
  judged: Judged,
  sent: Data,
  mark: string | undefined,
): Creation {
  const { operation, evidence } = judged;
  const { succeeded, json } = evidence;
  const shown = succeeded ? valueAt(json, recordPath(resource, operation)) : undefined;
  // What is only inferred to be a create may answer with a record that was there before.
  const isOwn =
    resource.actions.create ||
    operation === resource.actions.replace ||
    (isRecord(shown) && isMarked(shown, mark));
  const record = isOwn && isRecord(shown) && showsRecord(resource, operation) ? shown : undefined;
  const property = resource.id?.property ?? '';
  const chosen = succeeded && resource.actions.create ? owedMembers(evidence)?.[property] : undefined;
  const id =
    resource.id && isOwn && succeeded
      ? (createdIdOf(resource, judged) ?? (isId(chosen) ? chosen : undefined))
      : undefined;
  return { ...judged, sent, mark, record, id };
}

/** Whether the response has any member of the record: that to a create may be its id alone. */
function showsRecord(resource: Resource, operation: Operation): boolean {
  const answer = shapeAt(answerShape(operation), recordPath(resource, operation));
  const names = [...(answer?.properties.keys() ?? [])];
  return names.length === 0 || names.some((name) => memberShape(resource.shape, name));
}

export function isMarked(record: Data, mark: string | undefined): boolean {
  return mark !== undefined && Object.values(record).some((value) => bears(value, mark));
}

/** The recipe of a variation: of the values that the target takes those that belong to what is required. */
export function recipeFor({ requiredOnly }: Variation, recipe: Recipe, { body }: Operation): Recipe {
  if (!requiredOnly) return recipe;
  const required = bodyMedia(body)?.shape?.required;
  const values = recipe.values.filter(({ path: [name = ''] }) => required?.has(name));
  return { ...recipeOn('required members'), varies: recipe.varies, values };
}

/** Why no record can be had: what was tried, and what the target answered. */
export function notCreated(status: number | undefined, refusals: readonly string[] = []): NotReached {
  const answer = status === undefined ? 'was refused' : `answers ${status}`;
  if (refusals.length === 0) return new NotReached(`a record is needed, and creating one ${answer}`);
  const times = refusals.length === 1 ? 'once' : `${refusals.length} times`;
  const remedy = '--body or --value gives what the target takes';
  return new NotReached(
    `a record is needed, and creating one was refused ${times}: ${refusals.join('; ')}; ${remedy}`,
  );
}
