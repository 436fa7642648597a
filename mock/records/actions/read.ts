import { andThen } from '../../http/awaitable.ts';
import { concreteType, successForm } from '../../http/success-response.ts';
import { compileItemAddress, recordNotFound } from '../item.ts';
import type { Act, ActionContext } from './action.ts';

/** Responds with one record by its id. */
export function compileRead({ operation, collection }: ActionContext): Act | undefined {
  const { status, media } = successForm(operation);
  const addressOf = compileItemAddress(collection);
  if (!media || !addressOf) return undefined;
  const type = concreteType(media);
  return ({ values, store }) => {
    const { id, scope } = addressOf(values);
    return andThen(store.read(collection, id, scope), (text) =>
      text === undefined ? recordNotFound(id) : { status, type, body: text },
    );
  };
}
