/** Changes of records and of lists of them, whatever service or document they come from. */

export type Data = Readonly<Record<string, unknown>>;
export type RecordChange = (record: Data) => unknown;
type ListChange = (records: readonly Data[]) => unknown;

/** A member is missing. */
export const without =
  (member: string) =>
  ({ [member]: _, ...rest }: Data): Data =>
    rest;

/** A member always has this value. */
export const set =
  (member: string, value: unknown) =>
  (record: Data): Data => ({ ...record, [member]: value });

/** A member that is absent has this value. */
export const setDefault =
  (member: string, value: unknown) =>
  (record: Data): Data => ({ [member]: value, ...record });

/** A member that is present has another value. */
export const convert =
  <Value>(member: string, to: (value: Value) => unknown) =>
  (record: Data): Data =>
    record[member] === undefined ? record : { ...record, [member]: to(record[member] as Value) };

/** Every record of a list. */
export const each =
  (change: RecordChange): ListChange =>
  (records) =>
    records.map((record) => change(record));

/** One record of a list, counted from its end where the number is negative. */
export const nth =
  (number: number, change: RecordChange): ListChange =>
  (records) =>
    records.map((record) => (record === records.at(number) ? change(record) : record));

export const lowerCase = (value: unknown) => String(value).toLowerCase();
/** An integer that went through a double. */
export const asDouble = (value: unknown) => BigInt(Number(value));

/** True at every nth call. */
export function every(turns: number): () => boolean {
  let count = 0;
  return () => ++count % turns === 0;
}
