import { pairsOf, setOf, singular, wordsOf } from './names.ts';

/** Irregular past participles and their verbs. */
const IRREGULAR = pairsOf(
  'begun:begin bought:buy built:build chosen:choose done:do drawn:draw frozen:freeze given:give held:hold hidden:hide ' +
    'kept:keep left:leave lent:lend lost:lose made:make met:meet paid:pay read:read run:run seen:see sent:send ' +
    'shown:show sold:sell spent:spend taken:take won:win withdrawn:withdraw written:write',
);
/** Nouns whose verb does not follow from an ending. */
const NOUNS = pairsOf('publication:publish subscription:subscribe submission:submit registration:register');

/** Endings to strip from a word, one after the other, while three letters remain; the first that fits counts. */
const ENDINGS = 'ication ation ating ated ment ing ied ate ion ed er al e y'.split(' ');

/** A stem that all forms of a verb share: `cancel`, `cancelled`, `cancelling`, `cancellation`. */
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

/** Whether a word is a past participle: `paid`, `shipped`. */
export const isParticiple = (word: string): boolean => /[a-z]{2}ed$/.test(word) || IRREGULAR.has(word);

const PARTICIPLES: ReadonlyMap<string, string> = new Map([...IRREGULAR].map(([done, verb]) => [verb, done]));

/** The past participle of a verb: `cancelled`, `paid`. */
export function participleOf(verb: string): string {
  const irregular = PARTICIPLES.get(verb);
  if (irregular !== undefined) return irregular;
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`;
  if (verb.endsWith('e')) return `${verb}d`;
  return /(?:^|[^aeiou])[aeiou][bglmnpt]$/.test(verb) && !/(?:en|[^m]it|et)$/.test(verb)
    ? `${verb}${verb.at(-1)}ed`
    : `${verb}ed`;
}

/** Words around the verb in a name. */
const AROUND = setOf('toggle mark set make as to is has was be do at on date time all');

/** The stem of the verb in a name: `ship` for `mark-as-shipped`, `checkin` for `checked_in`. */
export function verbOf(name: string): string {
  const words = wordsOf(name);
  const verbs = words.filter((word) => !AROUND.has(word));
  return (verbs.length > 0 ? verbs : words).map(stemOf).join('');
}

/** Prefixes that turn a verb into its opposite. */
const OPPOSITES = ['un', 'dis', 'de', 'in'];

/** The verb that an opposite reverts: `publish` for `unpublish`, `able` for `disable`. Undefined: it is no opposite. */
export function takenBack(verb: string): string | undefined {
  const prefix = OPPOSITES.find((one) => verb.startsWith(one) && verb.length - one.length >= 3);
  return prefix === undefined ? undefined : verb.slice(prefix.length);
}

/** Whether two stems mean the same verb: `enable` and the `able` of `disable`, `reopen` and `open`. */
export const isVerb = (one: string, verb: string): boolean =>
  ['', 'en'].some((start) => one === start + verb) || `re${one}` === verb;

export type RecordChange = 'created' | 'changed' | 'removed';

/** Verbs for changes of records: those that also begin path segments, then those that only names of events and streams have. */
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

/** The change that a word means: `creation` and `Added` mean `created`. Undefined: none. */
export const changeOf = (word: string): RecordChange | undefined => CHANGES.get(stemOf(word));

/** Verbs that may begin a path segment, exactly as written: `registrations` is a noun. */
export const VERBS_OF_PATHS: ReadonlyMap<string, RecordChange | 'read'> = new Map(
  [...VERBS, ['read', READS] as const].flatMap(([change, verbs]) =>
    verbs.split(' ').map((verb) => [verb, change] as const),
  ),
);
