import { parseJson, stringifyJson } from '../shell/exact-json.ts';
import type { CollectionView, MemberView } from '../wire.ts';

type Members = Readonly<Record<string, unknown>>;

/** A record while it is edited: the text of each field. */
export type Draft = Readonly<Record<string, string>>;

/** The field for members that the document does not name, as one JSON object. */
export const OTHERS = ' others';

export function draftOf({ members }: CollectionView, record: Members): Draft {
  const named = new Set(members.map(({ name }) => name));
  const others = Object.entries(record).filter(([name]) => !named.has(name));
  return {
    ...Object.fromEntries(members.map((member) => [member.name, textOf(member, record[member.name])])),
    [OTHERS]: others.length === 0 ? '' : stringifyJson(Object.fromEntries(others), 2),
  };
}

function textOf(member: MemberView, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (isText(member) && typeof value === 'string') return value;
  return stringifyJson(value, 2);
}

/** Whether a field holds the text itself, and not JSON. */
export function isText({ type, values }: MemberView): boolean {
  return type === 'string' || (type === undefined && values === undefined);
}

/**
 * The record that a draft stands for: an empty field is an absent member, or what it was before if that was empty or null.
 * What is no JSON is taken as a text, so that the mock says what is wrong with it.
 */
export function recordOf({ members }: CollectionView, draft: Draft, before: Members): Members {
  const entries = members.flatMap((member): [string, unknown][] => {
    const { name } = member;
    const text = draft[name] ?? '';
    if (text !== '') return [[name, isText(member) ? text : jsonOrText(text)]];
    const old = before[name];
    return old === '' || old === null ? [[name, old]] : [];
  });
  const others = jsonOrText(draft[OTHERS] || '{}');
  return { ...Object.fromEntries(entries), ...(typeof others === 'object' && (others as Members)) };
}

function jsonOrText(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** What is wrong with the text of the other members before the mock is asked; undefined: nothing. */
export function othersProblem(draft: Draft): string | undefined {
  const value = jsonOrText(draft[OTHERS] || '{}');
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? undefined : 'must be a JSON object';
}
