import { oncePer } from '../json/once-per.ts';
import { type Basis, basisOf } from '../meaning/basis.ts';
import { foldedName, namesIdOf, namesSeveral, setOf, singularName } from '../meaning/names.ts';
import { has, joined, listed, sentencesIn, spoken, textOf } from '../meaning/words.ts';
import { type Operation, pathParameters } from '../operation.ts';
import type { Shape } from '../schema/shape.ts';
import { isStateName } from './members.ts';
import { recordName } from './paths.ts';
import { answerShape, memberShape, schemaKey, shapeAt } from './record-schema.ts';
import type { Resource } from './resource.ts';

/** What says why something has failed. */
export const ERRORS = setOf('error errors message reason problem fault failure detail');

/** What the states of a job say, folded, as far as documents have words for them. */
const STATES = {
  done: setOf('succeeded success successful complete completed done finished ok ready imported'),
  failed: setOf('failed failure error errored cancelled canceled aborted rejected timedout expired'),
  'under way': setOf('pending queued running waiting accepted started scheduled submitted inprogress'),
} as const;

export type JobState = keyof typeof STATES;

/** Undefined: nothing that is known. */
export function jobState(text: string): JobState | undefined {
  const name = foldedName(text);
  const states = Object.entries(STATES) as [JobState, ReadonlySet<string>][];
  return states.find(([, names]) => names.has(name))?.[0] ?? (name.endsWith('ing') ? 'under way' : undefined);
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

/** The schema of what is only accepted. */
export const acceptedShape = ({ responses }: Operation): Shape | undefined =>
  responses.find(({ key }) => key === '202')?.content.find(({ isJson, shape }) => isJson && shape)?.shape;

const RESULTS = setOf('result results output outcome response');

interface Operations {
  readonly operations: readonly Operation[];
}

/** The job that an operation starts, where a read shows what its 202 does. Undefined: it starts none. */
export const jobOf = ({ operations }: Operations, operation: Operation): Job | undefined =>
  jobBy(operation, operations);

const jobBy = oncePer(readJob);

function readJob(operation: Operation, operations: readonly Operation[]): Job | undefined {
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
