import { bodyMedia, isRecord, type Operation } from '#spec';
import { membersIn } from '../laws/blame.ts';
import type { Path } from '../run/recipe.ts';
import { placeInPair } from './ordered-pairs.ts';
import { changedAt } from './recipe.ts';

const HOUR = 3_600_000;
/** The dates of a body, in the order in which they should be; undefined: those that nothing says it of. */
export function datesIn(operation: Operation, body: unknown): { path: Path; isDay: boolean }[] {
  const shape = bodyMedia(operation.body)?.shape;
  const dates = (shape && isRecord(body) ? membersIn(shape, body, []) : []).flatMap(
    ({ path, name, shape, value }) => {
      const format = shape.find('format')?.value;
      if (value === undefined || shape.values || (format !== 'date' && format !== 'date-time')) return [];
      return [{ path, isDay: format === 'date', rank: placeInPair(name) }];
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
