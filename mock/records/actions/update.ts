import { isRecord } from '#spec';
import type { Act, ActionContext } from './action.ts';
import { compileEdit } from './edit.ts';
import type { Members } from './writable-members.ts';

/** PATCH: the body's members replace those of the record. */
export function compileUpdate(context: ActionContext): Act | undefined {
  return compileEdit(context, updateMembers);
}

export function updateMembers(record: Members, body: Members, contentType: string): Members {
  return /merge-patch/i.test(contentType) ? (mergePatch(record, body) as Members) : { ...record, ...body };
}

/** RFC 7396 §2: objects are merged member by member, null removes one, anything else replaces. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  // Without a prototype: clients choose the names.
  const merged: Record<string, unknown> = Object.assign(Object.create(null), isRecord(target) && target);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged;
}
