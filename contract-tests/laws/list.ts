import { type Filter, isRecord, type ListForm, type Parameter, placeOf } from '#spec';
import type { Breach } from './law.ts';
import { equalJson } from './record.ts';
import { shorten } from './shorten.ts';

/** The records of a list answer: the array itself, or the member that holds it. */
export function recordsOf(form: ListForm, body: unknown): Record<string, unknown>[] {
  const list = form.member === undefined ? body : isRecord(body) ? body[form.member] : undefined;
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** Never more than the limit; fewer is always right. */
export function judgePageSize(parameter: Parameter, limit: number, records: readonly unknown[]): Breach[] {
  if (records.length <= limit) return [];
  return [
    {
      law: 'page-size',
      received: `${records.length} records`,
      documented: `at most ${limit} (${parameter.name})`,
      at: placeOf(parameter.spot),
      about: records.slice(limit),
    },
  ];
}

/** Each record bears the value that was filtered by; of a list of values, among others. */
export function judgeFilter(
  filter: Filter,
  value: unknown,
  records: readonly Record<string, unknown>[],
): Breach[] {
  const strays = records.filter(
    (record) => ![record[filter.property]].flat().some((own) => equalJson(own, value)),
  );
  const [stray] = strays;
  if (!stray) return [];
  return [
    {
      law: 'filter',
      received: `a record whose ${filter.property} is ${shorten(stray[filter.property])}: ${shorten(stray)}`,
      documented: `only records whose ${filter.property} is ${shorten(value)}`,
      at: placeOf(filter.parameter.spot),
      about: strays,
    },
  ];
}
