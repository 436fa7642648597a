import { isReference } from './spot.ts';

/** Undefined if a reference to this URL may be followed, else why not and which option allows it. */
export type RefAccess = (url: string) => Promise<string | undefined>;

/** Members whose values are data, where `$ref` is an ordinary name. */
const DATA = new Set(['example', 'default', 'const', 'enum', 'value']);

/** Members whose own members have names that the author chose: a response may be called `default`. */
const MAPS = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'],
  ...[
    'schemas',
    'responses',
    'parameters',
    'examples',
    'requestBodies',
    'headers',
    'securitySchemes',
    'links',
  ],
  ...['callbacks', 'pathItems', 'paths', 'webhooks', 'content', 'mediaTypes', 'encoding', 'variables'],
  ...['additionalOperations', 'securityDefinitions'],
]);

interface FoundReference {
  readonly ref: string;
  /** Of its `$ref`. */
  readonly path: readonly string[];
  /** It stands where no request or response depends on it: in a description, say. */
  readonly isRemark: boolean;
}

/** Members that are for readers; so are extensions, unless a reference leads into them. */
const REMARKS = new Set(['description', 'summary', 'externalDocs', 'examples']);

/** The references of a file to others. */
export function externalReferences(file: unknown): FoundReference[] {
  return findReferences(file, (ref) => !ref.startsWith('#'));
}

/** The references of a file that are wanted. */
export function findReferences(file: unknown, isWanted: (ref: string) => boolean): FoundReference[] {
  const found: FoundReference[] = [];
  const path: string[] = [];

  function visit(value: unknown, isMap: boolean, isRemark: boolean): void {
    if (typeof value !== 'object' || value === null) return;
    if (isReference(value) && isWanted(value.$ref))
      found.push({ ref: value.$ref, path: [...path, '$ref'], isRemark });
    for (const [key, member] of Object.entries(value)) {
      const isName = isMap || Array.isArray(value);
      if (!isName && (DATA.has(key) || (key === 'examples' && Array.isArray(member)))) continue;
      path.push(key);
      const isInfo = path.length === 1 && key === 'info';
      visit(
        member,
        !isName && MAPS.has(key),
        isRemark || isInfo || (!isName && (REMARKS.has(key) || key.startsWith('x-'))),
      );
      path.pop();
    }
  }

  visit(file, false, false);
  return found;
}
