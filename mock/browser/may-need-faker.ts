import { type Contract, isRecord } from '#spec';
import { NUMBER_METHODS, STRING_METHODS } from '../records/seed/faker-methods.ts';

const NAMES = [...STRING_METHODS, ...NUMBER_METHODS].map(([pattern]) => pattern);

/** Whether a value of this contract may come from faker: a property has a name that says so, or `x-faker`. */
export function mayNeedFaker({ document }: Contract): boolean {
  return [...document.files.values()].some(({ value }) => needs(value, false));
}

/** @param isMap whether the names of the members are the author's: those of properties */
function needs(value: unknown, isMap: boolean): boolean {
  if (Array.isArray(value)) return value.some((item) => needs(item, false));
  if (!isRecord(value)) return false;
  return Object.entries(value).some(
    ([key, member]) =>
      (isMap ? NAMES.some((pattern) => pattern.test(key)) : key === 'x-faker') ||
      needs(member, !isMap && key === 'properties'),
  );
}
