import type { Act, ActionContext } from './action.ts';
import { compileItemId, refuseUnknown } from './item.ts';
import { concreteType, successForm } from './success.ts';

/** One record by its id. */
export function compileRead({ operation, collection }: ActionContext): Act | undefined {
  const { status, media } = successForm(operation);
  const idOf = compileItemId(collection);
  if (!media || !idOf) return undefined;
  const type = concreteType(media);
  return async ({ values, store }) => {
    const id = idOf(values);
    const text = await store.read(collection, id, collection.scopeFrom(values.parameters.path));
    return text === undefined ? refuseUnknown(id) : { status, type, body: text };
  };
}
