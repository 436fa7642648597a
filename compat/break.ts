import type { LawName } from '#contract-tests';
import { type Operation, type Place, placeOf, type Spot } from '#spec';
import type { Change } from './changes/change.ts';
import type { Sent } from './draft.ts';
import { type Answer, type Twins, worked } from './twins.ts';

/** Something of OLD that a client may rely on, and that NEW no longer keeps. */
export interface Break {
  readonly operation: Operation;
  /** The documented status that is concerned. */
  readonly status: number;
  readonly law: LawName;
  /** What the documents say of it already; undefined: running has found it. */
  readonly change: Change | undefined;
  /** Which part of the operation, as changes name it, and where in it; undefined: the operation. */
  readonly site: BreakSite | undefined;
  /** What NEW does, or may do. */
  readonly received: string;
  /** What OLD says. */
  readonly documented: string;
  /** The line of OLD. */
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
  /** Of JSON Schema. */
  readonly keyword: string;
}

/** What was not compared. */
export interface Warning {
  readonly operation: Operation;
  readonly text: string;
  readonly at: Place;
}

/** The documented status of success that stands first; 200 where there is none. */
export function firstSuccess({ responses }: Operation): number {
  const [first = 200] = responses.map(({ key }) => Number(key)).filter((key) => key < 400);
  return first;
}

/** What every break of an operation has, at a place of OLD and one of NEW. */
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

/** What both mocks respond to the same request. */
interface Answers {
  readonly old: Answer | undefined;
  readonly new: Answer | undefined;
}

export async function answersTo({ sendOld, sendNew }: Twins, sent: Sent): Promise<Answers> {
  return { old: await sendOld(sent), new: await sendNew(sent) };
}

/** The request, where it shows what is broken: it works with OLD, and no longer does. */
export function evidenceOf(
  sent: Sent | undefined,
  answers: Answers | undefined,
): Pick<Break, 'request' | 'answers'> {
  const isShown = answers !== undefined && worked(answers.old) && !worked(answers.new);
  return isShown ? { request: sent, answers } : { request: undefined, answers: undefined };
}
