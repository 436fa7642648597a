import { parseJson } from '#spec';
import type { Act, ActionContext } from './action.ts';
import { compileItemId, refuseUnknown } from './item.ts';
import { sampleBody } from './sample.ts';
import { successForm } from './success.ts';

/** Takes one record out. A documented body is the record that was, where it fits, else a sample. */
export function compileRemove(context: ActionContext): Act | undefined {
  const { operation, collection, contract } = context;
  const { status, media } = successForm(operation);
  const idOf = compileItemId(collection);
  if (!idOf) return undefined;
  const fits = media?.schema && contract.validators.compile(media.schema, 'response');
  const sampled = sampleBody(context);
  return async ({ values, store }) => {
    const id = idOf(values);
    const scope = collection.scopeFrom(values.parameters.path);
    const text = fits && (await store.read(collection, id, scope));
    if (!(await store.remove(collection, id, scope))) return refuseUnknown(id);
    const { type, body } = sampled();
    return { status, type, body: text !== undefined && fits?.(parseJson(text)).length === 0 ? text : body };
  };
}
