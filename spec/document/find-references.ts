import { isRecord } from '../json/json-value.ts';
import { isReference } from './spot.ts';

interface FoundReference<Ref = unknown> {
  readonly ref: Ref;
  readonly keyword: '$ref' | '$dynamicRef';
  /** The path of the object with the reference. */
  readonly path: readonly string[];
  /**
   * The least number of leading steps of the path that a part of the document must share to depend on the reference. No
   * request or response depends on a reference in a description, say.
   */
  readonly from: number;
}

/** The references of a file to anything but a fragment of the same file. */
export function externalReferences(file: unknown): FoundReference<string>[] {
  const isExternal = (ref: unknown): ref is string => typeof ref === 'string' && !ref.startsWith('#');
  return findReferences(file, isExternal);
}

/** The `externalValue`s of the Example Objects in a file (OpenAPI 3.1 §4.8.19), with their paths. */
export function externalValues(file: unknown): { readonly ref: string; readonly path: readonly string[] }[] {
  const references: { ref: string; path: string[] }[] = [];
  walkParts(file, (value, path) => {
    if (path.at(-2) === 'examples' && isRecord(value) && typeof value.externalValue === 'string')
      references.push({ ref: value.externalValue, path: [...path, 'externalValue'] });
  });
  return references;
}

/** The references of a file that pass a filter. */
export function findReferences<Ref = unknown>(
  file: unknown,
  isWanted:
    | ((ref: unknown, path: readonly string[]) => ref is Ref & unknown)
    | ((ref: unknown, path: readonly string[]) => boolean),
): FoundReference<Ref>[] {
  const references: FoundReference<Ref>[] = [];
  walkParts(file, (value, path, isMap, from) => {
    if (mayRefer(value, isMap) && isWanted(value.$ref, path))
      references.push({ ref: value.$ref as Ref, keyword: '$ref', path: [...path], from });
    if (isMap || !('$dynamicRef' in value) || typeof value.$dynamicRef !== 'string') return;
    if (isWanted(value.$dynamicRef, path))
      references.push({ ref: value.$dynamicRef as Ref, keyword: '$dynamicRef', path: [...path], from });
  });
  return references;
}

/** In a map, `$ref` may be an ordinary name with any value. */
function mayRefer(value: object, isMap: boolean): value is { $ref: unknown } {
  return isReference(value) || (!isMap && isRecord(value) && Object.hasOwn(value, '$ref'));
}

/**
 * @param path changes as the walk continues
 * @param isMap whether the author of the document chose the names of the members
 * @param from see `from` of a reference
 */
type Visit = (value: object, path: readonly string[], isMap: boolean, from: number) => void;

/** Visits the objects and lists that may have keywords, but not data, such as the values of examples. */
export function walkParts(file: unknown, visit: Visit): void {
  const path: string[] = [];

  function walk(value: object, isMap: boolean, from: number): void {
    visit(value, path, isMap, from);
    const isName = isMap || Array.isArray(value);
    for (const [key, member] of Object.entries(value)) {
      if (typeof member !== 'object' || member === null || (!isName && isData(key, member))) continue;
      path.push(key);
      const isInfo = path.length === 1 && key === 'info';
      const isApart =
        isInfo || (!isName && (APART.has(key) || (key.startsWith('x-') && key !== 'x-webhooks')));
      walk(member, !isName && MAPS.has(key), isApart ? path.length : from);
      path.pop();
    }
  }

  if (typeof file === 'object' && file !== null) walk(file, false, 0);
}

/** Whether a member of an object with keywords is data, in which `$ref` and `$id` are ordinary names. */
export function isData(key: string, member: unknown): boolean {
  return DATA.has(key) || (key === 'examples' && Array.isArray(member));
}

/** Whether a member of such an object is a map, whose keys the author chose. */
export function isMapOf(key: string): boolean {
  return MAPS.has(key);
}

const DATA = new Set(['example', 'default', 'const', 'enum', 'value']);

/** Maps are needed because a response may be called `default`, for example. */
const MAPS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'schemas',
  'responses',
  'parameters',
  'examples',
  'requestBodies',
  'headers',
  'securitySchemes',
  'links',
  'callbacks',
  'pathItems',
  'paths',
  'webhooks',
  'content',
  'mediaTypes',
  'encoding',
  'variables',
  'additionalOperations',
  'securityDefinitions',
]);

/** Members for human readers. Extensions count as such too, unless a reference leads into them. */
const REMARKS = ['description', 'summary', 'externalDocs', 'examples', 'links'];

/** Members whose contents matter only where a reference leads into them. */
const APART = new Set([...REMARKS, '$defs', 'definitions']);
