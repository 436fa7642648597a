import { isRecord } from '../json/json-value.ts';
import { isReference } from './spot.ts';

interface FoundReference<Ref = unknown> {
  readonly ref: Ref;
  readonly keyword: '$ref' | '$dynamicRef';
  /** Of the object that has it. */
  readonly path: readonly string[];
  /**
   * How many steps of the path a part of the document has at least if a request or a response which depends on that part
   * depends on the reference: none does on one in a description, say.
   */
  readonly from: number;
}

/** The references of a file that do not lead to its own root by a fragment alone. */
export function externalReferences(file: unknown): FoundReference<string>[] {
  const isExternal = (ref: unknown): ref is string => typeof ref === 'string' && !ref.startsWith('#');
  return findReferences(file, isExternal);
}

/** The references of a file that are wanted. */
export function findReferences<Ref = unknown>(
  file: unknown,
  isWanted:
    | ((ref: unknown, path: readonly string[]) => ref is Ref & unknown)
    | ((ref: unknown, path: readonly string[]) => boolean),
): FoundReference<Ref>[] {
  const found: FoundReference<Ref>[] = [];
  walkParts(file, ({ value, path, isMap, from }) => {
    const add = (ref: unknown, keyword: '$ref' | '$dynamicRef') => {
      if (isWanted(ref, path)) found.push({ ref: ref as Ref, keyword, path: [...path], from });
    };
    if (mayRefer(value, isMap)) add(value.$ref, '$ref');
    if (!isMap && isRecord(value) && typeof value.$dynamicRef === 'string')
      add(value.$dynamicRef, '$dynamicRef');
  });
  return found;
}

/** A member of the name `$ref` may be anything. */
function mayRefer(value: object, isMap: boolean): value is { $ref: unknown } {
  return isReference(value) || (!isMap && isRecord(value) && Object.hasOwn(value, '$ref'));
}

/** An object or a list of a file that is no data. */
interface Part {
  readonly value: object;
  /** Changed while the walk goes on. */
  readonly path: readonly string[];
  /** Whether its members have names that the author chose. */
  readonly isMap: boolean;
  /** As in a reference that is found there. */
  readonly from: number;
}

/** Visits what has keywords; the values of examples, say, are data. */
export function walkParts(file: unknown, visit: (part: Part) => void): void {
  const path: string[] = [];

  function walk(value: unknown, isMap: boolean, from: number): void {
    if (typeof value !== 'object' || value === null) return;
    visit({ value, path, isMap, from });
    for (const [key, member] of Object.entries(value)) {
      if (isData(value, key, isMap)) continue;
      const isName = isMap || Array.isArray(value);
      path.push(key);
      const isInfo = path.length === 1 && key === 'info';
      const isApart =
        isInfo || (!isName && (APART.has(key) || (key.startsWith('x-') && key !== 'x-webhooks')));
      walk(member, isMapOf(value, key, isMap), isApart ? path.length : from);
      path.pop();
    }
  }

  walk(file, false, 0);
}

/** Whether a member of such an object is data, where `$ref` and `$id` are ordinary names. */
export function isData(value: object, key: string, isMap: boolean): boolean {
  if (isMap || Array.isArray(value)) return false;
  const { examples } = value as { readonly examples?: unknown };
  return DATA.has(key) || (key === 'examples' && Array.isArray(examples));
}

/** Whether the members of a member have names that the author chose. */
export function isMapOf(value: object, key: string, isMap: boolean): boolean {
  return !isMap && !Array.isArray(value) && MAPS.has(key);
}

const DATA = new Set(['example', 'default', 'const', 'enum', 'value']);

/** A response may be called `default`. */
const MAPS = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'],
  ...['schemas', 'responses', 'parameters', 'examples', 'requestBodies', 'headers', 'securitySchemes'],
  ...['links', 'callbacks', 'pathItems', 'paths', 'webhooks', 'content', 'mediaTypes', 'encoding'],
  ...['variables', 'additionalOperations', 'securityDefinitions'],
]);

/** Members that are for readers; so are extensions, unless a reference leads into them. */
const REMARKS = ['description', 'summary', 'externalDocs', 'examples', 'links'];

/** Members of which only that counts to which a reference leads. */
const APART = new Set([...REMARKS, '$defs', 'definitions']);
