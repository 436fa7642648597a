import type { Break } from './break.ts';
import type { Sent } from './draft.ts';
import { type Answer, type Twins, worked } from './twins.ts';

/** What both mocks respond to the same request. */
export interface Answers {
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
