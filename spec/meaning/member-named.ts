import type { Shape } from '../schema/shape.ts';
import { findNamed } from './names.ts';

/** What names of moments end with: `created` is said for `createdAt`. */
const MOMENT = ['', 'at', 'on', 'date', 'time', 'datetime', 'timestamp'];

/** The names of all members, also of those that only branches of `oneOf` or `anyOf` have. */
export function memberNames(shape: Shape): string[] {
  return [...shape.properties.keys(), ...shape.alternatives.flatMap(memberNames)];
}

/** The member of a record that a name stands for, however it is written: `createdAt` for `created_at` and `created`. */
export function memberNamed(record: Shape, name: string): string | undefined {
  const names = memberNames(record);
  return MOMENT.map((ending) => findNamed(names, name + ending)).find((found) => found !== undefined);
}
