import { answerShape, bodyMedia, formatOf, memberShape, type Operation, sentType } from '#spec';
import { andThen } from '../../http/awaitable.ts';
import { onFirstCall } from '../../http/on-first-call.ts';
import { concreteType, successForm } from '../../http/success-response.ts';
import type { Id } from '../../store/port.ts';
import type { RecordCollection } from '../collection.ts';
import type { Act, ActionContext } from './action.ts';
import { compileLocation } from './location.ts';
import { idTaken } from './taken.ts';
import { compileUnfitMembers } from './unfit-members.ts';
import { compileWritableMembers } from './writable-members.ts';

/** Stores the body as a new record and responds with it. */
export function compileCreate(context: ActionContext): Act | undefined {
  const { operation, collection, contract } = context;
  const { status, media } = successForm(operation);
  const membersOf = compileWritableMembers(operation, collection.resource.shape, context.contract.validators);
  if (!membersOf || (isOpaque(operation) && !showsId(operation, collection))) return undefined;
  const idOf = compileGivenId(operation, collection);
  const type = media && concreteType(media);
  const locationOf = onFirstCall(() => compileLocation(context) ?? (() => undefined));
  const unfit = onFirstCall(() => compileUnfitMembers(operation, collection, contract));
  return ({ values, store }) => {
    const members = membersOf(values.body);
    const refusal = unfit(members);
    if (refusal) return refusal;
    const id = idOf(members);
    const scope = collection.scopeFrom(values.parameters.path);
    return andThen(store.create(collection, { id, members, scope }), (entry) => {
      if (entry === 'taken') return idTaken(collection, id);
      const content = { status, type, body: type ? entry.text : '' };
      const location = locationOf(entry.id, values.parameters.path);
      return location === undefined ? content : { ...content, headers: { Location: location } };
    });
  };
}

/** A text or bytes: no member of it says that it becomes a record. */
function isOpaque({ body }: Operation): boolean {
  const media = bodyMedia(body);
  const format = media && formatOf(sentType(media), media.shape);
  return format === 'text' || format === 'bytes';
}

/** Whether the response is that of a new record. */
function showsId(operation: Operation, { resource }: RecordCollection): boolean {
  const { id } = resource;
  const answer = answerShape(operation);
  return id !== undefined && answer !== undefined && memberShape(answer, id.property) !== undefined;
}

/** Some documents let the client choose the id, as an ordinary member of the request's body. */
function compileGivenId(operation: Operation, { resource }: RecordCollection) {
  const property = resource.id?.property;
  const media = bodyMedia(operation.body);
  const member = property === undefined ? undefined : media?.shape?.properties.get(property);
  if (property === undefined || !member || member.readOnly) return () => undefined;
  return (members: Readonly<Record<string, unknown>>) => members[property] as Id | undefined;
}
