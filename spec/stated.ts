import type { Spot } from './document/spot.ts';
import { isRecord } from './json/json-value.ts';
import type { Operation } from './operation.ts';
import type { Parameter } from './parameter.ts';
import { escapeText } from './pattern/pattern.ts';
import type { Shape } from './schema/shape.ts';

/**
 * What descriptions state in recognised words. Where a name alone suggests something, only these make it a promise; and
 * what they take back is no promise any more.
 */

const FILTERS =
  /\b(?:only|filter(?:s|ed|ing)?|match(?:es|ing)?|restrict(?:s|ed)?|narrow(?:s|ed)?|whose|(?:find|search|select)s?\b.*\bby|by (?:this|the given|its|their))\b/i;
/** What may be so need not be so, and what is included besides leaves nothing out. */
const NO_FILTER =
  /\bno(?:t)? (?:(?:as )?a )?filter|\bdoes not filter\b|\bignored?\b|\bno effect\b|\bmay\b|\bmight\b|\bwhether (?:or not )?(?:to )?(?:also )?(?:includ|show|return|embed|expand|add)/i;

/** Whether a query parameter is said to let only records through that have its value in the member of its name. */
export function statesFilter(list: Operation, parameter: Parameter, member: Shape): boolean {
  const own = textOf(parameter.spot) || parameter.shape.parts.map(textOf).join(' ');
  if (NO_FILTER.test(own)) return false;
  if (FILTERS.test(own) && own !== member.parts.map(textOf).join(' ')) return true;
  const named = new RegExp(`(?:^|[^\\w-])${escapeText(parameter.name)}(?![\\w-])`);
  return sentencesOf(list.spot).some((one) => named.test(one) && FILTERS.test(one) && !NO_FILTER.test(one));
}

const KEPT_BY_SERVICE =
  /\b(?:set|assigned|generated|created|computed|calculated|derived|inferred|maintained|managed|kept|filled|updated|populated|determined|chosen|added|controlled|overwritten|incremented) (?:\w+ )?(?:by|from|using) (?:the )?(?:server|service|system|api|backend|database)\b|\b(?:calculated|computed|inferred|derived) (?:by|from|using)\b|\bauto(?:matically)?[- ]?(?:generated|incremented|assigned|set|created|updated|filled|computed)\b|\b(?:set|generated|assigned|updated|filled) automatically\b|\bread[- ]?only\b|\bserver[- ](?:side|generated|assigned|managed|controlled)\b/i;
const ADJUSTED =
  /\b(?:may|might) (?:be )?(?:chang|adjust|normali[sz]|round|truncat|convert|rewrit|rewrot|overrid|trim|correct|add|extend|merg|replac|differ|ignor)\w*|\b(?:is|are|gets?|will be) (?:trimmed|stripped|normali[sz]ed|rounded|truncated|lower-?cased|upper-?cased|converted|clamped|sorted|de-?duplicated|hashed|encrypted|masked|extended|ignored|discarded)\b|\bhas no effect\b|\bthe (?:service|server) adds\b/i;
const WRITTEN_ALONE =
  /\bwrite[- ]?only\b|\b(?:never|not) (?:be )?(?:returned|shown|sent|included|exposed|echoed|part of (?:a |the )?responses?)\b(?! (?:when|in|on|by)\b[^.]*\blist)|\b(?:only|solely) (?:be )?(?:used |sent |accepted |given |needed )?(?:when|while|on|for|during|in) (?:creat|regist|add|request|input)\w*|\bduring creation\b/i;
const HIDDEN_IN_LISTS =
  /\b(?:omitted|hidden|empty|absent|left out|missing|excluded|null|masked|not (?:be )?(?:included|returned|shown|present|listed|set|filled)|except)\b[^.]*\b(?:list|lists|listing|listings|collections?)\b|\bonly (?:be )?(?:returned|included|shown|present|available|filled|set)\b[^.]*\b(?:single|details?|by (?:its )?id|individual|one)\b/i;

/** What the description of a record's member says of it. */
export interface StatedMember {
  /** The service sets it itself, whatever a client sends. */
  readonly isKeptByService: boolean;
  /** The service may store another value than was sent. */
  readonly isAdjusted: boolean;
  /** It is sent, and no response shows it. */
  readonly isWrittenAlone: boolean;
  /** A list need not show it. */
  readonly isHiddenInLists: boolean;
  /** A replacement that leaves it out need not take it away. */
  readonly isLeftAlone: boolean;
}

const members = new WeakMap<Shape, StatedMember>();

export function statedMember(member: Shape): StatedMember {
  const known = members.get(member) ?? readMember(member.parts.map(textOf).join(' '));
  members.set(member, known);
  return known;
}

function readMember(text: string): StatedMember {
  return {
    isKeptByService: KEPT_BY_SERVICE.test(text),
    isAdjusted: ADJUSTED.test(text),
    isWrittenAlone: WRITTEN_ALONE.test(text),
    isHiddenInLists: HIDDEN_IN_LISTS.test(text),
    isLeftAlone: LEAVES_ALONE.test(text),
  };
}

const LEAVES_ALONE =
  /\bkeeps? (?:its|their|the|all|any|what|other|every)\b|\b(?:is|are|be) kept (?:as|when|if|unless|in|where)\b|\b(?:retain|preserv)\w*\b|\b(?:remain|stay|left|leave)s? (?:as (?:it|they)|unchanged|untouched|alone|the same|in place)\b|\bunchanged\b|\buntouched\b|\bpartial(?:ly)?\b|\bmerge[sd]?\b|\bnot (?:be )?(?:changed|modified|replaced|overwritten|removed|reset|touched)\b|\bonly\b[^.]*\b(?:given|sent|provided|present|supplied|specified|included)\b/i;
const RENAMES = /\b(?:renam(?:es?|ed|ing)|mov(?:es?|ed|ing)|new (?:name|path|id|key))\b/i;
const STORES =
  /\b(?:stor(?:es?|ed|ing)|sav(?:es?|ed|ing))\b|\bverbatim\b|\bas (?:it|they) (?:is|are|was|were)\b|\bunchanged\b/i;

/** What summary and description of an operation that writes say of what it leaves. */
export interface StatedWrite {
  /** Members that a request leaves out may stay. */
  readonly leavesAlone: boolean;
  /** The record may have another name afterwards. */
  readonly renames: boolean;
  /** What is sent is stored as it is: without these words a text may lose the blanks at its ends. */
  readonly stores: boolean;
}

const writes = new WeakMap<Operation, StatedWrite>();

export function statedWrite(operation: Operation): StatedWrite {
  const known = writes.get(operation) ?? readWrite(textOf(operation.spot));
  writes.set(operation, known);
  return known;
}

function readWrite(text: string): StatedWrite {
  return { leavesAlone: LEAVES_ALONE.test(text), renames: RENAMES.test(text), stores: STORES.test(text) };
}

const FROM_ZERO =
  /\b(?:zero|0)[- ](?:based|indexed)|\b(?:start|begin|count|number|index)\w* (?:from|at|with) (?:0|zero)\b|\bfirst (?:page |one )?is (?:0|zero)\b|\b0 is the first\b|\(0\.\.N\)/i;
const FROM_ONE =
  /\b(?:one|1)[- ](?:based|indexed)|\b(?:start|begin|count|number|index)\w* (?:from|at|with) (?:1|one)\b|\bfirst (?:page |one )?is (?:1|one)\b|\b1 is the first\b|\(1\.\.N\)/i;

/** The number that a parameter's description gives the first page; undefined: it does not say. */
export function statedFirst(parameter: Parameter): 0 | 1 | undefined {
  const text = textOfParameter(parameter);
  if (FROM_ZERO.test(text)) return 0;
  return FROM_ONE.test(text) ? 1 : undefined;
}

const END =
  /\b(?:last|final) page\b|\bno (?:more|further|next|other|additional)\b|\bend of the (?:list|results?|pages?|collection|records)\b/i;

/** Whether a description says how the last page of a list is told. */
export function statesEnd(spot: Spot): boolean {
  return END.test(textOf(spot));
}

const IN_TOTAL =
  /\btotal\b|\b(?:in|over)all\b|\ball (?:of the )?(?:pages|matching|records|results)\b|\bregardless\b/i;

/** Whether a count beside a list is said to be that of all pages. */
export function statesTotal({ parts }: Shape): boolean {
  return IN_TOTAL.test(parts.map(textOf).join(' '));
}

const ID = /\b(?:id|ids|identifier)\b/i;
const PAGES = /\b(?:pages?|paging|paginat\w*|cursor|next)\b/i;

/** Whether a parameter is said to take the id of a record. */
export function statesId(parameter: Parameter): boolean {
  return ID.test(textOfParameter(parameter));
}

/** Whether it is said that this id, of the last record of a page, leads to the next one. */
export function statesIdOfLast(parameter: Parameter): boolean {
  return statesId(parameter) && PAGES.test(textOfParameter(parameter));
}

const INVALID = /\b(?:invalid|malformed|unknown|expired|unrecogni[sz]ed|not (?:a )?valid|broken)\b/i;
const REFUSED = /\b(?:400|refused|rejected|bad request|error)\b/i;
const NOT_REFUSED =
  /\bnot (?:refused|rejected|an error)\b|\bignored?\b|\b(?:starts?|begins?) (?:over|again|anew|from)\b/i;
const CURSOR = /\b(?:cursors?|(?:page|continuation) ?tokens?|markers?)\b/i;

/** Whether the document says that what is no cursor of the service is refused with 400. */
export function statesCursorRefused({ responses, spot }: Operation, cursor: Parameter): boolean {
  const refusal = responses.find(({ key }) => key === '400');
  if (!refusal) return false;
  const named = new RegExp(`(?:^|[^\\w-])${escapeText(cursor.name)}(?![\\w-])`, 'i');
  const isSaid = (text: string) =>
    INVALID.test(text) && (CURSOR.test(text) || named.test(text)) && !NOT_REFUSED.test(text);
  if (isSaid(textOf(refusal.spot))) return true;
  return [cursor.spot, spot]
    .flatMap(sentencesOf)
    .some((sentence) => isSaid(sentence) && REFUSED.test(sentence));
}

function sentencesOf(spot: Spot): string[] {
  return textOf(spot).split(/(?<=[.;:!?])\s/);
}

function textOfParameter({ spot, shape }: Parameter): string {
  return [spot, ...shape.parts].map(textOf).join(' ');
}

function textOf({ value }: Spot): string {
  const { summary, description } = isRecord(value) ? value : {};
  const texts = [summary, description].filter((text) => typeof text === 'string');
  return texts.join('. ').replaceAll(/\s+/g, ' ');
}
