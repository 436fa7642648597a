import {
  foldedName,
  ID_NAMES,
  idStem,
  idWord,
  namesIdOf,
  setOf,
  singularName,
  wordsOf,
} from '../meaning/names.ts';
import { type RecordChange, VERBS_OF_PATHS } from '../meaning/verb.ts';
import type { Method, Operation } from '../operation.ts';
import { listPlace } from './list-form.ts';
import { collectionPath, itemOf, lastSegment, recordName, singularPath, withoutSuffix } from './paths.ts';
import { answerShape, bodyShape } from './record-schema.ts';
import { type Action, declaredRole } from './resource.ts';

/**
 * The role that a verb in a path suggests: `POST /pets/add`, `PUT /pets/edit/{id}`, `GET /getPets`. A verb
 * alone is no promise, unless the response has the schema of the records as well.
 */
export interface PathVerb {
  /** The path of the collection: `/pets`. */
  readonly collection: string;
  readonly action: Action;
  /** The path parameter with the id; undefined: the operation does not work on one record, or its body has the id. */
  readonly parameter: string | undefined;
}

/** A verb with its operation, and the path above it. */
type Found = PathVerb & { readonly operation: Operation; readonly place: string };

type Actions = Readonly<Partial<Record<Method, Action>>>;

/** The action of each verb on the collection, and on the record that a parameter identifies. */
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

/** Segments that repeat what the methods mean: `/pets/list-create`, `/pets/{id}/update-delete`. */
const OF_METHODS: readonly [onAll: Actions, onOne: Actions] = [
  { GET: 'list', POST: 'create' },
  { GET: 'read', PUT: 'replace', PATCH: 'update', DELETE: 'remove' },
];

/** The verbs in a document's paths. A word counts as a verb only if other paths show that the collection exists. */
export function pathVerbs(operations: readonly Operation[]): ReadonlyMap<Operation, PathVerb> {
  const byPath = Map.groupBy(operations, ({ path }) => withoutSuffix(path));
  const all = operations.flatMap((operation) =>
    declaredRole(operation).resource ? [] : (readMethods(operation, byPath) ?? readVerb(operation) ?? []),
  );
  const verbal = new Set(all.map(({ operation }) => operation));
  const plain = operations
    .filter((operation) => !verbal.has(operation))
    .map(({ path }) => collectionPath(path));
  const verbs = all.flatMap((verb): Found[] => {
    // Paths below it show that the word is a noun: `/tv/show/{id}/episodes`.
    if (plain.some((path) => `${path}/`.startsWith(`${verb.place}/`))) return [];
    const alike = plain.filter((path) => singularPath(path) === singularPath(verb.collection));
    const collection = alike.includes(verb.collection) ? verb.collection : (alike[0] ?? verb.collection);
    return [{ ...verb, collection }];
  });
  return new Map(
    verbs.flatMap((verb): [Operation, PathVerb][] => {
      const { operation, collection, place } = verb;
      const isTwice = verbs.some((one) => one.collection === collection && one.place !== place);
      if (isTwice || plain.includes(collection)) return [[operation, verb]];
      const above = place.slice(0, place.lastIndexOf('/'));
      return isMissing(verb, above, operations) ? [[operation, { ...verb, collection: above }]] : [];
    }),
  );
}

/**
 * Whether `/uploads/addFile` creates one of `/uploads`: that has items without a create, and there is no collection of
 * files.
 */
function isMissing(
  { action, operation, collection }: Found,
  above: string,
  all: readonly Operation[],
): boolean {
  const isKnown = all.some(({ path }) => recordName(collectionPath(path)) === recordName(collection));
  const hasItems = all.some(({ path }) => itemOf(path)?.above === above);
  const isMade = all.some(
    (one) => one.method === 'POST' && one.path === above && bodyShape(one)?.properties.size,
  );
  return action === 'create' && operation.body !== undefined && hasItems && !isMade && !isKnown;
}

/** A verb at the end of a path, or before the parameter at its end. */
const VERBAL = /^((.*)\/([^/{}]+))(?:\/\{([^/{}]+)\})?$/;

/** Words beside a noun that have no meaning of their own. */
const AROUND = setOf('all list detail details info');

/** The verb of a segment, and the other words. The verb comes first, or last where the method writes: `job-create`. */
function verbIn(words: readonly string[], method: Method): { verb: string; rest: readonly string[] } {
  const [first = '', ...rest] = words;
  const last = words.at(-1) ?? '';
  const isLast = method !== 'GET' && !VERBS_OF_PATHS.has(first) && VERBS_OF_PATHS.has(last);
  return isLast && VERBS_OF_PATHS.get(last) !== 'read'
    ? { verb: last, rest: words.slice(0, -1) }
    : { verb: first, rest };
}

/** The query parameter with the id of the record: `GET /GetPetById?petId=7`, `PUT /UpdatePet?id=7`. */
function idInQuery(operation: Operation, noun = ''): string | undefined {
  const name = singularName(noun);
  const [only, ...more] = operation.parameters.filter(
    (parameter) =>
      parameter.in === 'query' &&
      (ID_NAMES.includes(foldedName(parameter.name)) || namesIdOf(parameter.name, name)),
  );
  return more.length === 0 ? only?.name : undefined;
}

/** `/pets/{id}/update` */
function onItem(
  operation: Operation,
  verb: string,
  { above, parameter }: NonNullable<ReturnType<typeof itemOf>>,
  place: string,
): Found | undefined {
  const kind = VERBS_OF_PATHS.get(verb);
  const action = kind && kind !== 'created' ? ACTIONS[kind][1][operation.method] : undefined;
  return action && { operation, collection: above, action, parameter, place };
}

/** Paths whose last segment has several verbs, or the verb of a read below an item that no other path reads. */
function readMethods(operation: Operation, byPath: ReadonlyMap<string, Operation[]>): Found | undefined {
  const place = withoutSuffix(operation.path);
  const [, , above = '', segment = '', parameter] = VERBAL.exec(place) ?? [];
  const [first, ...more] = wordsOf(segment).map((word) => VERBS_OF_PATHS.get(word));
  const item = itemOf(above);
  const isOpen = item && first === 'read' && !byPath.has(above);
  const isVerbs = first !== undefined && (more.length > 0 ? !more.includes(undefined) : isOpen);
  const beside = byPath.get(place) ?? [];
  if (parameter !== undefined || !isVerbs || beside.length < 2) return undefined;
  const actions = OF_METHODS[item ? 1 : 0];
  const isPlain = beside.every(
    (one) => actions[one.method] && !(item && answerShape(one)?.mainType === 'array'),
  );
  const action = isPlain ? actions[operation.method] : undefined;
  return action && { operation, collection: item?.above ?? above, action, parameter: item?.parameter, place };
}

function readVerb(operation: Operation): Found | undefined {
  const [, place = '', above = '', segment = '', parameter] =
    VERBAL.exec(withoutSuffix(operation.path)) ?? [];
  const words = wordsOf(segment);
  const { verb, rest } = verbIn(words, operation.method);
  const item = parameter === undefined && rest.length === 0 ? itemOf(above) : undefined;
  if (item && VERBS_OF_PATHS.get(verb) !== 'read') return onItem(operation, verb, item, place);
  const by = parameter !== undefined || idWord(segment) !== undefined ? rest.indexOf('by') : -1;
  // `getAllPets`, `get-pet-list`, `getPetById/{id}`.
  const nouns = (by < 0 ? rest : rest.slice(0, by)).filter((word) => !AROUND.has(word));
  const kind = VERBS_OF_PATHS.get(verb);
  const noun = nouns.join('-');
  // In a list, such a parameter is a filter.
  const isMany = kind === 'created' || (operation.method === 'GET' && by < 0 && listPlace(operation));
  const asked = parameter ?? (isMany ? undefined : idInQuery(operation, noun || lastSegment(above)));
  const action = kind && ACTIONS[kind][asked === undefined ? 0 : 1][operation.method];
  const isAbove = noun === '' || singularName(noun) === singularName(lastSegment(above) ?? '');
  // `getPetsByOwnerId/{ownerId}` lists the pets of an owner.
  const stem = by < 0 ? undefined : idStem(rest.slice(by + 1).join('-'));
  if (stem !== undefined && stem !== singularName(noun || (lastSegment(above) ?? ''))) return undefined;
  // `edit`, `editPet` and `edit-pet` below `/pets`; without anything above only with the name of a record.
  if (!action || (noun === '' && lastSegment(above) === undefined)) return undefined;
  return { operation, collection: isAbove ? above : `${above}/${noun}`, action, parameter: asked, place };
}
