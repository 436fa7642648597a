import { singularName, wordsOf } from '../meaning/names.ts';
import { type RecordChange, VERBS_OF_PATHS } from '../meaning/verb.ts';
import { type Method, type Operation, pathParameters } from '../operation.ts';
import { collectionPath, itemOf, recordName, singularPath, withoutSuffix } from './paths.ts';
import { bodyShape } from './record-schema.ts';
import { type Action, declaredRole } from './resource.ts';

/**
 * What a verb in a path suggests that an operation does: `POST /pets/add`, `PUT /pets/edit/{id}`, `GET /getPets`. A verb
 * alone is no promise, unless the response has the schema of the records as well.
 */
export interface PathVerb {
  /** The path of the collection: `/pets`. */
  readonly collection: string;
  readonly action: Action;
  /** The path parameter with the id; undefined: the operation does not work on one record, or its body has the id. */
  readonly parameter: string | undefined;
  /** The path up to the verb. */
  readonly place: string;
}

type Actions = Readonly<Partial<Record<Method, Action>>>;

/** What is done to all records or nobody knows which, and to the one that a parameter names. */
const ACTIONS: Readonly<Record<RecordChange | 'read', readonly [onAll: Actions, onOne: Actions]>> = {
  read: [{ GET: 'list' }, { GET: 'read' }],
  created: [{ POST: 'create', PUT: 'create' }, { PUT: 'replace' }],
  changed: [
    { POST: 'update', PUT: 'replace', PATCH: 'update' },
    { GET: 'read', POST: 'update', PUT: 'replace', PATCH: 'update' },
  ],
  removed: [
    { POST: 'remove', DELETE: 'remove' },
    { POST: 'remove', DELETE: 'remove' },
  ],
};

/** What does not name a record: `getAll`, `findOne`, `get-by-id`. */
const FILLERS = new Set(['all', 'one', 'by', 'id', 'list', 'new', 'a', 'the']);

/** The verbs in the paths of a document, where they are verbs: other paths of the collection show that there is one. */
export function pathVerbs(operations: readonly Operation[]): ReadonlyMap<Operation, PathVerb> {
  const found = new Map(
    operations.flatMap((operation) => {
      const verb = declaredRole(operation).spot ? undefined : readVerb(operation);
      return verb ? [[operation, verb] as const] : [];
    }),
  );
  const plain = operations.filter((one) => !found.has(one)).map(({ path }) => collectionPath(path));
  // Other paths may say that it is the name of a collection: `/tv/show/{id}/episodes`.
  const verbs = [...found].filter(
    ([, { place }]) => !plain.some((path) => path === place || path.startsWith(`${place}/`)),
  );
  const lists = verbs.toSorted(([, one], [, other]) => Number(isList(other)) - Number(isList(one)));
  const names = new Map<string, string>();
  for (const path of [...plain, ...lists.map(([, { collection }]) => collection)])
    names.set(singularPath(path), names.get(singularPath(path)) ?? path);
  const named = verbs.map(([operation, verb]) => {
    const path = plain.includes(verb.collection) ? verb.collection : names.get(singularPath(verb.collection));
    return [operation, { ...verb, collection: path ?? verb.collection }] as const;
  });
  const places = Map.groupBy(named, ([, { collection }]) => collection);
  return new Map(
    named.flatMap(([operation, verb]): [Operation, PathVerb][] => {
      const { collection, place } = verb;
      const beside = new Set(places.get(collection)?.map(([, one]) => one.place));
      if (plain.includes(collection) || beside.size > 1) return [[operation, verb]];
      const above = place.slice(0, place.lastIndexOf('/'));
      const isOfAbove = verb.action === 'create' && isMissing(operation, above, collection, operations);
      return isOfAbove ? [[operation, { ...verb, collection: above }]] : [];
    }),
  );
}

/** `/uploads/addFile` makes one of `/uploads`, if that has items that nothing else makes, and no files are known. */
function isMissing(
  { method, body }: Operation,
  above: string,
  named: string,
  operations: readonly Operation[],
): boolean {
  if (method !== 'POST' || !body) return false;
  const isKnown = operations.some(({ path }) => recordName(collectionPath(path)) === recordName(named));
  const hasItems = operations.some(({ path }) => itemOf(path)?.above === above);
  const isMade = operations.some(
    (one) => one.method === 'POST' && one.path === above && bodyShape(one)?.properties.size,
  );
  return hasItems && !isMade && !isKnown;
}

const isList = ({ action }: PathVerb) => action === 'list';

function readVerb({ method, path }: Operation): PathVerb | undefined {
  const segments = withoutSuffix(path).split('/');
  const isParameter = (segment = '') => segment.startsWith('{');
  const isItem = isParameter(segments.at(-1));
  const at = segments.length - (isItem ? 2 : 1);
  const isBehindId = !isItem && isParameter(segments[at - 1]);
  const above = segments.slice(0, isBehindId ? at - 1 : at).join('/');
  const [verb = '', ...noun] = wordsOf(segments[at] ?? '');
  const kind = VERBS_OF_PATHS.get(verb);
  const action = kind && ACTIONS[kind][isBehindId || isItem ? 1 : 0][method];
  const collection = collectionOf(
    above,
    noun.filter((word) => !FILLERS.has(word)),
    isBehindId,
  );
  if (!action || collection === undefined) return undefined;
  const parameter = isBehindId || isItem ? pathParameters(withoutSuffix(path)).at(-1) : undefined;
  return { collection, action, parameter, place: segments.slice(0, at + 1).join('/') };
}

/** `edit`, `editPet` and `edit-pet` below `/pets`; without anything above only with the name of a record. */
function collectionOf(above: string, noun: readonly string[], isBehindId: boolean): string | undefined {
  const name = above.slice(above.lastIndexOf('/') + 1);
  const isNamed = name !== '' && !name.startsWith('{');
  if (noun.length === 0) return isNamed ? above : undefined;
  if (isNamed && singularName(noun.join('')) === singularName(name)) return above;
  return isBehindId ? undefined : `${above}/${noun.join('-')}`;
}
