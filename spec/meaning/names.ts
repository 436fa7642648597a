/**
 * Names of documents, however they are written: `ConnectAppSid`, `connect-app-sid` and `connect_app_sid` are one name. Two
 * names are the same if they are equal, else if they are equal when folded, where that is no choice between several.
 */

/** The names that a text has between spaces: a table of names on few lines. */
export const setOf = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Remembers what a function says of texts: a document has few, and says them often. */
export function remembered<Of extends string | readonly string[]>(
  of: (text: string) => Of,
): (text: string) => Of {
  const known = new Map<string, Of>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = of(text);
    if (known.size < MOST_TEXTS && text.length < LONGEST_TEXT) known.set(text, made);
    return made;
  };
}

const MOST_TEXTS = 20_000;
const LONGEST_TEXT = 300;

/** Letters and digits in lower case. */
export const foldedName = remembered((name) => name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase());

/** A word in capitals (`SKU`, `IDs`), or one with at most its first letter in capitals; digits belong to what is before them. */
const WORD = /\p{Lu}+\p{N}*s?(?!\p{Ll})|\p{Lu}?[[\p{L}\p{M}\p{N}]--\p{Lu}]+/gv;

/** The words of a name as they are written: `product`, `SKU` of `productSKU`. */
export const partsOf = (name: string): string[] => name.match(WORD) ?? [];

/** The words of a name in lower case: `page`, `size` of `page[size]`, `page.size`, `pageSize` and `page-size`. */
export const wordsOf = remembered((name): readonly string[] =>
  partsOf(name).map((word) => word.toLowerCase()),
);

/** What each text stands for: `people:person` of a table of pairs on few lines. */
export const pairsOf = (pairs: string): ReadonlyMap<string, string> =>
  new Map(pairs.split(' ').map((pair) => pair.split(':') as [string, string]));

/** Of whole words. */
const IRREGULAR = pairsOf(
  'people:person children:child men:man women:woman feet:foot mice:mouse criteria:criterion indices:index ' +
    'matrices:matrix vertices:vertex analyses:analysis axes:axis shelves:shelf leaves:leaf lives:life wolves:wolf ' +
    'heroes:hero potatoes:potato movies:movie cookies:cookie calories:calorie caches:cache uses:use gases:gas ' +
    'lenses:lens canvases:canvas atlases:atlas menus:menu skus:sku cpus:cpu gpus:gpu apis:api taxis:taxi wikis:wiki ' +
    'kpis:kpi emojis:emoji gas:gas lens:lens canvas:canvas atlas:atlas news:news series:series species:species ' +
    'always:always https:https uris:uri',
);

/** Endings of the plural, and of words that look like one; the first that fits counts. */
const ENDINGS = pairsOf(
  'ss:ss us:us is:is ias:ias iases:ias auses:ause ouses:ouse uses:us sses:ss zzes:z xes:x ches:ch shes:sh ies:y s:',
);

/** One word, or a name written as one, in the singular by the usual endings of English, in lower case. */
export const singular = remembered((word) => {
  const lower = word.toLowerCase();
  const irregular = IRREGULAR.get(lower);
  if (irregular !== undefined) return irregular;
  const [plural, one] = [...ENDINGS].find(([end]) => lower.endsWith(end)) ?? ['', ''];
  const stem = lower.slice(0, lower.length - plural.length);
  // `ties`, `pies`; a letter alone is no word.
  if (plural === 'ies' && stem.length < 2) return `${stem}ie`;
  return stem.length < 2 && plural === 's' ? lower : stem + one;
});

/** A folded name with its last word in the singular: `orderline` of `order-lines`. */
export const singularName = remembered((name) => {
  const words = wordsOf(name);
  return [...words.slice(0, -1), singular(words.at(-1) ?? '')].join('');
});

/** @param sentence spoken words */
export const nounsIn = (sentence: string): string[] => sentence.trim().split(' ').map(singularName);

export function sameName(one: string, other: string): boolean {
  return one === other || (foldedName(one) === foldedName(other) && foldedName(one) !== '');
}

/** The one of several names that is the wanted one: exactly first, else folded where there is no other such name. */
export function findNamed(names: Iterable<string>, wanted: string): string | undefined {
  const folded = foldedName(wanted);
  const found = new Set<string>();
  for (const name of names) {
    if (name === wanted) return wanted;
    if (folded !== '' && foldedName(name) === folded) found.add(name);
  }
  return found.size === 1 ? [...found][0] : undefined;
}

/** What ids are called, the most usual first. */
export const ID_NAMES: readonly string[] = ['id', 'uuid', 'guid', 'gid', 'uid', 'sid', 'pk'];

/** What else names one record, the likeliest first. */
export const NAMES_OF_RECORDS: readonly string[] = ['slug', 'key', 'code', 'name'];

/** The word that a name of ids ends with, in the singular; undefined: it is none of an id. `paid` has no such word. */
export function idWord(name: string): string | undefined {
  const end = singular(wordsOf(name).at(-1) ?? '');
  return ID_NAMES.includes(end) ? end : undefined;
}

/** What an id is of, folded and in the singular: `category` of `category_id`, `categoryId`, `category_uuids`
 * and `id_category`. */
export function idStem(name: string): string | undefined {
  const words = wordsOf(name);
  if (words.length < 2) return undefined;
  if (idWord(name) !== undefined) return singularName(words.slice(0, -1).join('-'));
  return words[0] === 'id' ? singularName(words.slice(1).join('-')) : undefined;
}

/** What an id may be of, for whoever knows the nouns that there are: `petid` needs no border between its words then. */
export function idStems(name: string): string[] {
  const stem = idStem(name);
  if (stem !== undefined) return [stem];
  const one = singular(foldedName(name));
  return ID_NAMES.flatMap((end) =>
    one.length > end.length && one.endsWith(end) ? [one.slice(0, -end.length)] : [],
  );
}

/** Whether a name is that of the id of what a noun in the singular names. */
export const namesIdOf = (name: string, noun: string): boolean => idStems(name).includes(noun);

/** Whether a name is that of what identifies one of what a noun in the singular names: `id`, `petId` or `petKey` of `pet`. */
export function namesOne(name: string, noun: string): boolean {
  const [stem, end = ''] = [wordsOf(name).slice(0, -1).join(''), wordsOf(name).at(-1)];
  return ID_NAMES.includes(end) ? ['', noun].includes(stem) : stem === noun && NAMES_OF_RECORDS.includes(end);
}

/** What may stand behind the name of one to name several. */
const SEVERAL = setOf('list array set name');

/** Whether a name is that of one thing, or of several: `tags`, `tag_list`, `tagNames` and `tag` of `tag`. */
export function namesSeveral(name: string, one: string): boolean {
  const words = wordsOf(name);
  const isWrapped = words.length > 1 && SEVERAL.has(singular(words.at(-1) ?? ''));
  const noun = singularName(one);
  return [words, isWrapped ? words.slice(0, -1) : words].some((its) => singularName(its.join('-')) === noun);
}

/** What stands behind the name of a record where it is sent: `productRequest`. */
const OF_REQUEST = /(?<=.)_?(?:request|dto|data|payload|input|params)$/i;

export const withoutRequest = (name: string): string => name.replace(OF_REQUEST, '');

const FEEDS = setOf('feed timeline stream following subscriptions');
/** Whether a list of this name shows those by whom an account follows. */
export const isFeedName = (name: string): boolean => FEEDS.has(foldedName(name));

const PERSONAL = setOf('cart basket favorite favourite wishlist bookmark');
/** Whether each account has a list of this name for itself. */
export const isPersonalName = (name: string): boolean => PERSONAL.has(singular(foldedName(name)));

const OWN = setOf('my mine mias mios meus minhas');
/** Whether a segment of a path says that what it lists is that of whoever asks: `my-orders`, `mine`. */
export const isOwnName = (segment: string): boolean => wordsOf(segment).some((word) => OWN.has(word));
