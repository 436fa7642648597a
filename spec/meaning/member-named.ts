import type { Shape } from '../schema/shape.ts';

/** What names of moments end with: `created` is said for `createdAt`. */
const MOMENT = ['', 'at', 'on', 'date', 'time', 'datetime', 'timestamp'];

const plain = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The member of a record that a name stands for, however it is written: `createdAt` for `created_at` and `created`. */
export function memberNamed(record: Shape, name: string): string | undefined {
  const names = [record, ...record.alternatives].flatMap(({ properties }) => [...properties.keys()]);
  if (names.includes(name)) return name;
  const wanted = plain(name);
  if (wanted === '') return undefined;
  const endings = MOMENT.map((ending) => wanted + ending);
  for (const ending of endings) {
    const found = names.find((one) => plain(one) === ending);
    if (found !== undefined) return found;
  }
  return undefined;
}
