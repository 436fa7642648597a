import type { Shape } from '../schema/shape.ts';

/** What names of moments end with: `created` is said for `createdAt`. */
const MOMENT = ['', 'at', 'on', 'date', 'time', 'datetime', 'timestamp'];

/** `ConnectAppSid`, `connect-app-sid` and `connect_app_sid` are one name. */
export const plainName = (name: string) => name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();

/** The member of a record that a name stands for, however it is written: `createdAt` for `created_at` and `created`. */
export function memberNamed(record: Shape, name: string): string | undefined {
  const names = [record, ...record.alternatives].flatMap(({ properties }) => [...properties.keys()]);
  if (names.includes(name)) return name;
  const wanted = plainName(name);
  if (wanted === '') return undefined;
  const endings = MOMENT.map((ending) => wanted + ending);
  for (const ending of endings) {
    const found = names.find((one) => plainName(one) === ending);
    if (found !== undefined) return found;
  }
  return undefined;
}
