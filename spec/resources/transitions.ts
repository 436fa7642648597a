import { oncePer } from '../json/once-per.ts';
import { type Basis, basisOf } from '../meaning/basis.ts';
import { refusedFor } from '../meaning/statuses.ts';
import { has, joined, listed, sentencesIn, spoken, textOf } from '../meaning/words.ts';
import { saidOfRecord } from '../meaning/x-paddock.ts';
import type { Operation } from '../operation.ts';
import { explicitStatuses } from '../response.ts';
import { effectOf } from './effects.ts';
import { memberMeanings } from './members.ts';
import { memberShape, withoutNull } from './record-schema.ts';
import type { Resource } from './resource.ts';

/** The states from which an operation may be called, and the state that it leads to. */
export interface Transition extends Basis {
  readonly operation: Operation;
  /** The member with the state. */
  readonly property: string;
  readonly from: readonly string[];
  /** Undefined: the state stays, or the record is removed. */
  readonly to: string | undefined;
  /** The states from which it must be refused, where a status is documented for that. */
  readonly others: readonly string[];
  readonly refusal: number | undefined;
}

/** The transitions of a collection: as `x-paddock` says, else as the descriptions of operations on one record say. */
export const transitionsOf: (resource: Resource) => readonly Transition[] = oncePer(readTransitions);

/** The member with the state, and its enumeration. */
function statesOf(resource: Resource): { property: string; states: readonly string[] } | undefined {
  const [property] = [...memberMeanings(resource)].find(([, { holds }]) => holds === 'state') ?? [];
  const member = property === undefined ? undefined : memberShape(resource.shape, property);
  const states = (member && withoutNull(member).values)?.filter((value) => typeof value === 'string') ?? [];
  return property === undefined || states.length < 2 ? undefined : { property, states };
}

/** The first state of a new record, as a description says: `A new order is a draft`. */
export function initialState(resource: Resource): (Basis & { property: string; state: unknown }) | undefined {
  const { create } = resource.actions;
  const { property = '', states = [] } = statesOf(resource) ?? {};
  const { facts, at } = saidOfRecord(resource.shape);
  const { first } = facts.members?.[property] ?? {};
  if (first !== undefined)
    return { property, state: first, ...basisOf(['said'], at('members', property) ?? resource.shape.spot) };
  if (!create || states.length === 0) return undefined;
  for (const sentence of sentencesIn(textOf(create.spot))) {
    const [state, ...others] = states.filter((one) => sentence.includes(spoken(one)));
    const isOfAll = has(sentence, BEGINNING) && !has(sentence, [...DENIALS, ...CONDITIONS]);
    if (state !== undefined && others.length === 0 && isOfAll)
      return { property, state, ...basisOf(['words', 'schema'], create.spot) };
  }
  return undefined;
}

const BEGINNING = listed('new|begins|starts|initially|created as|created in|created with');
const CONDITIONS = listed('if|when|where|unless|until|while|may|might|after|once|then|or');

function readTransitions(resource: Resource): Transition[] {
  const { replace, update, remove } = resource.actions;
  const { property, states = [] } = statesOf(resource) ?? {};
  if (property === undefined) return [];
  const said = saidOfRecord(resource.shape).facts.members?.[property]?.transitions;
  const acts = resource.further.flatMap(({ role, operation, parameter }) =>
    role === 'action' && parameter !== undefined ? operation : [],
  );
  return [...acts, replace, update, remove].flatMap((operation) => {
    if (!operation) return [];
    const sets = effectOf(operation, resource)?.sets[property];
    const to = typeof sets === 'string' ? sets : undefined;
    const transitions = said
      ? { to, from: states.filter((state) => to !== undefined && said[state]?.includes(to)) }
      : inWords(operation, states, to, acts.includes(operation));
    if (!transitions || transitions.from.length === 0) return [];
    const usual = explicitStatuses(operation.responses).find((status) => status === 409);
    const refusal = refusedFor(operation, 'state') ?? usual;
    const others = states.filter((state) => !transitions.from.includes(state));
    const basis = basisOf(said ? ['said'] : ['words'], operation.spot);
    return { ...basis, ...transitions, operation, property, others, refusal };
  });
}

/** Phrases that negate a sentence. */
const DENIALS = [
  ...listed('not|no|never|cannot|otherwise|other|others|refused|rejected|fails|except|unless|already'),
  ...joined('is|are', '409|422|400'),
];

/**
 * The transition that a description states: `A draft becomes booked`, or without a new state `Only a draft may be
 * changed`.
 */
function inWords(
  { spot }: Operation,
  states: readonly string[],
  to: string | undefined,
  acts: boolean,
): Pick<Transition, 'from' | 'to'> | undefined {
  for (const sentence of sentencesIn(textOf(spot), /(?<=[.;:!?,])\s/)) {
    if (has(sentence, DENIALS)) continue;
    const named = states
      .filter((state) => sentence.includes(spoken(state)))
      .toSorted((left, right) => sentence.indexOf(spoken(left)) - sentence.indexOf(spoken(right)));
    const target = to ?? (acts && named.length > 1 ? named.at(-1) : undefined);
    const from = named.filter((state) => state !== target);
    if (from.length > 0 && (target !== undefined ? named.includes(target) : has(sentence, ['only'])))
      return { from, to: target };
  }
  return undefined;
}
