import { isRecord, parseJson } from '#spec';
import { onFirstCall } from '../../http/on-first-call.ts';
import { isRefusal, type Refusal } from '../../http/refusal.ts';
import { concreteType, successForm } from '../../http/success-response.ts';
import { compileItemAddress, recordNotFound } from '../item.ts';
import type { Act, ActionContext } from './action.ts';
import { compileFitting } from './fits-record.ts';
import { uniqueTaken } from './taken.ts';
import { compileWritableMembers, type Members } from './writable-members.ts';

/** Makes the new record; `readOnly` members are already removed from the body. */
type Combine = (record: Members, body: Members, contentType: string) => Members;

/** Compiles PUT and PATCH, which differ only in how record and body become the new record. */
export function compileEdit(
  { operation, collection, contract }: ActionContext,
  combine: Combine,
): Act | undefined {
  const { status, media } = successForm(operation);
  const addressOf = compileItemAddress(collection, operation);
  const membersOf = compileWritableMembers(operation, collection.resource.shape, contract.validators);
  if (!addressOf || !membersOf) return undefined;
  const type = media && concreteType(media);
  const fitting = onFirstCall(() => compileFitting(collection, contract));
  return async ({ values, request, store }) => {
    const { id, scope } = addressOf(values);
    const contentType = String(request.headers['content-type']);
    let refusal: Refusal | undefined;
    const text = await store.change(collection, id, scope, (old) => {
      const record = parseJson(old) as Members;
      const whole = isRecord(values.body) ? combine(record, values.body, contentType) : record;
      const members = combine(record, membersOf(values.body, whole), contentType);
      const fitted = fitting(old, { id, members, scope });
      refusal = isRefusal(fitted) ? fitted : undefined;
      return isRefusal(fitted) ? { id, members: record, scope } : fitted;
    });
    if (refusal) return refusal;
    if (text === undefined) return recordNotFound(id);
    return text === false ? uniqueTaken(collection) : { status, type, body: type ? text : '' };
  };
}
