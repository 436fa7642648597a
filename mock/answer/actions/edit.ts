import { parseJson } from '#spec';
import type { Act, ActionContext } from './action.ts';
import { compileGivenMembers } from './given.ts';
import { compileItemId, refuseUnknown } from './item.ts';
import { concreteType, successForm } from './success.ts';

type Members = Readonly<Record<string, unknown>>;

/** What an edit makes of a record; `readOnly` members of the body are already taken out. */
type Combine = (record: Members, body: Members, contentType: string) => Members;

/** Compiles PUT and PATCH, which differ only in how record and body become the new record. */
export function compileEdit({ operation, collection }: ActionContext, combine: Combine): Act | undefined {
  const { status, media } = successForm(operation);
  const idOf = compileItemId(collection);
  const membersOf = compileGivenMembers(operation, collection.resource.shape);
  if (!idOf || !membersOf) return undefined;
  const type = media && concreteType(media);
  return async ({ values, request, store }) => {
    const id = idOf(values);
    const scope = collection.scopeFrom(values.parameters.path);
    const given = membersOf(values.body);
    const contentType = String(request.headers['content-type']);
    const text = await store.change(collection, id, scope, (old) => ({
      id,
      members: combine(parseJson(old) as Members, given, contentType),
      scope,
    }));
    return text === undefined ? refuseUnknown(id) : { status, type, body: type ? text : '' };
  };
}
