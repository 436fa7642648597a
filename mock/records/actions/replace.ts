import { readOnlyMembers } from '../members.ts';
import type { Act, ActionContext } from './action.ts';
import { compileEdit } from './edit.ts';

/** PUT: the body replaces the record (RFC 9110 §9.3.4), except for its `readOnly` members. */
export function compileReplace(context: ActionContext): Act | undefined {
  const readOnly = readOnlyMembers(context.collection.resource.shape);
  return compileEdit(context, (record, body) => ({
    ...body,
    ...Object.fromEntries(
      readOnly.filter((name) => Object.hasOwn(record, name)).map((name) => [name, record[name]]),
    ),
  }));
}
