/**
 * Names of documents, however they are written: `ConnectAppSid`, `connect-app-sid` and `connect_app_sid` are one name. Two
 * names are the same if they are equal, else if they are equal when folded, where that is no choice between several.
 */

/** A set of names from a text with spaces between them. */
export const setOf = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Caches the results of a function of a text: documents repeat the same few texts. */
export function remembered<Of extends string | readonly string[]>(
  of: (text: string) => Of,
): (text: string) => Of {
  const results = new Map<string, Of>();
  return (text) => {
    const cached = results.get(text);
    if (cached !== undefined) return cached;
    const made = of(text);
    if (results.size < MOST_TEXTS && text.length < LONGEST_TEXT) results.set(text, made);
    return made;
  };
}

const MOST_TEXTS = 20_000;
const LONGEST_TEXT = 300;

/** Letters and digits in lower case. */
export const foldedName = remembered((name) => name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase());

/** A word in capitals (`SKU`, `IDs`), or one that begins with at most one capital; digits belong to the word before them. */
const WORD = /\p{Lu}+\p{N}*s?(?!\p{Ll})|\p{Lu}?[[\p{L}\p{M}\p{N}]--\p{Lu}]+/gv;

/** The words of a name as they are written: `product`, `SKU` of `productSKU`. */
export const partsOf = (name: string): string[] => name.match(WORD) ?? [];

/** The words of a name in lower case: `page`, `size` of `page[size]`, `page.size`, `pageSize` and `page-size`. */
export const wordsOf = remembered((name): readonly string[] =>
  partsOf(name).map((word) => word.toLowerCase()),
);

/** A map from a text of pairs such as `people:person`. */
export const pairsOf = (pairs: string): ReadonlyMap<string, string> =>
  new Map(pairs.split(' ').map((pair) => pair.split(':') as [string, string]));

/** Irregular plurals, and words that only look like plurals. */
const IRREGULAR = pairsOf(
  'people:person children:child men:man women:woman feet:foot mice:mouse criteria:criterion indices:index ' +
    'matrices:matrix vertices:vertex analyses:analysis axes:axis shelves:shelf leaves:leaf lives:life wolves:wolf ' +
    'heroes:hero potatoes:potato movies:movie cookies:cookie calories:calorie caches:cache uses:use gases:gas ' +
    'lenses:lens canvases:canvas atlases:atlas menus:menu skus:sku cpus:cpu gpus:gpu apis:api taxis:taxi wikis:wiki ' +
    'kpis:kpi emojis:emoji gas:gas lens:lens canvas:canvas atlas:atlas news:news series:series species:species ' +
    'always:always https:https uris:uri',
);

/** Endings of plurals, and of words that look like plurals; the first that fits counts. */
const ENDINGS = pairsOf(
  'ss:ss us:us is:is ias:ias iases:ias auses:ause ouses:ouse uses:us sses:ss zzes:z xes:x ches:ch shes:sh ies:y s:',
);

/** The singular of an English word in lower case. */
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

/** A folded name with its last word in the singular: `orderline` for `order-lines`. */
export const singularName = remembered((name) => {
  const words = wordsOf(name);
  return [...words.slice(0, -1), singular(words.at(-1) ?? '')].join('');
});

/** @param sentence spoken words */
export const nounsIn = (sentence: string): string[] => sentence.trim().split(' ').map(singularName);

export function sameName(one: string, other: string): boolean {
  return one === other || (foldedName(one) === foldedName(other) && foldedName(one) !== '');
}

/** Finds a name among several: the equal one, else the only one that is equal when folded. */
export function findNamed(names: Iterable<string>, wanted: string): string | undefined {
  const folded = foldedName(wanted);
  const alike = new Set<string>();
  for (const name of names) {
    if (name === wanted) return wanted;
    if (folded !== '' && foldedName(name) === folded) alike.add(name);
  }
  return alike.size === 1 ? [...alike][0] : undefined;
}

/** Names of ids, the most usual first. */
export const ID_NAMES: readonly string[] = ['id', 'uuid', 'guid', 'gid', 'uid', 'sid', 'pk'];

/** Names of other members that identify a record, the likeliest first. */
export const NAMES_OF_RECORDS: readonly string[] = ['slug', 'key', 'code', 'name'];

/** The last word of an id's name, in the singular. Undefined: the name is not that of an id, such as `paid`. */
export function idWord(name: string): string | undefined {
  const end = singular(wordsOf(name).at(-1) ?? '');
  return ID_NAMES.includes(end) ? end : undefined;
}

/** The noun of an id's name, folded and in the singular: `category` for `category_id`, `categoryId`, `category_uuids`
 * and `id_category`. */
export function idStem(name: string): string | undefined {
  const words = wordsOf(name);
  if (words.length < 2) return undefined;
  if (idWord(name) !== undefined) return singularName(words.slice(0, -1).join('-'));
  return words[0] === 'id' ? singularName(words.slice(1).join('-')) : undefined;
}

/** The nouns that an id's name may begin with, for callers that know the nouns: `petid` gives `pet` without a word border. */
export function idStems(name: string): string[] {
  const stem = idStem(name);
  if (stem !== undefined) return [stem];
  const one = singular(foldedName(name));
  return ID_NAMES.flatMap((end) =>
    one.length > end.length && one.endsWith(end) ? [one.slice(0, -end.length)] : [],
  );
}

/** Whether a name is that of an id of a noun, given in the singular. */
export const namesIdOf = (name: string, noun: string): boolean => idStems(name).includes(noun);

/** Whether a name identifies one thing of a noun, given in the singular: `id`, `petId` or `petKey` for `pet`. */
export function namesOne(name: string, noun: string): boolean {
  const [stem, end = ''] = [wordsOf(name).slice(0, -1).join(''), wordsOf(name).at(-1)];
  return ID_NAMES.includes(end) ? ['', noun].includes(stem) : stem === noun && NAMES_OF_RECORDS.includes(end);
}

/** Words behind a noun that make it a name of several. */
const SEVERAL = setOf('list array set name');

/** Whether a name is a noun or a plural of it: `tags`, `tag_list`, `tagNames` and `tag` for `tag`. */
export function namesSeveral(name: string, one: string): boolean {
  const words = wordsOf(name);
  const isWrapped = words.length > 1 && SEVERAL.has(singular(words.at(-1) ?? ''));
  const noun = singularName(one);
  return [words, isWrapped ? words.slice(0, -1) : words].some((its) => singularName(its.join('-')) === noun);
}

/** Endings of the names of request bodies: `productRequest`. */
const OF_REQUEST = /(?<=.)_?(?:request|dto|data|payload|input|params)$/i;

export const withoutRequest = (name: string): string => name.replace(OF_REQUEST, '');

const FEEDS = setOf('feed timeline stream following subscriptions');
/** Whether a list of this name shows the records of the accounts that an account follows. */
export const isFeedName = (name: string): boolean => FEEDS.has(foldedName(name));

const SUMMARIES = setOf(
  'summary summaries stats stat statistics count counts total totals aggregate aggregates overview',
);
/** Whether a segment of a path names numbers about records instead of records. */
export const isSummaryName = (segment: string): boolean => SUMMARIES.has(foldedName(segment));

const FILES = setOf('export download csv pdf excel xlsx print report');
/** Whether a segment of a path names a file about records instead of records. */
export const isFileName = (segment: string): boolean => wordsOf(segment).some((word) => FILES.has(word));

const PERSONAL = setOf('cart basket favorite favourite wishlist bookmark');
/** Whether each account has its own list of this name. */
export const isPersonalName = (name: string): boolean => PERSONAL.has(singular(foldedName(name)));

const OWN = setOf('my mine mias mios meus minhas');
/** Whether a path segment restricts a list to the records of the caller: `my-orders`, `mine`. */
export const isOwnName = (segment: string): boolean => wordsOf(segment).some((word) => OWN.has(word));
