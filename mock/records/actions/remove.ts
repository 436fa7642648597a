import { parseJson } from '#spec';
import { successForm } from '../../http/success-response.ts';
import { compileItemAddress, recordNotFound } from '../item.ts';
import type { Act, ActionContext } from './action.ts';
import { sampleBody } from './sample.ts';

/** Removes a record. A documented body is the removed record if that fits, else a sample. */
export function compileRemove(context: ActionContext): Act | undefined {
  const { operation, collection, contract } = context;
  const { status, media } = successForm(operation);
  const addressOf = compileItemAddress(collection);
  if (!addressOf) return undefined;
  const validate = media?.schema && contract.validators.compile(media.schema, 'response');
  const sampled = sampleBody(context);
  return async ({ values, store }) => {
    const { id, scope } = addressOf(values);
    const text = validate && (await store.read(collection, id, scope));
    if (!(await store.remove(collection, id, scope))) return recordNotFound(id);
    const { type, body } = sampled();
    const fits = text !== undefined && validate?.(parseJson(text)).length === 0;
    return { status, type, body: fits ? text : body };
  };
}
