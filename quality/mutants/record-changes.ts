/** Changes to records and lists of them, for any service or document. */

export type Data = Readonly<Record<string, unknown>>;
export type RecordChange = (record: Data) => unknown;
type ListChange = (records: readonly Data[]) => unknown;

/** Removes a member. */
export const without =
  (member: string) =>
  ({ [member]: _, ...rest }: Data): Data =>
    rest;

/** Removes the members that are null. */
export const withoutNulls = (record: Data): Data =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));

/** Sets a member to this value. */
export const set =
  (member: string, value: unknown) =>
  (record: Data): Data => ({ ...record, [member]: value });

/** Sets a missing member to this value. */
export const setDefault =
  (member: string, value: unknown) =>
  (record: Data): Data => ({ [member]: value, ...record });

/** Converts the value of an existing member. */
export const convert =
  <Value>(member: string, to: (value: Value) => unknown) =>
  (record: Data): Data =>
    record[member] === undefined ? record : { ...record, [member]: to(record[member] as Value) };

/** Changes every record of a list. */
export const each =
  (change: RecordChange): ListChange =>
  (records) =>
    records.map((record) => change(record));

/** Changes one record of a list; a negative index counts from the end. */
export const nth =
  (number: number, change: RecordChange): ListChange =>
  (records) =>
    records.map((record) => (record === records.at(number) ? change(record) : record));

export const lowerCase = (value: unknown) => String(value).toLowerCase();
/** An integer after conversion to a double and back. */
export const asDouble = (value: unknown) => BigInt(Number(value));

/** Returns true at every nth call. */
export function every(turns: number): () => boolean {
  let count = 0;
  return () => ++count % turns === 0;
}
