import type { LawName } from '#contract-tests';
import { type Operation, type Place, placeOf, type Spot } from '#spec';
import type { Change } from './changes/change.ts';
import type { Sent } from './draft.ts';
import { type Answer, type Twins, worked } from './twins.ts';

/** A promise of OLD that clients may rely on, and that NEW does not keep. */
export interface Break {
  readonly operation: Operation;
  /** The affected documented status. */
  readonly status: number;
  readonly law: LawName;
  /** The change in the documents that it belongs to; undefined: it was found by running. */
  readonly change: Change | undefined;
  /** The affected part of the operation, in the form of changes, and the place in it; undefined: the operation. */
  readonly site: BreakSite | undefined;
  /** What NEW does, or may do. */
  readonly received: string;
  /** What OLD documents. */
  readonly documented: string;
  /** The position in OLD. */
  readonly at: Place;
  readonly oldSpot: Spot;
  readonly newAt: Place;
  /** A request that works with OLD, and the responses of both mocks to it; undefined: it is about a response. */
  readonly request: Sent | undefined;
  readonly answers: { readonly old: Answer | undefined; readonly new: Answer | undefined } | undefined;
}

export interface BreakSite {
  readonly within: string;
  readonly steps: readonly string[];
  /** A JSON Schema keyword. */
  readonly keyword: string;
}

/** A part that was not compared. */
export interface Warning {
  readonly operation: Operation;
  readonly text: string;
  readonly at: Place;
}

/** The first documented success status; 200 if there is none. */
export function firstSuccess({ responses }: Operation): number {
  const [first = 200] = responses.map(({ key }) => Number(key)).filter((key) => key < 400);
  return first;
}

/** The common members of an operation's breaks, at a place of OLD and one of NEW. */
export function breakAt(
  operation: Operation,
  oldSpot: Spot,
  newAt: Place,
): Omit<Break, 'received' | 'documented' | 'request' | 'answers'> {
  return {
    operation,
    status: firstSuccess(operation),
    law: 'status',
    change: undefined,
    site: undefined,
    at: placeOf(oldSpot),
    oldSpot,
    newAt,
  };
}

/** The responses of both mocks to the same request. */
interface Answers {
  readonly old: Answer | undefined;
  readonly new: Answer | undefined;
}

export async function answersTo({ sendOld, sendNew }: Twins, sent: Sent): Promise<Answers> {
  return { old: await sendOld(sent), new: await sendNew(sent) };
}

/** The request, if it proves the break: it works with OLD, and not with NEW. */
export function evidenceOf(
  sent: Sent | undefined,
  answers: Answers | undefined,
): Pick<Break, 'request' | 'answers'> {
  const isShown = answers !== undefined && worked(answers.old) && !worked(answers.new);
  return isShown ? { request: sent, answers } : { request: undefined, answers: undefined };
}
