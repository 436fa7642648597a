import { type Act, type ActionContext, compileScope } from './action.ts';
import { compileItemId, refuseUnknown } from './item.ts';
import { concreteType, successForm } from './success.ts';

/** One record by its id. */
export function compileRead({ operation, collection }: ActionContext): Act | undefined {
  const { status, media } = successForm(operation);
  const idOf = compileItemId(collection);
  if (!media || !idOf) return undefined;
  const scopeOf = compileScope(collection);
  const type = concreteType(media);
  return async ({ values, store }) => {
    const id = idOf(values);
    const text = await store.read(collection, id, scopeOf(values));
    return text === undefined ? refuseUnknown(id) : { status, type, body: text };
  };
}
