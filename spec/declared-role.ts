import { addProblem, placeOf, rawChild, type Spot } from './document/spot.ts';
import { describeValue } from './document/typed-member.ts';

/** The values of `x-paddock-action`. */
const ACTIONS = [
  'list',
  'view',
  'create',
  'createMany',
  'read',
  'replace',
  'update',
  'updateMany',
  'remove',
  'removeMany',
  'action',
  'singleton',
  'none',
] as const;

export type DeclaredAction = (typeof ACTIONS)[number];

/** What extensions of a document say that an operation does, where that cannot be inferred or is inferred wrongly. */
export interface DeclaredRole {
  /** `x-paddock-resource`: the path or the name of a collection; false: none. */
  readonly resource: string | false | undefined;
  /** `x-paddock-action` */
  readonly action: DeclaredAction | undefined;
  /** The extension, that of the action first; undefined: there is none. */
  readonly spot: Spot | undefined;
}

/** Reads the extensions of an operation, or those of its path; a value that means nothing is a problem. */
export function readDeclaredRole(pathItem: Spot, operation: Spot): DeclaredRole {
  const find = (name: string) => rawChild(operation, name) ?? rawChild(pathItem, name);
  const [resource, action] = [find('x-paddock-resource'), find('x-paddock-action')];
  return {
    resource: resource && readResource(resource),
    action: action && readAction(action),
    spot: action ?? resource,
  };
}

function readResource(spot: Spot): string | false | undefined {
  const { value } = spot;
  if (value === false) return false;
  if (typeof value === 'string' && value.trim() !== '') return value.startsWith('/') ? value : `/${value}`;
  const expected = 'the path or the name of a collection, such as /pets, or false';
  return addProblem(spot, `"x-paddock-resource" must be ${expected}, not ${describeValue(value)}`);
}

function readAction(spot: Spot): DeclaredAction | undefined {
  const found = ACTIONS.find((action) => action === spot.value);
  if (found) return found;
  const expected = `one of ${ACTIONS.join(', ')}`;
  return addProblem(spot, `"x-paddock-action" must be ${expected}, not ${describeValue(spot.value)}`);
}

/**
 * `x-paddock-safe: true`, by which the user permits the suite to call an operation that it would withhold. A document that
 * is read from a URL is somebody else's word: there the extension says nothing.
 */
export function readDeclaredSafe(pathItem: Spot, operation: Spot): boolean {
  const spot = rawChild(operation, 'x-paddock-safe') ?? rawChild(pathItem, 'x-paddock-safe');
  if (!spot) return false;
  if (typeof spot.value !== 'boolean')
    addProblem(spot, `"x-paddock-safe" must be true or false, not ${describeValue(spot.value)}`);
  return spot.value === true && !/^https?:/i.test(placeOf(spot).uri);
}
