import type { Shape } from '../schema/shape.ts';
import { type Basis, basisOf } from './basis.ts';
import { setOf, wordsOf } from './names.ts';
import { isParticiple } from './verb.ts';
import { has, listed, spoken, textOf } from './words.ts';

const TIMES: readonly unknown[] = ['date-time', 'date'];
/** Words in the names of moments that do not name the event. */
const AROUND = setOf('last at on date time datetime timestamp ts utc');
/** Words for the making of a record. */
const MAKING = setOf(
  'create created creation inserted added registration registered uploaded joined ordered order recorded',
);
/** Words for an event with which a record is usually made, or a draft is handed in. */
const ENTERING = setOf('posted submitted submission issued placed opened booked');
/** When a record is made and changed. */
export const EVENTS: ReadonlyMap<string, 'created' | 'changed'> = new Map([
  ...[...MAKING, ...ENTERING].map((word) => [word, 'created'] as const),
  ...[...setOf('update updated modified modification change changed edited touched mtime')].map(
    (word) => [word, 'changed'] as const,
  ),
]);
/** Events that name a moment without another word. */
const ALONE = setOf('created creation updated modified changed mtime');
/** Words for planned events: their moments are set before they happen. */
const PLANNED = setOf(
  'scheduled planned expected estimated promised requested needed required preferred desired',
);

/**
 * The kind of moment that a name stands for: `createdAt`, `last_modified`; `moment` for other past events (`paid_on`).
 * @param isOpen whether a record may lack it: an invoice that may be without `issued_at` is made before it is issued
 */
export function momentOf(
  words: readonly string[],
  member: Shape,
  isOpen = false,
): 'created' | 'changed' | 'moment' | undefined {
  const event = words.filter((word) => !AROUND.has(word));
  const word = event.at(-1) ?? '';
  const isOfTime = TIMES.includes(member.find('format')?.value);
  const kind = event.length === 1 ? EVENTS.get(word) : undefined;
  const isLast = words.includes('last');
  const isMoment = isOfTime || event.length < words.length - (isLast ? 1 : 0);
  const isLater = isLast || (isOpen && ENTERING.has(word));
  if (kind && (isMoment || isLast || ALONE.has(word))) return isLater && kind === 'created' ? 'moment' : kind;
  if (words.join() === 'timestamp') return 'created';
  if (PLANNED.has(event[0] ?? '')) return undefined;
  return isMoment && event.length > 0 && (isLast || isParticiple(word)) ? 'moment' : undefined;
}

/** Whether a text without a format is, by its name, a day without a time: `start_date`, `paidOn`. */
export function namesDay(name: string): boolean {
  const words = wordsOf(name);
  return words[0] === 'date' || DAYS.has(words.at(-1) ?? '');
}

const DAYS = setOf('date day on');

const EPOCH_MILLISECONDS = 1e11;

/** Whether a number counts milliseconds instead of seconds, by an example, a bound, the description or the name. */
export function countsMilliseconds(name: string, shape: Shape): boolean {
  const numbers = [...shape.examples, shape.highest('minimum'), shape.lowest('maximum')];
  const told = numbers.map(Number).find((one) => one > 1e8);
  if (told !== undefined && told < Number.MAX_SAFE_INTEGER) return told > EPOCH_MILLISECONDS;
  const { value } = shape.find('description') ?? {};
  return /milli|\bms\b/i.test(typeof value === 'string' ? value : '') || /(?:_ms|Ms|[mM]illis)$/.test(name);
}

const ANY_OFFSET = listed(
  'whatever the offset|whatever its offset|any offset|any time zone|any timezone|every offset',
);

/** Whether a moment may be sent with any offset from UTC (RFC 3339 §4.2): its format allows it, and its description says so. */
export function takesAnyOffset(member: Shape): Basis | undefined {
  const format = member.find('format');
  if (format?.value !== 'date-time' || !has(spoken(member.parts.map(textOf).join(' ')), ANY_OFFSET))
    return undefined;
  return basisOf(['schema', 'words'], format.spot);
}
