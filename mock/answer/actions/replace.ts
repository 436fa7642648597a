import { readOnlyMembers } from '../members.ts';
import type { Act, ActionContext } from './action.ts';
import { compileEdit } from './edit.ts';

/** PUT: the body takes the record's place (RFC 9110 §9.3.4); what only the service sets stays. */
export function compileReplace(context: ActionContext): Act | undefined {
  const kept = readOnlyMembers(context.collection.resource.shape);
  return compileEdit(context, (record, body) => {
    const replaced: Record<string, unknown> = { ...body };
    for (const name of kept) if (Object.hasOwn(record, name)) replaced[name] = record[name];
    return replaced;
  });
}
