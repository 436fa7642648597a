import { count } from '#spec';
import { SUBJECT, type Subject } from '../laws/law.ts';
import type { Cause } from './cause.ts';
import type { Report } from './report.ts';

/** The problems of an operation, in words. */
const FAMILIES: Readonly<Record<Subject | 'failures', string>> = {
  failures: 'fails with a 5xx',
  statuses: 'answers with other statuses than documented',
  bodies: 'answers with bodies that are not as documented',
  headers: 'answers with headers that are not as documented',
  'invalid input': 'accepts invalid input',
  'valid requests': 'refuses valid requests',
  credentials: 'answers without a valid credential',
  lists: 'lists other records than asked for',
  'records kept': 'does not keep records as they were sent',
  'records removed': 'leaves what should be gone',
  versions: 'does not honour ETags and conditions',
  'at once': 'gets requests at the same time wrong',
  callbacks: 'sends callbacks that are not as documented',
  responses: 'closes the connection without a response',
};

/** The kinds of problems that follow from a root's key rather than its rule. */
const KEYS: readonly (readonly [key: RegExp, of: keyof typeof FAMILIES])[] = [
  [/^server-error\//, 'failures'],
  [/^[a-z-]+\/\d+-for-/, 'statuses'],
  [/^refused\//, 'valid requests'],
];

/** More kinds are counted instead of listed. */
const MOST_FAMILIES = 3;

/** A longer title is replaced by its kind of problem. */
const LONGEST_TITLE = 100;

/**
 * The headline of what is broken: the title of a single cause, else how many operations have which problems. Causes that
 * do not gate are left out. Undefined: nothing is broken.
 */
export function brokenInWords({ causes }: Pick<Report, 'causes'>): string | undefined {
  const broken = causes.filter(({ gates }) => gates);
  const [first, ...others] = broken;
  if (!first) return undefined;
  if (others.length === 0) return withoutExtent(first.title);
  const groups = [...Map.groupBy(broken, (cause) => familyOf(cause) ?? cause.law).values()].toSorted(
    (left, right) => operationsOf(right).length - operationsOf(left).length,
  );
  const rest = groups.slice(MOST_FAMILIES).flat().length;
  const more = rest === 0 ? [] : [count(rest, 'more problem')];
  return [...groups.slice(0, MOST_FAMILIES).map(sentenceOf), ...more].join('; ');
}

function sentenceOf(causes: readonly Cause[]): string {
  const [cause] = causes;
  if (!cause) return '';
  const family = familyOf(cause);
  const operations = operationsOf(causes);
  const title = withoutExtent(cause.title);
  if (causes.length === 1 && (title.length <= LONGEST_TITLE || !family)) return title;
  const does = family ?? `violates ${cause.law}`;
  if (operations.length === 1) return `${/^[A-Z]+ \/\S*/.exec(title)?.[0] ?? operations[0]} ${does}`;
  return `${operations.length} operations ${does.replace(/^(?:(do)es|(\w+)s)/, '$1$2')}`;
}

/** The headline states the number of operations itself, if at all. */
function withoutExtent(title: string): string {
  return title.replace(/: \d+ requests, \d+ operations$/, '');
}

function operationsOf(causes: readonly Cause[]): string[] {
  return [...new Set(causes.flatMap(({ operations }) => operations))];
}

/** A custom rule has no kind of problem. */
function familyOf({ key, law }: Cause): string | undefined {
  const subject = KEYS.find(([pattern]) => pattern.test(key))?.[1] ?? (SUBJECT[law] as Subject | undefined);
  return subject && FAMILIES[subject];
}
