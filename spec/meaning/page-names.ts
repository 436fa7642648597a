import type { PageSign, Relation } from './meaning.ts';
import { foldedName, setOf } from './names.ts';
import { joined, listed } from './words.ts';

/** What names of parameters, members and headers say of the pages of a list. */

export type PageRole = 'pageSize' | 'offset' | 'page' | 'cursor';

/** What means the same in a folded name. */
const SAME = [
  ...[...listed('result|record|element|row|hit|doc'), 'entrie'].map((noun) => [noun, 'item'] as const),
  ...listed('pagenumber|pageno|pagenum|pageindex').map((noun) => [noun, 'page'] as const),
  ['previous', 'prev'] as const,
];

/** A name with one word for what means the same: `totalitems` of `totalElements`, `prevpage` of `previous_page_number`. */
export const pageName = (name: string): string =>
  SAME.reduce((text, [one, other]) => text.replaceAll(one, other), foldedName(name));

function table<Says>(lines: Readonly<Record<string, string>>): ReadonlyMap<string, Says> {
  return new Map(
    Object.entries(lines).flatMap(([says, names]) =>
      names.split(' ').map((name) => [name, says as Says] as const),
    ),
  );
}

/** Cursors that take the id of the last record of the page before; the value of any other one is opaque. */
const ID_CURSORS = 'after pageafter startafter startingafter sinceid lastid marker';
export const ID_CURSOR_NAMES = setOf(`${ID_CURSORS} since`);

export const PARAMETERS = table<PageRole>({
  pageSize:
    'limit pagelimit perpage pagesize maxpagesize itemsperpage size count take top first maxitems maxkeys',
  offset: 'offset pageoffset skip start startindex startat',
  page: 'page currentpage',
  cursor:
    'cursor pagecursor aftercursor next nexttoken nextcursor pagetoken nextpagetoken nextpagecursor bookmark ' +
    `continuation continuationtoken continue skiptoken startkey exclusivestartkey ${ID_CURSORS}`,
});

/** What a number beside a list says. */
export const COUNTS = table<PageSign>({
  total:
    'total totalcount totalsize totalitems totalnumberofitems numberfound itemcount itemscount itemtotal itemstotal',
  pages:
    'pages totalpages totalpage pagecount pagescount pagetotal pagestotal numpages numberofpages lastpage',
  listed: 'numberofitems currentcount currentitemcount returned returnedcount',
  size: 'limit perpage pagesize itemsperpage size',
  offset: 'offset',
});

/** Texts that lead to another page where a parameter takes a cursor, beside those with a relation in their names. */
export const CURSORS = table<PageSign>({
  'next cursor': 'endcursor after cursor continuation continuationtoken continue lastevaluatedkey',
  'previous cursor': 'startcursor before',
});

const RELATIONS: readonly (readonly [start: string, relation: Relation])[] = [
  ...(['next', 'first', 'last', 'self'] as const).map((one) => [one, one] as const),
  ['prev', 'previous'],
  ['current', 'self'],
];
const ENDS = table<'url' | 'key' | 'offset' | 'page'>({
  url: 'url uri link href path',
  key: 'token cursor marker key id after startingafter',
  offset: 'offset skip',
});

/** A name that says which page is meant, and what its value is of that: `next`, `key` of `nextPageToken`. */
export function relationOf(name: string) {
  const [start, relation] = RELATIONS.find(([one]) => name.startsWith(one)) ?? [];
  if (start === undefined || relation === undefined) return undefined;
  const rest = name.slice(start.length);
  const noun = ['page', 'items'].find((one) => rest.startsWith(one)) ?? '';
  const end = rest.slice(noun.length);
  const of = ENDS.get(end);
  return of || end === '' ? { relation, of, isOfPage: noun === 'page' } : undefined;
}

const HAS = { next: 'has more', previous: 'has previous' } as const;
const IS = { first: 'is first', last: 'is last' } as const;

/** What a flag beside a list says: `hasNextPage`, `is_last`, `truncated`. */
export function flagOf(name: string): PageSign | undefined {
  const lead = ['has', 'is'].find((one) => name.startsWith(one)) ?? '';
  const bare = name.slice(lead.length);
  if (['truncated', 'more', 'morepages', 'morepage', 'moreitems'].includes(bare)) return 'has more';
  if (bare === 'empty') return 'is empty';
  const { relation, of } = relationOf(bare) ?? {};
  const signs: Readonly<Partial<Record<Relation, PageSign>>> = lead === 'has' ? HAS : IS;
  return relation && !of ? signs[relation] : undefined;
}

/** Objects that describe a page; what any other object beside a list says is about something else as likely. */
export const ENVELOPES: ReadonlySet<string> = new Set(
  listed(
    'meta|metadata|page|pages|paging|pagination|pager|pageable|pageinfo|links|cursor|cursors|listmeta|responsemetadata',
  ),
);

/** What descriptions say of a parameter that chooses a page. */
const OF_NUMBER = 'page number|number of the page|which page|page to|pages|paging|pagination';
export const SAID_OF: Readonly<Record<PageRole, readonly string[]>> = {
  pageSize: listed('page size|per page|page|pages|number of|how many|maximum|at most|to return'),
  page: listed(OF_NUMBER),
  offset: listed(`${OF_NUMBER}|page|skip|skipped|offset`),
  cursor: listed(`${OF_NUMBER}|page|cursor|token`),
};
/** Of the number of all records, and of sums of something else. */
export const IN_TOTAL = listed('total|in all|overall|all pages|all matching|all items|regardless');
export const SUMS = listed('sum|price|prices|amount|cost|costs|money|currency');
/** Of the end of a list. */
export const END = [
  ...joined('last|final', 'page'),
  ...listed('no more|no further|no next|no other|no additional'),
  ...joined('end of the', 'list|result|results|page|pages|collection|records'),
];
/** Of the number that the first page, or record, has: 0 or 1. */
export const FIRSTS = ['0|zero', '1|one'].map((number) => [
  ...joined(number, 'based|indexed|n'),
  ...joined('from|at|page is|with', number),
]);
/** Of what is no cursor of the service. */
export const INVALID = listed('invalid|malformed|unknown|expired|not valid|not a valid');
export const REFUSED = listed('400|refused|rejected|bad request|error');
export const NOT_REFUSED = [
  ...listed('not refused|not rejected|not an error|ignored|ignore'),
  ...joined('start|starts|begin|begins', 'over|again|anew|from'),
];
