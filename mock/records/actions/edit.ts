import { parseJson } from '#spec';
import { concreteType, successForm } from '../../http/success-response.ts';
import { compileItemAddress, recordNotFound } from '../item.ts';
import type { Act, ActionContext } from './action.ts';
import { compileWritableMembers, type Members } from './writable-members.ts';

/** Makes the new record; `readOnly` members are already removed from the body. */
type Combine = (record: Members, body: Members, contentType: string) => Members;

/** Compiles PUT and PATCH, which differ only in how record and body become the new record. */
export function compileEdit({ operation, collection }: ActionContext, combine: Combine): Act | undefined {
  const { status, media } = successForm(operation);
  const addressOf = compileItemAddress(collection, operation);
  const membersOf = compileWritableMembers(operation, collection.resource.shape);
  if (!addressOf || !membersOf) return undefined;
  const type = media && concreteType(media);
  return async ({ values, request, store }) => {
    const { id, scope } = addressOf(values);
    const body = membersOf(values.body);
    const contentType = String(request.headers['content-type']);
    const text = await store.change(collection, id, scope, (old) => ({
      id,
      members: combine(parseJson(old) as Members, body, contentType),
      scope,
    }));
    return text === undefined ? recordNotFound(id) : { status, type, body: type ? text : '' };
  };
}
