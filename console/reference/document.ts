/** A JSON object of the document. */
export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Longer chains of references are endless. */
const MOST_HOPS = 100;

/**
 * Follows a Reference Object, and returns the value with the name of its schema; other values are returned unchanged.
 * Members beside `$ref` are merged in (OpenAPI 3.1 §4.8.23, JSON Schema 2020-12 §8.2.3.1).
 */
export function resolve(root: Json, written: unknown): { readonly value: unknown; readonly name?: string } {
  let value = written;
  let name: string | undefined;
  for (let hops = 0; hops < MOST_HOPS && isObject(value) && typeof value.$ref === 'string'; hops++) {
    const { $ref, ...beside } = value as { readonly $ref: string };
    const target = pointed(root, $ref);
    name ??= /^#\/components\/schemas\/([^/]+)$/.test($ref) ? lastStep($ref) : undefined;
    value = isObject(target) ? { ...target, ...beside } : target;
  }
  return { value, ...(name !== undefined && { name }) };
}

/** The object that is written or referred to; empty, if it is none. */
export function objectAt(root: Json, written: unknown): Json {
  const { value } = resolve(root, written);
  return isObject(value) ? value : {};
}

/** The objects in a map, by name. */
export const objectsIn = (root: Json, map: unknown): [name: string, one: Json][] =>
  Object.entries(isObject(map) ? map : {}).map(([name, written]) => [name, objectAt(root, written)]);

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

function pointed(root: Json, reference: string): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  return reference
    .slice(2)
    .split('/')
    .map(decodeStep)
    .reduce<unknown>(
      (value, step) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, step)
          ? (value as Json)[step]
          : undefined,
      root,
    );
}

function lastStep(reference: string): string {
  return decodeStep(reference.slice(reference.lastIndexOf('/') + 1));
}

/** RFC 6901 §6: percent-encoded in a fragment. */
function decodeStep(step: string): string {
  let text = step;
  try {
    text = decodeURIComponent(step);
  } catch {
    // An invalid percent-encoding is taken literally.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}
