import { pairsOf, setOf, singular, wordsOf } from './names.ts';

/** Past participles that no ending makes, and their verbs. */
const IRREGULAR = pairsOf(
  'begun:begin bought:buy built:build chosen:choose done:do drawn:draw frozen:freeze given:give held:hold hidden:hide ' +
    'kept:keep left:leave lent:lend lost:lose made:make met:meet paid:pay read:read run:run seen:see sent:send ' +
    'shown:show sold:sell spent:spend taken:take won:win withdrawn:withdraw written:write',
);
/** Nouns that no ending makes a verb of. */
const NOUNS = pairsOf('publication:publish subscription:subscribe submission:submit registration:register');

/** What is taken off a word, one after the other, as long as three letters are left; the first that fits counts. */
const ENDINGS = 'ication ation ating ated ment ing ied ate ion ed er al e y'.split(' ');

/** One form of a verb for all others: of `publish`, `published`, `publishing`, `cancel`, `cancelled` and `cancellation`. */
export function stemOf(word: string): string {
  const single = singular(word);
  let stem = IRREGULAR.get(single) ?? NOUNS.get(single) ?? single;
  for (;;) {
    const end = ENDINGS.find((one) => stem.endsWith(one) && stem.length - one.length >= 3);
    const next = (end === undefined ? stem : stem.slice(0, -end.length)).replace(/(.)\1$/, '$1');
    if (next === stem) return stem;
    stem = next;
  }
}

/** Whether a word says that something has happened: `paid`, `shipped`. */
export const isParticiple = (word: string): boolean => /[a-z]{2}ed$/.test(word) || IRREGULAR.has(word);

const PARTICIPLES: ReadonlyMap<string, string> = new Map([...IRREGULAR].map(([done, verb]) => [verb, done]));

/** What is said of what a verb has been done to: `cancelled`, `paid`. */
export function participleOf(verb: string): string {
  const known = PARTICIPLES.get(verb);
  if (known !== undefined) return known;
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`;
  if (verb.endsWith('e')) return `${verb}d`;
  return /(?:^|[^aeiou])[aeiou][bglmnpt]$/.test(verb) && !/(?:en|[^m]it|et)$/.test(verb)
    ? `${verb}${verb.at(-1)}ed`
    : `${verb}ed`;
}

/** What is put before a verb, and before what is done. */
const AROUND = setOf('mark set make as to is has was be do at on date time all');

/** What a name has of a verb: `ship` of `mark-as-shipped`, `checkin` of `checked_in`. */
export function verbOf(name: string): string {
  const words = wordsOf(name);
  const own = words.filter((word) => !AROUND.has(word));
  return (own.length > 0 ? own : words).map(stemOf).join('');
}

/** What turns a verb into its opposite. */
const OPPOSITES = ['un', 'dis', 'de', 'in'];

/** What a verb takes back: `publish` of `unpublish`, `able` of `disable`. Undefined: it is no opposite. */
export function takenBack(verb: string): string | undefined {
  const prefix = OPPOSITES.find((one) => verb.startsWith(one) && verb.length - one.length >= 3);
  return prefix === undefined ? undefined : verb.slice(prefix.length);
}

/** Whether two verbs are one: `enable` beside the `able` of `disable`, and `open` for `reopen`. */
export const isVerb = (one: string, verb: string): boolean =>
  ['', 'en'].some((start) => one === start + verb) || `re${one}` === verb;

export type RecordChange = 'created' | 'changed' | 'removed';

/** What is done to records: in the words that paths begin a segment with as well, and in others of events and streams alone. */
const VERBS = [
  ['created', 'create add new insert save register upload', 'open place submit'],
  ['changed', 'update change edit modify', 'replace patch upsert status state progress'],
  ['removed', 'delete remove destroy', 'drop gone'],
] as const;
const READS = 'get read show view detail details find fetch list all index my mine';

const CHANGES: ReadonlyMap<string, RecordChange> = new Map(
  VERBS.flatMap(([change, ...verbs]) =>
    verbs.flatMap((some) => some.split(' ')).map((verb) => [stemOf(verb), change] as const),
  ),
);

/** What a word says of a record: `creation` and `Added` that it is made. Undefined: nothing of the kind. */
export const changeOf = (word: string): RecordChange | undefined => CHANGES.get(stemOf(word));

/** What the first word of a segment of a path may say that is done. Only as it is written: `registrations` are things. */
export const VERBS_OF_PATHS: ReadonlyMap<string, RecordChange | 'read'> = new Map(
  [...VERBS, ['read', READS] as const].flatMap(([change, verbs]) =>
    verbs.split(' ').map((verb) => [verb, change] as const),
  ),
);
