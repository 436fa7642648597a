import { type Basis, basisOf, type Sign } from '../meaning/basis.ts';
import { foldedName, nounsIn, setOf, wordsOf } from '../meaning/names.ts';
import { has, joined, listed, sentencesIn, textOf } from '../meaning/words.ts';
import { type Operation, pathParameters } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import { acceptedShape, ERRORS } from './jobs.ts';
import { lastSegment, recordName, withoutSuffix } from './paths.ts';
import {
  answerShape,
  bodyShape,
  memberLike,
  sameRecord,
  schemaKey,
  shapeAt,
  sharesMembers,
} from './record-schema.ts';
import type { Resource } from './resource.ts';

/** Creates of several records by one request. */

/** The path of the records in a body: as `x-paddock` says, the body itself, or its only list of objects. */
export function sentMany(operation: Operation): readonly string[] | undefined {
  const said = operation.said.facts.in?.body;
  if (said !== undefined) return said.split('.');
  const body = bodyShape(operation);
  if (body?.mainType === 'array') return [];
  const [only, ...others] = [...(body?.properties ?? [])].filter(
    ([, { items }]) => items?.mainType === 'object',
  );
  return only && others.length === 0 ? [only[0]] : undefined;
}

/** The schema of one of several records in a body. */
export const manyItem = (operation: Operation): Shape | undefined =>
  shapeAt(bodyShape(operation), sentMany(operation) ?? [''])?.items;

/** Words for several in the last segment of a path. */
const SEVERAL = setOf('bulk batch many multiple multi mass import imports');
/** Whether a path says in its last segment that several are meant. */
const saysSeveral = ({ path }: Operation): boolean =>
  wordsOf(lastSegment(path) ?? '').some((word) => SEVERAL.has(word));
const CREATES = listed('create~|add~|make~|import~|insert~|upload~|store~');

/**
 * The signs that a POST creates several records: its body lists what the create takes, and its path
 * or its description says so. Fewer than two signs: none.
 */
export function makesManySigns(operation: Operation, { path, actions, shape }: Made): readonly Sign[] {
  const { create } = actions;
  const item = manyItem(operation);
  const taken = create && bodyShape(create);
  const names = pathParameters(path);
  if (pathParameters(operation.path).some((name) => !names.includes(name)) || !item || !taken) return [];
  const key = schemaKey(item);
  if (sentMany(operation)?.length === 0 || key === undefined || key !== schemaKey(taken)) return [];
  // Without results or a job, the outcome of each record stays unknown.
  if (!resultsIn(operation, shape) && !acceptedShape(operation)) return [];
  const noun = recordName(path);
  const sentences = sentencesIn(textOf(operation.spot));
  const isInWords = sentences.some((sentence) => has(sentence, CREATES) && nounsIn(sentence).includes(noun));
  return [
    'schema',
    ...(saysSeveral(operation) ? (['path'] as const) : []),
    ...(isInWords ? (['words'] as const) : []),
  ];
}

type Made = Pick<Resource, 'path' | 'actions' | 'shape'>;

/** The results of a bulk request: one for each record that was sent. */
export interface Results {
  readonly path: readonly string[];
  /** The member of a result with the stored record; undefined: the result is the record. */
  readonly record: string | undefined;
  /** The member of a result with the reason of a refusal; undefined: there is none. */
  readonly error: string | undefined;
  /** The member with the index of the record in the request, and the index of the first one. */
  readonly index: { readonly member: string; readonly first: number } | undefined;
  /** There are as many results as records. */
  readonly each: Basis;
  /** The results are in the order of the request; undefined: the order is not documented. */
  readonly ordered: Basis | undefined;
  /** Each record is stored or refused independently of the others. */
  readonly apart: Basis | undefined;
}

const EACH = [
  ...joined('one|entry|result|item|element', 'for each|per'),
  ...listed('for each|what became of each|as many'),
];
const IN_ORDER = [...joined('same|given|original', 'order|sequence'), 'in order', 'in the order'];
const APART = listed('by itself|by themselves|individually|independently|separately|on its own|partial~');
const PLACES = setOf('index position place');

export function resultsOf(operation: Operation, { shape }: Pick<Resource, 'shape'>): Results | undefined {
  const results = resultsIn(operation, shape);
  if (!results) return undefined;
  const { items, list, path, record } = results;
  const sentences = [operation.spot, ...list.parts].flatMap((spot) => sentencesIn(textOf(spot)));
  const says = (phrases: readonly string[]): Sign[] =>
    sentences.some((sentence) => has(sentence, phrases)) ? ['words'] : [];
  const members = [...items.properties];
  const error =
    record === undefined ? undefined : members.find(([name]) => ERRORS.has(foldedName(name)))?.[0];
  const [index] = members.filter(
    ([name, { mainType }]) => mainType === 'integer' && PLACES.has(foldedName(name)),
  );
  const isSaid = operation.said.facts.results !== undefined;
  const basis = (...signs: readonly Sign[]) => basisOf(isSaid ? ['said'] : signs, list.spot);
  const inOrder = says(IN_ORDER);
  // A result has either the record or the error.
  const isEither = record !== undefined && error !== undefined && !items.required.has(record);
  return {
    path,
    record,
    error,
    index: index && { member: index[0], first: Number(index[1].range.low?.value ?? 0) },
    each: basis('schema', ...says(EACH)),
    ordered: inOrder.length > 0 ? basis('schema', ...inOrder) : undefined,
    apart: isEither ? basis('schema', ...says(APART)) : undefined,
  };
}

function resultsIn(operation: Operation, record: Shape) {
  const answer = answerShape(operation);
  const said = operation.said.facts.results?.split('.');
  const names = answer?.mainType === 'array' ? [] : [...(answer?.properties.keys() ?? [])];
  const paths = said ? [said] : answer?.mainType === 'array' ? [[]] : names.map((name) => [name]);
  for (const path of paths) {
    const list = shapeAt(answer, path);
    const items = list?.items;
    if (!list || !items) continue;
    const member = memberLike(items, record);
    if (member !== undefined || sharesMembers(items, record) || said)
      return { items, list, path, record: member };
  }
  return undefined;
}

/**
 * Whether a body is an array of a collection's records, or of bodies of its create, also in a member with the collection's
 * name.
 */
export function isManyOf(
  operation: Operation,
  { path, shape, actions }: Pick<Resource, 'path' | 'shape' | 'actions'>,
): boolean {
  const isSent = bodyShape(operation)?.mainType === 'array' || withoutSuffix(operation.path) === path;
  const item = isSent ? manyItem(operation) : undefined;
  const made = actions.create && bodyShape(actions.create);
  const isSame = saysSeveral(operation) ? sameRecord : sharesMembers;
  return [shape, made].some((one) => one && item && isSame(item, one));
}
