import { andThen } from '../and-then.ts';
import type { Act, ActionContext } from './action.ts';
import { compileItemId, refuseUnknown } from './item.ts';
import { concreteType, successForm } from './success.ts';

/** One record by its id. */
export function compileRead({ operation, collection }: ActionContext): Act | undefined {
  const { status, media } = successForm(operation);
  const idOf = compileItemId(collection);
  if (!media || !idOf) return undefined;
  const type = concreteType(media);
  return ({ values, store }) => {
    const id = idOf(values);
    const found = store.read(collection, id, collection.scopeFrom(values.parameters.path));
    return andThen(found, (text) => (text === undefined ? refuseUnknown(id) : { status, type, body: text }));
  };
}
