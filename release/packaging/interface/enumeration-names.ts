import { partsOf } from './entries.ts';

type Entry = readonly [name: string, form: string];

/**
 * Forms with the name of an exported enumeration where the compiler prints all of its values: then a new value is one
 * difference, and not one of each member that has this type.
 */
export function withEnumerationNames(entries: readonly Entry[]): Entry[] {
  const enumerations = entries
    .filter(([, form]) => form === 'one of')
    .map(([owner]) => ({ name: partsOf(owner).at(-1) ?? '', text: printed(valuesOf(owner, entries)) }));
  // A longer one may contain a shorter one.
  enumerations.sort((one, other) => other.text.length - one.text.length);
  return entries.map(([name, form]) => [
    name,
    enumerations.reduce((text, enumeration) => text.replaceAll(enumeration.text, enumeration.name), form),
  ]);
}

function valuesOf(owner: string, entries: readonly Entry[]): string[] {
  const { length } = partsOf(owner);
  return entries
    .map(([name]) => partsOf(name))
    .filter((parts) => parts.length === length + 1 && parts.slice(0, length).join() === partsOf(owner).join())
    .map((parts) => parts.at(-1) ?? '');
}

/** As the compiler prints it. */
function printed(values: readonly string[]): string {
  return values.map((value) => JSON.stringify(value)).join(' | ');
}
