import { type Basis, basisOf, type Sign } from '../meaning/basis.ts';
import { jobState } from '../meaning/job-state.ts';
import { foldedName, namesIdOf, namesSeveral, setOf, singularName, wordsOf } from '../meaning/names.ts';
import { has, joined, listed, sentencesIn, spoken, textOf } from '../meaning/words.ts';
import { type Operation, pathParameters } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import { isStateName } from './members.ts';
import { lastSegment, recordName } from './paths.ts';
import {
  answerShape,
  bodyShape,
  memberLike,
  memberShape,
  schemaKey,
  shapeAt,
  sharesMembers,
} from './record-schema.ts';
import type { Resource } from './resource.ts';

/** Several records that one request makes, and work that goes on behind a response (202). */

/** Where a body has the records: what is said, the array itself, or its only list of objects. */
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

/** The schema of a record among several in a body. */
export const manyItem = (operation: Operation): Shape | undefined =>
  shapeAt(bodyShape(operation), sentMany(operation) ?? [''])?.items;

/** What the last segment of a path says of several. */
const SEVERAL = setOf('bulk batch many multiple multi mass import imports');
const CREATES = listed('create~|add~|make~|import~|insert~|upload~|store~');

/**
 * What speaks for it that a POST makes several records of a collection: its body lists what the create takes, and its path
 * or its words say so. Fewer than two signs: nothing.
 */
export function makesManySigns(operation: Operation, { path, actions, shape }: Made): readonly Sign[] {
  const { create } = actions;
  const item = manyItem(operation);
  const taken = create && bodyShape(create);
  const own = pathParameters(path);
  if (pathParameters(operation.path).some((name) => !own.includes(name)) || !item || !taken) return [];
  if (sentMany(operation)?.length === 0 || schemaKey(item) === undefined) return [];
  if (schemaKey(item) !== schemaKey(taken)) return [];
  // Else nothing shows what became of each.
  if (!resultsIn(operation, shape) && !acceptedShape(operation)) return [];
  const noun = recordName(path);
  const names = (sentence: string) =>
    sentence
      .trim()
      .split(' ')
      .some((word) => singularName(word) === noun);
  const isInWords = sentencesIn(textOf(operation.spot)).some((one) => has(one, CREATES) && names(one));
  const isInPath = wordsOf(lastSegment(operation.path) ?? '').some((word) => SEVERAL.has(word));
  return ['schema', ...(isInPath ? (['path'] as const) : []), ...(isInWords ? (['words'] as const) : [])];
}

type Made = Pick<Resource, 'path' | 'actions' | 'shape'>;

/** What a response says of each record that was sent. */
export interface Results {
  readonly path: readonly string[];
  /** The member with the record of what was stored; undefined: the result is the record. */
  readonly record: string | undefined;
  /** The member that says why one is refused by itself; undefined: there is none. */
  readonly error: string | undefined;
  /** The member with the place of the record in the request, and the first place. */
  readonly index: { readonly member: string; readonly first: number } | undefined;
  /** As many as were sent. */
  readonly each: Basis;
  /** They are in the order of the request; undefined: that is left open. */
  readonly ordered: Basis | undefined;
  /** Each is stored or refused by itself. */
  readonly apart: Basis | undefined;
}

const EACH = [
  ...joined('one|entry|result|item|element', 'for each|per'),
  ...listed('for each|what became of each|as many'),
];
const IN_ORDER = [...joined('same|given|original', 'order|sequence'), 'in order', 'in the order'];
const APART = listed('by itself|by themselves|individually|independently|separately|on its own|partial~');
const ERRORS = setOf('error errors message reason problem fault failure detail');
const PLACES = setOf('index position place');

export function resultsOf(operation: Operation, { shape }: Pick<Resource, 'shape'>): Results | undefined {
  const found = resultsIn(operation, shape);
  if (!found) return undefined;
  const { items, list, path, record } = found;
  const sentences = [operation.spot, ...list.parts].flatMap((spot) => sentencesIn(textOf(spot)));
  const says = (phrases: readonly string[]): Sign[] =>
    sentences.some((one) => has(one, phrases)) ? ['words'] : [];
  const members = [...items.properties];
  const error =
    record === undefined ? undefined : members.find(([name]) => ERRORS.has(foldedName(name)))?.[0];
  const [index] = members.filter(
    ([name, { mainType }]) => mainType === 'integer' && PLACES.has(foldedName(name)),
  );
  const isSaid = operation.said.facts.results !== undefined;
  const basis = (...signs: readonly Sign[]) => basisOf(isSaid ? ['said'] : signs, list.spot);
  const inOrder = says(IN_ORDER);
  // One form for what is stored, another one for what is not.
  const isEither = record !== undefined && error !== undefined && !items.required.has(record);
  return {
    ...{ path, record, error },
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

/** Work that a 202 has only accepted (RFC 9110 §15.3.3), and where it is looked at. */
export interface Job extends Basis {
  readonly read: Operation;
  /** The path parameter of the read, and the member of the job with its value. */
  readonly parameter: string;
  readonly id: string;
  /** The member with its state, and the values that end it. */
  readonly state: string;
  readonly done: readonly string[];
  readonly failed: readonly string[];
  /** What a job has that is done, and one that failed. */
  readonly result: Outcome | undefined;
  readonly error: Outcome | undefined;
}

export interface Outcome extends Basis {
  readonly member: string;
}

const acceptedShape = ({ responses }: Operation): Shape | undefined =>
  responses.find(({ key }) => key === '202')?.content.find(({ isJson, shape }) => isJson && shape)?.shape;

const RESULTS = setOf('result results output outcome response');

interface Operations {
  readonly operations: readonly Operation[];
}

const jobs = new WeakMap<Operation, { readonly job: Job | undefined }>();

/** The job that an operation starts, where a read shows what its 202 does. Undefined: it starts none. */
export function jobOf(contract: Operations, operation: Operation): Job | undefined {
  const known = jobs.get(operation) ?? { job: readJob(contract, operation) };
  jobs.set(operation, known);
  return known.job;
}

function readJob({ operations }: Operations, operation: Operation): Job | undefined {
  const shape = acceptedShape(operation);
  const said = operation.said.facts.job;
  const facts = typeof said === 'object' ? said : {};
  if (!shape) return undefined;
  const reads = operations.flatMap((read) => {
    const shown = answerShape(read);
    const [parameter, ...more] = pathParameters(read.path);
    const isOne = read.method === 'GET' && parameter !== undefined && more.length === 0;
    return isOne && shown && schemaKey(shown) === schemaKey(shape) ? [{ read, parameter }] : [];
  });
  const [found] = reads;
  if (!found || reads.length > 1) return undefined;
  const id = [found.parameter, 'id'].find((name) => shape.properties.has(name));
  const states = [...shape.properties].filter(
    ([name, { values }]) => isStateName(name) && (values?.length ?? 0) > 1,
  );
  const state = facts.state ?? states[0]?.[0];
  const values = state === undefined ? [] : (memberShape(shape, state)?.values ?? []).map(String);
  const ends = (kind: 'done' | 'failed') => facts[kind] ?? values.filter((value) => jobState(value) === kind);
  const [done, failed] = [ends('done'), ends('failed')];
  if (id === undefined || state === undefined || done.length === 0) return undefined;
  const outcome = (key: 'result' | 'error', own: readonly string[], names: ReadonlySet<string>) => {
    const said = facts[key];
    if (said !== undefined)
      return { member: said, ...basisOf(['said'], operation.said.at('job') ?? operation.spot) };
    return [...shape.properties]
      .flatMap(([member, { parts }]): Outcome | [] => {
        if (!names.has(foldedName(member)) || own.length === 0) return [];
        const texts = [...parts, operation.spot, found.read.spot].map(textOf);
        const isInWords = texts.some((text, at) =>
          sentencesIn(text, /(?<=[.;:!?,])\s/).some(
            (one) =>
              own.some((value) => one.includes(spoken(value))) &&
              (at < parts.length || one.includes(spoken(member))),
          ),
        );
        return {
          member,
          ...basisOf(
            isInWords ? ['name', 'words'] : ['name'],
            shape.properties.get(member)?.spot ?? shape.spot,
          ),
        };
      })
      .at(0);
  };
  return {
    ...{ ...found, id, state, done, failed },
    result: outcome('result', done, RESULTS),
    error: outcome('error', failed, ERRORS),
    ...basisOf(typeof said === 'object' ? ['said'] : ['schema', 'name'], shape.spot),
  };
}

/** What a job has made, as its result says. */
export interface MadeByJob {
  /** The member of the result with their ids. */
  readonly ids: string | undefined;
  /** The members that say how many they are. */
  readonly counts: readonly string[];
  /** It fails where a record names what is not there. */
  readonly fails: Basis | undefined;
}

const COUNTS = listed('number of|count of|how many');
const ABSENT = [...joined('not|not yet', 'exist|found'), ...listed('unknown|no such|invalid|missing')];

/** What a job says of the records that it has made of several in its body. */
export function madeByJob(operation: Operation, job: Job, resource: Resource): MadeByJob {
  const result = job.result && shapeAt(acceptedShape(operation), [job.result.member]);
  const noun = recordName(resource.path);
  const members = [...(result?.properties ?? [])];
  const isOfIds = ([name, { items }]: (typeof members)[number]) =>
    items !== undefined && items.mainType !== 'object' && (namesSeveral(name, noun) || namesIdOf(name, noun));
  const isCount = ([, member]: (typeof members)[number]) =>
    member.mainType === 'integer' &&
    member.parts.some((part) =>
      sentencesIn(textOf(part)).some((one) => has(one, COUNTS) && nouns(one).includes(noun)),
    );
  const isSaid = operation.said.facts.job;
  const fails =
    typeof isSaid === 'object' && isSaid.fails !== undefined
      ? isSaid.fails.includes('parent')
        ? basisOf(['said'], operation.said.at('job') ?? operation.spot)
        : undefined
      : sentencesIn(textOf(operation.spot)).some(
            (one) => has(one, ABSENT) && job.failed.some((value) => one.includes(spoken(value))),
          )
        ? basisOf(['words'], operation.spot)
        : undefined;
  return { ids: members.find(isOfIds)?.[0], counts: members.filter(isCount).map(([name]) => name), fails };
}

const nouns = (sentence: string) => sentence.trim().split(' ').map(singularName);
