import { readOnlyMembers } from '../members.ts';
import type { Act, ActionContext } from './action.ts';
import { compileEdit } from './edit.ts';
import type { Members } from './writable-members.ts';

/** PUT: the body replaces the record (RFC 9110 §9.3.4), except for its `readOnly` members. */
export function compileReplace(context: ActionContext): Act | undefined {
  return compileEdit(context, replaceMembers(context));
}

export function replaceMembers({ collection }: ActionContext) {
  const readOnly = readOnlyMembers(collection.resource.shape);
  return (record: Members, body: Members): Members => ({
    ...body,
    ...Object.fromEntries(
      readOnly.filter((name) => Object.hasOwn(record, name)).map((name) => [name, record[name]]),
    ),
  });
}
