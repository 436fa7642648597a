import { oncePer } from '../json/once-per.ts';
import { type Basis, basisOf } from '../meaning/basis.ts';
import { foldedName, namesIdOf, namesSeveral, nounsIn, setOf } from '../meaning/names.ts';
import { has, joined, listed, sentencesIn, spoken, textOf } from '../meaning/words.ts';
import { type Operation, pathParameters } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import { isStateName } from './members.ts';
import { recordName } from './paths.ts';
import { answerShape, memberShape, memberWith, schemaKey, shapeAt } from './record-schema.ts';
import type { Described, Resource } from './resource.ts';

/** Names of members with an error. */
export const ERRORS = setOf('error errors message reason problem fault failure detail');

/** The usual words for the states of a job, folded. */
const STATES = {
  done: setOf('succeeded success successful complete completed done finished ok ready imported'),
  failed: setOf('failed failure error errored cancelled canceled aborted rejected timedout expired'),
  'under way': setOf('pending queued running waiting accepted started scheduled submitted inprogress'),
} as const;

export type JobState = keyof typeof STATES;

/** Undefined: an unknown state. */
export function jobState(text: string): JobState | undefined {
  const name = foldedName(text);
  const states = Object.entries(STATES) as [JobState, ReadonlySet<string>][];
  return states.find(([, names]) => names.has(name))?.[0] ?? (name.endsWith('ing') ? 'under way' : undefined);
}

/** A job that a 202 has accepted (RFC 9110 §15.3.3), and the operation that reads it. */
export interface Job extends Basis {
  readonly read: Operation;
  /** The path parameter of the read, and the member of the job with its value. */
  readonly parameter: string;
  readonly id: string;
  /** The member with its state, and the values that end it. */
  readonly state: string;
  readonly done: readonly string[];
  readonly failed: readonly string[];
  /** The members with the result of a job, and with its error. */
  readonly result: Outcome | undefined;
  readonly error: Outcome | undefined;
}

export interface Outcome extends Basis {
  readonly member: string;
}

/** The schema of a 202's body. */
export const acceptedShape = ({ responses }: Operation): Shape | undefined =>
  responses.find(({ key }) => key === '202')?.content.find(({ isJson, shape }) => isJson && shape)?.shape;

const RESULTS = setOf('result results output outcome response resulturl downloadurl fileurl outputurl');

/** The job that an operation starts, where another operation reads what its 202 returns. Undefined: it starts none. */
export const jobOf = oncePer(readJob);

function readJob(operation: Operation, { operations }: Pick<Described, 'operations'>): Job | undefined {
  const shape = acceptedShape(operation);
  const said = operation.said.facts.job;
  const facts = typeof said === 'object' ? said : {};
  if (!shape) return undefined;
  const reads = operations.flatMap((read) => {
    const jobShape = answerShape(read);
    const [parameter, ...more] = pathParameters(read.path);
    const isOne = read.method === 'GET' && parameter !== undefined && more.length === 0;
    return isOne && jobShape && schemaKey(jobShape) === schemaKey(shape) ? [{ read, parameter }] : [];
  });
  const [jobRead] = reads;
  if (!jobRead || reads.length > 1) return undefined;
  const id = [jobRead.parameter, 'id'].find((name) => shape.properties.has(name));
  const isState = (name: string, { values }: Shape) => isStateName(name) && (values?.length ?? 0) > 1;
  const state = facts.state ?? memberWith(shape, isState);
  const values = state === undefined ? [] : (memberShape(shape, state)?.values ?? []).map(String);
  const ends = (kind: 'done' | 'failed') => facts[kind] ?? values.filter((value) => jobState(value) === kind);
  const [done, failed] = [ends('done'), ends('failed')];
  if (id === undefined || state === undefined || done.length === 0) return undefined;
  const outcome = (key: 'result' | 'error', ends: readonly string[], names: ReadonlySet<string>) => {
    const told = facts[key];
    if (told !== undefined) return { member: told, ...basisOf(['said'], saidAt(operation)) };
    const name = ends.length > 0 ? memberWith(shape, (one) => names.has(foldedName(one))) : undefined;
    const member = name === undefined ? undefined : shape.properties.get(name);
    if (name === undefined || !member) return undefined;
    const { parts, spot } = member;
    const isInWords = [...parts, operation.spot, jobRead.read.spot].some((part, at) =>
      sentencesIn(textOf(part), /(?<=[.;:!?,])\s/).some(
        (sentence) =>
          ends.some((value) => sentence.includes(spoken(value))) &&
          (at < parts.length || sentence.includes(spoken(name))),
      ),
    );
    return { member: name, ...basisOf(['name', isInWords && 'words'], spot) };
  };
  return {
    ...jobRead,
    id,
    state,
    done,
    failed,
    result: outcome('result', done, RESULTS),
    error: outcome('error', failed, ERRORS),
    ...basisOf(typeof said === 'object' ? ['said'] : ['schema', 'name'], shape.spot),
  };
}

const saidAt = ({ said, spot }: Operation) => said.at('job') ?? spot;

/** What a job's result says about the records that it created. */
export interface MadeByJob {
  /** The member of the result with their ids. */
  readonly ids: string | undefined;
  /** The members with their count. */
  readonly counts: readonly string[];
  /** The job fails if a record refers to a missing one. */
  readonly fails: Basis | undefined;
}

const COUNTS = listed('number of|count of|how many');
const ABSENT = [...joined('not|not yet', 'exist|found'), ...listed('unknown|no such|invalid|missing')];

/** What a job's result says about the records that it created from several in its body. */
export function madeByJob(operation: Operation, job: Job, resource: Resource): MadeByJob {
  const result = job.result && shapeAt(acceptedShape(operation), [job.result.member]);
  const noun = recordName(resource.path);
  const isOfIds = (name: string, { items }: Shape) =>
    items !== undefined && items.mainType !== 'object' && (namesSeveral(name, noun) || namesIdOf(name, noun));
  const counts = [...(result?.properties ?? [])].flatMap(([name, { mainType, parts }]) => {
    const sentences = mainType === 'integer' ? parts.flatMap((part) => sentencesIn(textOf(part))) : [];
    return sentences.some((sentence) => has(sentence, COUNTS) && nounsIn(sentence).includes(noun))
      ? [name]
      : [];
  });
  return { ids: memberWith(result, isOfIds), counts, fails: failsOf(operation, job) };
}

function failsOf(operation: Operation, { failed }: Job): Basis | undefined {
  const { job: said } = operation.said.facts;
  if (typeof said === 'object' && said.fails !== undefined)
    return said.fails.includes('parent') ? basisOf(['said'], saidAt(operation)) : undefined;
  const isFailing = (sentence: string) =>
    has(sentence, ABSENT) && failed.some((value) => sentence.includes(spoken(value)));
  return sentencesIn(textOf(operation.spot)).some(isFailing) ? basisOf(['words'], operation.spot) : undefined;
}
