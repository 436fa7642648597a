import type { Shape } from '../schema/shape.ts';
import { setOf, wordsOf } from './names.ts';
import { isParticiple } from './verb.ts';

const TIMES: ReadonlySet<unknown> = new Set(['date-time', 'date']);
/** What names of moments end with. */
const ENDS = setOf('at on date time datetime timestamp ts utc');
/** When a record is made and changed, by what is before these. */
export const EVENTS: ReadonlyMap<string, 'created' | 'changed'> = new Map([
  ...[
    ...setOf('create created creation inserted added posted submitted submission registered registration'),
    ...setOf('uploaded joined issued placed ordered order recorded opened booked'),
  ].map((word) => [word, 'created'] as const),
  ...[...setOf('update updated modified modification change changed edited touched')].map(
    (word) => [word, 'changed'] as const,
  ),
]);
/** The same by the whole name. */
const ALONE: Readonly<Record<string, 'created' | 'changed' | 'moment'>> = {
  ...{ created: 'created', creation: 'created', timestamp: 'created', ctime: 'created' },
  ...{ updated: 'changed', modified: 'changed', changed: 'changed', mtime: 'changed', atime: 'moment' },
};
/** What is planned has a moment before it happens. */
const PLANNED = setOf(
  'scheduled planned expected estimated promised requested needed required preferred desired',
);

/** `createdAt`, `last_modified`, `date_updated`, `paid_on`; of other moments only those of what has happened. */
export function momentOf(
  given: readonly string[],
  member: Shape,
): 'created' | 'changed' | 'moment' | undefined {
  const [, participle, end] =
    (given.length === 1 && /^(.{3,}ed)(at|on|date|time)$/.exec(given[0] ?? '')) || [];
  const words = participle && end ? [participle, end] : given;
  const alone = words.length === 1 ? ALONE[words[0] as string] : undefined;
  if (alone) return alone;
  const isOfTime = TIMES.has(member.find('format')?.value);
  const from = words[0] === 'date' || words[0] === 'time' ? 1 : 0;
  const isLast = words[from] === 'last' || words[from] === 'latest';
  const to = words.findLastIndex((word) => !ENDS.has(word)) + 1;
  const event = words.slice(from + (isLast ? 1 : 0), to);
  const hasEnd = from > 0 || to < words.length;
  const [word = '', ...more] = event;
  if (event.length === 0) return hasEnd && member.readOnly && isOfTime ? 'created' : undefined;
  const known = more.length === 0 && (hasEnd || isLast || isOfTime) ? EVENTS.get(word) : undefined;
  if (known === 'changed' || (known && !isLast)) return known;
  if (PLANNED.has(word)) return undefined;
  if (isLast) return hasEnd || isOfTime || isParticiple(event.at(-1) ?? '') ? 'moment' : undefined;
  const happened = isParticiple(event.at(-1) ?? '') || event.at(-1) === 'login';
  return happened && (hasEnd || isOfTime) ? 'moment' : undefined;
}

/** Whether a text that says nothing else of its form is a day without a time: `start_date`, `paidOn`. */
export function namesDay(name: string): boolean {
  const words = wordsOf(name);
  return words[0] === 'date' || DAYS.has(words.at(-1) ?? '');
}

const DAYS = setOf('date day on');

const EPOCH_MILLISECONDS = 1e11;

/** By an example, a bound, the description or the name. */
export function countsMilliseconds(name: string, shape: Shape): boolean {
  const numbers = [...shape.examples, shape.highest('minimum'), shape.lowest('maximum')];
  const told = numbers.map(Number).find((one) => one > 1e8);
  if (told !== undefined && told < Number.MAX_SAFE_INTEGER) return told > EPOCH_MILLISECONDS;
  const { value } = shape.find('description') ?? {};
  return /milli|\bms\b/i.test(typeof value === 'string' ? value : '') || /(?:_ms|Ms|[mM]illis)$/.test(name);
}
