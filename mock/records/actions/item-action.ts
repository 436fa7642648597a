import { answerShape, recordPath, shapeAt, sharesMembers } from '#spec';
import { andThen } from '../../http/awaitable.ts';
import { onFirstCall } from '../../http/on-first-call.ts';
import { concreteType, successForm } from '../../http/success-response.ts';
import { compileItemAddress, recordNotFound } from '../item.ts';
import type { Act, ActionContext } from './action.ts';
import { compileSample } from './sample.ts';
import { compileShow } from './show.ts';

/**
 * Does something to a record that must exist. What it does the document does not say: a response that describes the
 * record shows it as it is, any other one is a sample.
 */
export function compileItemAction(context: ActionContext): Act | undefined {
  const { operation, collection } = context;
  const addressOf = compileItemAddress(collection);
  if (!addressOf) return undefined;
  const { status, media } = successForm(operation);
  const type = media && concreteType(media);
  const sampled = compileSample(context);
  const shown = shapeAt(answerShape(operation), recordPath(collection.resource, operation));
  const showsRecord = shown !== undefined && sharesMembers(shown, collection.resource.shape);
  const act: Act = (task) => {
    const { id, scope } = addressOf(task.values);
    return andThen(task.store.read(collection, id, scope), (text) => {
      if (text === undefined) return recordNotFound(id);
      return showsRecord ? { status, type, body: text } : sampled(task);
    });
  };
  return showsRecord ? onFirstCall(() => compileShow(context, 'action', act)) : act;
}
