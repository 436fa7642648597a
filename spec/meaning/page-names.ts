import type { PageSign, Relation } from './meaning.ts';
/** Names of what chooses a page, and of what a response says of one, folded. */

export type PageRole = 'pageSize' | 'offset' | 'page' | 'cursor';

/** From lines of a meaning and folded names; of `next nextpage + token key` each first part with each second one. */
function table<Says extends string>(text: string): ReadonlyMap<string, Says> {
  return new Map(
    text.split('\n').flatMap((line) => {
      const [says = '', names = ''] = line.split(':').map((one) => one.trim());
      const [first = [], second = ['']] = names.split(' + ').map((one) => one.split(' '));
      return first.flatMap((one) => second.map((other) => [one + other, says as Says] as const));
    }),
  );
}

const RECORDS = 'items results records entries elements hits rows';

export const PARAMETERS = table<PageRole>(`pageSize: limit perpage pagesize pagelimit maxpagesize maxpagelimit
  pageSize: size count take top first maxresults maxitems maxkeys
  pageSize: ${RECORDS} + perpage
  offset: offset pageoffset skip start startindex startat
  page: page currentpage pagenumber pageno pagenum pageindex
  cursor: cursor pagecursor next pagetoken continuation continuationtoken continue skiptoken startkey exclusivestartkey
  cursor: next nextpage + token cursor
  cursor: bookmark aftercursor after afterid pageafter startafter startingafter startingafterid marker sinceid lastid`);
/** Cursors that take the id of the last record of the page before; the value of any other one is opaque. */
export const ID_CURSORS =
  'after afterid pageafter startafter startingafter startingafterid marker since sinceid lastid'.split(' ');

/** What a number beside a list says. */
export const COUNTS =
  table<PageSign>(`total: total totalcount totalsize totaldocs totaldocuments totalnumber numberfound
  total: total totalof totalnumberof + ${RECORDS}
  total: record records item items result results + count total
  pages: pages totalpages totalpage pagecount pagescount pagetotal pagestotal numpages numberofpages totalnumberofpages lastpage
  listed: numberofelements currentcount currentitemcount returned returnedcount
  size: limit perpage pagesize size
  size: ${RECORDS} + perpage
  offset: offset
  next page: nextpage nextpagenumber nextpageno
  previous page: prev previous + page pagenumber pageno
  next offset: next nextoffset nextskip
  previous offset: prev previous prevoffset previousoffset`);
export const FLAGS = table<PageSign>(`has more: hasmore hasnext truncated istruncated more
  has more: hasmore hasnext + page pages ${RECORDS}
  has previous: hasprev hasprevious hasprevpage haspreviouspage
  is first: first isfirst firstpage isfirstpage
  is last: last islast lastpage islastpage
  is empty: empty isempty`);
export const CURSORS =
  table<PageSign>(`next cursor: next endcursor after cursor continuation continuationtoken continue
  next cursor: lastevaluatedkey nextpage nextafter nextstartingafter
  next cursor: next nextpage + token cursor marker key id
  previous cursor: prev previous startcursor before
  previous cursor: prev previous prevpage previouspage + token cursor marker key id`);
export const RELATIONS = table<Relation>(`next: next nextpage nextresults
  previous: prev prevpage prevresults previous previouspage previousresults
  first: first firstpage
  last: last lastpage
  self: self current currentpage`);
export const URL_ENDS = ['url', 'uri', 'link', 'href', 'path'];

/** Objects that describe a page; what any other object beside a list says is about something else as likely. */
export const ENVELOPES =
  table(`meta: meta metadata page pages paging pagination pager pageable pageinfo paginginfo
  links: links cursor cursors
  meta: response list result paging + meta metadata`);
