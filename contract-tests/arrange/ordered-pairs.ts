import { isRecord, setOf, wordsOf } from '#spec';

type Data = Readonly<Record<string, unknown>>;

/** Words in the names of two members of one object, of which the first never comes after the second. */
const PAIRS: readonly (readonly string[])[][] = [
  [
    'start starts started starting begin begins from since after opens opening',
    'end ends ended ending finish finishes finished stop stops to until till before closes closing',
  ],
  ['min minimum lower low least smallest', 'max maximum upper high most largest'],
  ['earliest first oldest', 'latest last newest'],
  ['created creation issued', 'updated modified modification changed expires expired expiry expiration'],
  ['start starts from valid', 'expires expiry expiration due deadline'],
  ['departure departs departed', 'arrival arrives arrived'],
  ['in checkin pickup', 'out checkout return'],
].map((pair) => pair.map((names) => names.split(' ')));

/** 0 for the name of what comes first, 2 for that of what comes after something, 1 for any other. */
export function placeInPair(name: string): 0 | 1 | 2 {
  const isIn = (side: 0 | 1) =>
    wordsOf(name).some((word) => PAIRS.some((pair) => pair[side]?.includes(word)));
  return isIn(0) ? 0 : isIn(1) ? 2 : 1;
}

/** What ends of itself: a service may refuse an end that is in the past. */
const ENDS = setOf('end ends until till expires expiry expiration deadline due');

/** What begins with it: a service may put a beginning that is in the past off to the present. */
const BEGINS = setOf('start starts begin begins from');

/** In years: before 2038, whatever counts seconds in 31 bits. */
const LATER = 10;

const DATE = /^(\d{4})(-\d\d-\d\d(?:[Tt ].*)?)$/;

/**
 * A value with its dates, times and numbers in order: what begins does not begin after it has ended, and what ends, ends
 * later, as what begins with it does. The schemas of two members say nothing of each other, and yet no service takes an end
 * before its beginning.
 */
export function inOrder(value: unknown, given: Data = {}): unknown {
  if (Array.isArray(value)) return value.map((item) => inOrder(item, given));
  if (!isRecord(value)) return value;
  const ends = Object.keys(value)
    .filter(isEnd)
    .map((name) => wordsOf(name).join(' '));
  const isLater = (name: string) =>
    isEnd(name) || (has(BEGINS, name) && counterparts(name).some((words) => ends.includes(words)));
  const inner = Object.entries(value).map(([name, member]): [string, unknown] => [
    name,
    isLater(name) && !(name in given) ? later(member) : inOrder(member, given),
  ]);
  return swapPairs(Object.fromEntries(inner), given);
}

function swapPairs(value: Data, given: Data): Data {
  const ordered: Record<string, unknown> = { ...value };
  const names = new Map(Object.keys(value).map((name) => [wordsOf(name).join(' '), name]));
  for (const name of names.values()) {
    const second = counterparts(name).flatMap((words) => names.get(words) ?? [])[0];
    if (second === undefined || name in given || second in given) continue;
    if (!isAfter(ordered[name], ordered[second])) continue;
    [ordered[name], ordered[second]] = [ordered[second], ordered[name]];
  }
  return ordered;
}

/** The names, as words, that the second of a pair may have whose first has this name. */
function counterparts(name: string): string[] {
  const words = wordsOf(name);
  // Not before an instant: from then on.
  if (words.includes('not'))
    return words.includes('before') ? [words.join(' ').replace('before', 'after')] : [];
  return words.flatMap((word, index) =>
    PAIRS.filter(([first]) => first?.includes(word)).flatMap(([, second = []]) =>
      second.map((other) => words.with(index, other).join(' ')),
    ),
  );
}

const isEnd = (name: string) => has(ENDS, name);

function has(words: ReadonlySet<string>, name: string): boolean {
  return wordsOf(name).some((word) => words.has(word));
}

function later(value: unknown): unknown {
  if (typeof value !== 'string') return inOrder(value);
  // There is no 29 February ten years later.
  return value.replace(DATE, (_, year: string, rest: string) => {
    return `${Number(year) + LATER}${rest.replace(/^-02-29/, '-02-28')}`;
  });
}

function isAfter(first: unknown, second: unknown): boolean {
  const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint';
  if (isNumber(first) && isNumber(second)) return (first as number) > (second as number);
  if (typeof first !== 'string' || typeof second !== 'string') return false;
  const isMoment = (text: string) => DATE.test(text) || /^\d\d:\d\d/.test(text);
  return isMoment(first) && isMoment(second) && first > second;
}
