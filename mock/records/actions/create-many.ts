import { answerShape, type Operation } from '#spec';
import { concreteType, successForm } from '../../http/success-response.ts';
import type { Entry, Id } from '../../store/port.ts';
import type { Act, ActionContext } from './action.ts';
import { sampleBody } from './sample.ts';
import { idTaken } from './taken.ts';
import { compileWritableMembers } from './writable-members.ts';

/** Stores each item of the body as a new record: all of them, or none where an id is taken. */
export function compileCreateMany(context: ActionContext): Act | undefined {
  const { operation, collection } = context;
  const membersOf = compileWritableMembers(
    ofItems(operation),
    collection.resource.shape,
    context.contract.validators,
  );
  if (!membersOf) return undefined;
  const { status, media } = successForm(operation);
  const type = media && concreteType(media);
  const property = collection.resource.id?.property;
  const sampled = sampleBody(context);
  const showsAll = answerShape(operation)?.mainType === 'array';
  return async ({ values, store }) => {
    const scope = collection.scopeFrom(values.parameters.path);
    const made: Entry[] = [];
    for (const item of values.body as readonly unknown[]) {
      const members = membersOf(item);
      const id = property === undefined ? undefined : (members[property] as Id | undefined);
      const entry = await store.create(collection, { id, members, scope });
      if (entry === 'taken') {
        for (const one of made) await store.remove(collection, one.id, []);
        return idTaken(collection, id);
      }
      made.push(entry);
    }
    const body = showsAll ? `[${made.map(({ text }) => text).join()}]` : sampled().body;
    return { status, type, body: type ? body : '' };
  };
}

/** The operation with the schema of an item in the place of the array's. */
function ofItems(operation: Operation): Operation {
  const { body } = operation;
  if (!body) return operation;
  const content = body.content.map((media) => ({ ...media, shape: media.shape?.items }));
  return { ...operation, body: { ...body, content } };
}
