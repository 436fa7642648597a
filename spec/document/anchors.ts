import { isRecord } from '../json/json-type.ts';

/** The paths of the schemas of a file that have a name (`$anchor`, JSON Schema 2020-12 core §8.2.2); the first of each. */
export function anchorsOf(file: unknown): ReadonlyMap<string, readonly string[]> {
  const anchors = new Map<string, readonly string[]>();

  function visit(value: unknown, path: readonly string[]): void {
    if (typeof value !== 'object' || value === null) return;
    if (isRecord(value)) {
      for (const name of [value.$anchor, value.$dynamicAnchor])
        if (typeof name === 'string' && !anchors.has(name)) anchors.set(name, path);
    }
    for (const [key, member] of Object.entries(value)) visit(member, [...path, key]);
  }

  visit(file, []);
  return anchors;
}
