import { singularName, wordsOf } from '../meaning/names.ts';
import { type Method, type Operation, pathParameters } from '../operation.ts';
import { collectionPath, itemOf, recordName, singularPath, withoutSuffix } from './paths.ts';
import { bodyShape } from './record-schema.ts';
import type { Action } from './resource.ts';
import { declaredRole } from './resource.ts';

/**
 * What a verb in a path suggests that an operation does: `POST /pets/add`, `PUT /pets/edit/{id}`, `GET /getPets`. A verb
 * alone is no promise, unless the response has the schema of the records as well.
 */
export interface PathVerb {
  /** The path of the collection: `/pets`. */
  readonly collection: string;
  readonly action: Action | 'action';
  /** The path parameter with the id; undefined: the operation does not work on one record, or its body has the id. */
  readonly parameter: string | undefined;
}

type Kind = 'list' | 'read' | 'create' | 'change' | 'remove' | 'export';

const VERBS: Readonly<Record<Kind, string>> = {
  list: 'list all index',
  read: 'get read show view detail details find fetch',
  create: 'create add new insert save store register signup',
  change: 'edit update change modify',
  remove: 'delete remove destroy',
  export: 'download export',
};

const KINDS = new Map(
  (Object.entries(VERBS) as [Kind, string][]).flatMap(([kind, words]) =>
    words.split(' ').map((word) => [word, kind] as const),
  ),
);

/** What does not name a record: `getAll`, `findOne`, `get-by-id`. */
const FILLERS = new Set(['all', 'one', 'by', 'id', 'list', 'new', 'a', 'the']);

const ACTIONS_ON_ONE: Readonly<Partial<Record<Method, Readonly<Partial<Record<Kind, PathVerb['action']>>>>>> =
  {
    GET: { read: 'read', change: 'read', export: 'action' },
    POST: { change: 'update', remove: 'remove' },
    PUT: { change: 'replace', create: 'replace' },
    PATCH: { change: 'update' },
    DELETE: { remove: 'remove' },
  };

const ACTIONS_ON_ALL: typeof ACTIONS_ON_ONE = {
  GET: { list: 'list', read: 'list' },
  POST: { create: 'create', change: 'update', remove: 'remove' },
  PUT: { create: 'create', change: 'replace' },
  PATCH: { change: 'update' },
  DELETE: { remove: 'remove' },
};

/**
 * The verbs in the paths of a document, where they are verbs: other paths of the collection show that there is one.
 * @param presumes also what says less: `GET /files/download/{id}`, and `POST /uploads/addFile` where nothing else is posted
 */
export function pathVerbs(
  operations: readonly Operation[],
  presumes = false,
): ReadonlyMap<Operation, PathVerb> {
  const found = new Map(
    operations.flatMap((operation) => {
      const read = declaredRole(operation).spot ? undefined : readVerb(operation);
      return read && (presumes || read.action !== 'action') ? [[operation, read] as const] : [];
    }),
  );
  const plain = operations.filter((one) => !found.has(one)).map(({ path }) => collectionPath(path));
  const collections = new Set(plain);
  // Other paths may say that it is the name of a collection: `/tv/show/{id}/episodes`.
  const verbs = [...found].filter(([, { place }]) => !plain.some((path) => isWithin(path, place)));
  const lists = verbs.toSorted(([, one], [, other]) => Number(isList(other)) - Number(isList(one)));
  const names = new Map<string, string>();
  for (const path of [...plain, ...lists.map(([, { collection }]) => collection)]) {
    const key = singularPath(path);
    names.set(key, names.get(key) ?? path);
  }
  const named = verbs.map(([operation, { place, ...verb }]) => {
    const path = collections.has(verb.collection)
      ? verb.collection
      : names.get(singularPath(verb.collection));
    return { operation, place, verb: { ...verb, collection: path ?? verb.collection } };
  });
  const places = Map.groupBy(named, ({ verb }) => verb.collection);
  const isOneOfSeveral = ({ collection }: PathVerb) =>
    collections.has(collection) || new Set(places.get(collection)?.map(({ place }) => place)).size > 1;
  const isTaken = compileTaken(operations.filter((one) => !found.has(one)));
  return new Map(
    named.flatMap(({ operation, place, verb }) => {
      if (isOneOfSeveral(verb)) return [[operation, verb] as const];
      const collection = place.slice(0, place.lastIndexOf('/'));
      const isOther =
        !presumes || verb.action !== 'create' || isTaken(operation, collection, verb.collection);
      return isOther ? [] : [[operation, { ...verb, collection }] as const];
    }),
  );
}

/**
 * Compiles whether what a verb and another name create belongs to no collection above: `/uploads/addFile` with a body
 * belongs to `/uploads`, if that has items, no other members are posted to it, and no other collection has the name.
 */
function compileTaken(plain: readonly Operation[]) {
  const names = new Set(plain.map(({ path }) => recordName(collectionPath(path))));
  return ({ method, body }: Operation, above: string, named: string): boolean => {
    const hasItems = plain.some(({ path }) => itemOf(path)?.above === above);
    const isPosted = plain.some(
      (one) => one.method === 'POST' && one.path === above && bodyShape(one)?.properties.size,
    );
    return method !== 'POST' || !body || !hasItems || isPosted || names.has(recordName(named));
  };
}

const isWithin = (path: string, place: string) => path === place || path.startsWith(`${place}/`);
const isList = ({ action }: PathVerb) => action === 'list';

/** @returns the verb with the path up to it */
function readVerb({ method, path }: Operation): (PathVerb & { readonly place: string }) | undefined {
  const segments = withoutSuffix(path).split('/');
  const isParameter = (segment = '') => segment.startsWith('{');
  const last = segments.at(-1);
  const at = isParameter(last) ? segments.length - 2 : segments.length - 1;
  const isBefore = !isParameter(last) && isParameter(segments[at - 1]);
  const above = segments.slice(0, isBefore ? at - 1 : at);
  const form = verbAt(segments[at] ?? '', above.join('/'), isBefore);
  const isOnOne = isBefore || isParameter(last);
  if (isBefore && form?.kind === 'export') return undefined;
  const action = form && (isOnOne ? ACTIONS_ON_ONE : ACTIONS_ON_ALL)[method]?.[form.kind];
  if (!form || !action) return undefined;
  const parameter = isOnOne ? pathParameters(withoutSuffix(path)).at(-1) : undefined;
  return { collection: form.collection, action, parameter, place: segments.slice(0, at + 1).join('/') };
}

/** `edit`, `editPet` and `edit-pet` below `/pets`; without anything above only with the name of a record. */
function verbAt(segment: string, above: string, isBehindId: boolean) {
  const { kind, noun } = verbAndNoun(segment);
  if (!kind) return undefined;
  const name = above.slice(above.lastIndexOf('/') + 1);
  const isNamed = name !== '' && !name.startsWith('{');
  if (noun.length === 0) return isNamed ? { kind, collection: above } : undefined;
  if (isNamed && singularName(noun.join('')) === singularName(name)) return { kind, collection: above };
  return isBehindId ? undefined : { kind, collection: `${above}/${noun.join('-')}` };
}

/** `add` and `pet` of `addPet` and `add-pet`; undefined: the segment begins with no verb. */
function verbAndNoun(segment: string): { readonly kind: Kind | undefined; readonly noun: string[] } {
  const words = wordsOf(segment);
  const kind = KINDS.get(words[0] ?? '');
  return { kind, noun: kind ? words.slice(1).filter((word) => !FILLERS.has(word)) : words };
}
