import { bodyMedia, isRecord, type Operation } from '#spec';
import { membersIn } from '../laws/blame.ts';
import type { Path } from '../run/recipe.ts';
import { changedAt } from './recipe.ts';

/** What a refusal says that is about dates: `start time must be before end time`. */
const ABOUT_DATES =
  /\b(?:dates?|times?|timestamps?|past|future|expir(?:es?|ed|y|ation)|deadline|start\w*|end\w*|before|after|earlier|later|until|since)\b/i;

export const isAboutDates = (text: string): boolean => ABOUT_DATES.test(text);

const HOUR = 3_600_000;
const BEGINS = /start|begin|from|since|open|depart|arrival|check_?in/i;
const ENDS = /end|until|expir|close|finish|stop|due|deadline|return|check_?out|(?:^|_)to$|To$/;

/** The dates of a body, in the order in which they should be; undefined: those that nothing says it of. */
export function datesIn(operation: Operation, body: unknown): { path: Path; isDay: boolean }[] {
  const shape = bodyMedia(operation.body)?.shape;
  const dates = (shape && isRecord(body) ? membersIn(shape, body, []) : []).flatMap(
    ({ path, name, shape, value }) => {
      const format = shape.find('format')?.value;
      if (value === undefined || shape.values || (format !== 'date' && format !== 'date-time')) return [];
      return [{ path, isDay: format === 'date', rank: BEGINS.test(name) ? 0 : ENDS.test(name) ? 2 : 1 }];
    },
  );
  return dates.toSorted((one, other) => one.rank - other.rank);
}

/** The body with dates ahead, a day apart: services that plan something refuse those that are over. */
export function withDatesAhead(operation: Operation, body: unknown, now: Date): unknown {
  return datesIn(operation, body).reduce((changed, { path, isDay }, index) => {
    const date = new Date(now.getTime() + HOUR + (index + (isDay ? 1 : 0)) * 24 * HOUR);
    const text = date.toISOString();
    return changedAt(changed, path, () => (isDay ? text.slice(0, 10) : text));
  }, body);
}
