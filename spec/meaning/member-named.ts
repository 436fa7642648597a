import { isRecord } from '../json/json-value.ts';
import type { Shape } from '../schema/shape.ts';
import { findNamed, sameName, wordsOf } from './names.ts';

/** Endings of names of moments, which may be left out: `created` names `createdAt`. */
const MOMENT = ['', 'at', 'on', 'date', 'time', 'datetime', 'timestamp'];

/** The names of all members, including those that only branches of `oneOf` or `anyOf` have. */
export function memberNames(shape: Shape): string[] {
  return [...shape.properties.keys(), ...shape.alternatives.flatMap(memberNames)];
}

/**
 * The member of a record that a name stands for, however it is written: `createdAt` for `created_at` and `created`; of
 * JSON:API `attributes.createdAt`.
 */
export function memberNamed(record: Shape, name: string): string | undefined {
  const names = memberNames(record);
  const direct = MOMENT.map((ending) => findNamed(names, name + ending)).find(
    (member) => member !== undefined,
  );
  const inside = direct === undefined ? attributesIn(record) : undefined;
  const within = inside && memberNamed(inside, name);
  return within === undefined ? direct : `${ATTRIBUTES}.${within}`;
}

const ATTRIBUTES = 'attributes';

/** The object with a record's members beside its `id` and `type` (JSON:API 1.1 §7.2). */
export function attributesIn({ properties }: Shape): Shape | undefined {
  const inside = properties.get(ATTRIBUTES);
  return inside?.mainType === 'object' && properties.has('id') && properties.has('type') ? inside : undefined;
}

/** The value of a member, or of one of the attributes. */
export function memberValue(record: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(record, name) || !name.startsWith(`${ATTRIBUTES}.`)) return record[name];
  const inside = record[ATTRIBUTES];
  return isRecord(inside) ? inside[name.slice(ATTRIBUTES.length + 1)] : undefined;
}

/** Whether a name in a request stands for a member: `status` or `new_status` for `status`. */
export const isSentAs = (name: string, member: string): boolean =>
  sameName(name, member) || sameName(wordsOf(name).join('-').replace(/^new-/, ''), member);
