import type { CollectionView, MemberView } from '../wire.ts';
import type { KeptRecord } from './records-query.ts';

/** How many columns are shown before a person asks for all of them. */
const MOST = 8;

const NAME =
  /^(?:(?:full|display|first|last|user|short)?_?name|title|label|subject|headline|email|slug|code|sku|number)$/i;
const STATE = /^(?:status|state|phase|stage|kind|type|priority|role|active|enabled)$/i;
const DATE = /(?:_at|At|_on|date|Date|time|Time|timestamp|created|updated)$/;

/**
 * The members that are shown as columns: what names a record, its state, what it refers to and its dates first, then the
 * others as the document lists them; none that is empty in all of these records.
 */
export function columnsOf(
  { id, members, open, references }: CollectionView,
  records: readonly KeptRecord[],
): { readonly shown: readonly string[]; readonly hidden: number } {
  const others = open ? records.flatMap(({ record }) => Object.keys(record)) : [];
  const names = [...new Set([...members.map(({ name }) => name), ...others])].filter((name) => name !== id);
  const filled = names.filter((name) => records.some(({ record }) => !isEmpty(record[name])));
  const known = new Map(members.map((member) => [member.name, member]));
  const named = new Set(references.map(({ member }) => member));
  const rank = (name: string) => rankOf(name, known.get(name), named.has(name));
  const ordered = filled.toSorted((one, other) => rank(one) - rank(other));
  return { shown: ordered.slice(0, MOST), hidden: names.length - Math.min(ordered.length, MOST) };
}

function rankOf(name: string, member: MemberView | undefined, isReference: boolean): number {
  if (NAME.test(name)) return 0;
  if (STATE.test(name) || (member?.values && member.values.length > 1)) return 1;
  if (isReference) return 2;
  if (member?.format?.startsWith('date') || DATE.test(name)) return 3;
  return member?.type === 'object' || member?.type === 'array' ? 5 : 4;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
