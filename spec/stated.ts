import type { Spot } from './document/spot.ts';
import { isRecord } from './json/json-value.ts';
import { bodyMedia } from './media-type.ts';
import type { Operation } from './operation.ts';
import type { Parameter } from './parameter.ts';
import { escapeText } from './pattern/pattern.ts';
import type { Shape } from './schema/shape.ts';

/**
 * What descriptions state in recognised words. Where a name alone suggests something, only these make it a promise; and
 * what they take back is no promise any more.
 */

const KEPT_BY_SERVICE =
  /\b(?:set|assigned|generated|created|computed|calculated|derived|inferred|maintained|managed|kept|filled|updated|populated|determined|chosen|added|controlled|overwritten|incremented) (?:\w+ )?(?:by|from|using) (?:the )?(?:server|service|system|api|backend|database)\b|\b(?:calculated|computed|inferred|derived) (?:by|from|using)\b|\bauto(?:matically)?[- ]?(?:generated|incremented|assigned|set|created|updated|filled|computed)\b|\b(?:set|generated|assigned|updated|filled) automatically\b|\bread[- ]?only\b|\bserver[- ](?:side|generated|assigned|managed|controlled)\b/i;
/** What is always the same, and what is said to have happened: `Set to "Zone"`, `The message that has been sent last`. */
const CONSTANT = /^(?:is |always )*set to ["'“‘`][^"'”’`]*["'”’`]\.?$/i;
const HAPPENED =
  /^(?!whether\b|if\b|true\b|flag\b|indicates\b).*\b(?:has|have) (?:last )?been (?:\w+ly )?(?:sent|seen|received|processed|delivered|updated|changed|modified|checked|read|used|called|run|executed|triggered|notified|counted)\b/i;
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
    isKeptByService: [KEPT_BY_SERVICE, CONSTANT, HAPPENED].some((pattern) => pattern.test(text)),
    isAdjusted: ADJUSTED.test(text),
    isWrittenAlone: WRITTEN_ALONE.test(text),
    isHiddenInLists: HIDDEN_IN_LISTS.test(text),
    isLeftAlone: LEAVES_ALONE.test(text),
  };
}

const LEAVES_ALONE =
  /\bkeeps? (?:its|their|the|all|any|what|other|every)\b|\b(?:is|are|be) kept (?:as|when|if|unless|in|where)\b|\b(?:retain|preserv)\w*\b|\b(?:remain|stay|left|leave)s? (?:as (?:it|they)|unchanged|untouched|alone|the same|in place)\b|\bunchanged\b|\buntouched\b|\bpartial(?:ly)?\b|\bmerge[sd]?\b|\bnot (?:be )?(?:changed|modified|replaced|overwritten|removed|reset|touched)\b|\bonly\b[^.]*\b(?:given|sent|provided|present|supplied|specified|included)\b/i;
const RENAMES =
  /\b(?:renam(?:es?|ed|ing)|mov(?:es?|ed|ing)|new (?:name|path|id|key)|chang(?:es?|ed|ing) (?:the |its |of )*(?:name|path|id))\b/i;
/** It does something with the record, whatever the body has beside what that needs. */
const ACTS =
  /^(?:this (?:\w+ )?|it )?\(?(?:(?:de|un|re|dis)\)?-?)?(?:activat|enabl|abl|lock|publish|archiv|approv|reject|cancel|suspend|resum|start|stop|paus|restor|rotat|reset|verif|confirm|declin|assign|subscrib|mut|pin|star)(?:e?s|es?|ies|y)?\b/i;
const CHANGES = /\b(?:updat|replac|modif|chang|edit)/i;
/** A sentence that limits what is changed. */
const LIMITS =
  /\bonly\b.*\b(?:fields?|members?|propert(?:y|ies)|attributes?|values?)\b.*\b(?:modif|chang|updat|edit|writ|replac|alter|set)|\b(?:modif|chang|updat|edit|replac|alter)\w* only\b|\bonly (?:modif|chang|updat|edit|replac|alter)/i;
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
  /** It does something else than to change what is sent: activates the record, say. */
  readonly acts: boolean;
  /** It changes some members alone, whatever is sent: see {@link mayChange}. */
  readonly isLimited: boolean;
}

const writes = new WeakMap<Operation, StatedWrite>();

export function statedWrite(operation: Operation): StatedWrite {
  const known = writes.get(operation) ?? readWrite(operation);
  writes.set(operation, known);
  return known;
}

function readWrite(operation: Operation): StatedWrite {
  const text = textOf(operation.spot);
  const isLimited = limitOf(operation) !== undefined;
  return {
    leavesAlone: isLimited || LEAVES_ALONE.test(text),
    renames: RENAMES.test(text),
    stores: STORES.test(text),
    acts: ACTS.test(text) && !CHANGES.test(text),
    isLimited,
  };
}

/** Whether a write may change a member: where a sentence names those that it changes, it changes no other. */
export function mayChange(operation: Operation, name: string): boolean {
  const limit = limitOf(operation);
  return limit === undefined || limit.has(name);
}

const limits = new WeakMap<Operation, ReadonlySet<string> | undefined>();

/** Undefined: the document names no members that alone are changed. */
function limitOf(operation: Operation): ReadonlySet<string> | undefined {
  if (limits.has(operation)) return limits.get(operation);
  const sentence = textOf(operation.spot)
    .split(/(?<=[.!?])\s/)
    .find((one) => LIMITS.test(one));
  const named = sentence === undefined ? new Set<string>() : namedIn(operation, sentence);
  const limit = named.size > 0 ? named : undefined;
  limits.set(operation, limit);
  return limit;
}

/** The members of the body that a text names. */
function namedIn({ body }: Operation, text: string): ReadonlySet<string> {
  const names = [...(bodyMedia(body)?.shape?.properties.keys() ?? [])];
  return new Set(
    names.filter((name) => new RegExp(`(?:^|[^\\w-])${escapeText(name)}(?![\\w-])`, 'i').test(text)),
  );
}

/** The members of the body that summary or description of an operation name. */
export function namedMembers(operation: Operation): ReadonlySet<string> {
  return namedIn(operation, textOf(operation.spot));
}

/** What summary and description of an operation say of its use. */
export interface StatedUse {
  /** An ordinary request is no handshake (RFC 6455 §4). */
  readonly isWebSocket: boolean;
  readonly isNotImplemented: boolean;
  /** Whatever the document says of credentials elsewhere, it can be used without one, at least by some. */
  readonly isPublic: boolean;
}

const WITHOUT_KEY =
  /\b(?:without|no|not? (?:need|requir)\w*(?: any)?) (?:an? )?(?:prior )?(?:authenti\w+|authori[sz]\w+|credentials?|logging in|log-?in|(?:api|access|auth|bearer)[ -]?(?:key|token))\b|\b(?:authenti\w+|credentials?|(?:api|access|auth|bearer)[ -]?(?:key|token)) (?:is|are) (?:not (?:needed|required)|optional)\b|\b(?:unauthenticated|anonymous) (?:access|users?|clients?|requests?|callers?)\b|\bpublic(?:ly)? (?:accessible|available|endpoint|operation|route)\b/i;
/** What is refused for want of a credential, and not taken. */
const REFUSES =
  /\b40[13]\b|\b(?:cannot|can't|can not|must not|may not|not (?:be )?(?:possible|allowed|accessible|permitted|available)|fail\w*|errors?|refus\w+|reject\w+|denied|forbidden|unauthori[sz]ed)\b/i;

const uses = new WeakMap<Operation, StatedUse>();

export function statedUse(operation: Operation): StatedUse {
  const known = uses.get(operation) ?? readUse(textOf(operation.spot));
  uses.set(operation, known);
  return known;
}

function readUse(text: string): StatedUse {
  return {
    isWebSocket: /\bweb-? ?sockets?\b/i.test(text),
    isNotImplemented: /\b(?:not (?:yet )?|un)implemented\b/i.test(text),
    isPublic: text.split(/(?<=[.!?;])\s/).some((one) => WITHOUT_KEY.test(one) && !REFUSES.test(one)),
  };
}

const VALIDATORS = /\bif-(?:none-)?match\b|\bif-(?:un)?modified-since\b|\be-?tags?\b|\bentity[- ]tags?\b/i;

const NO_CONDITION =
  /\bignored?\b|\bno effect\b|\bnot (?:yet )?(?:supported|implemented|checked|enforced|evaluated|used)\b|\breserved\b/i;

/** Whether the description of a header that makes requests conditional takes that back. */
export function isNoCondition(parameter: Spot): boolean {
  return NO_CONDITION.test(textOf(parameter));
}

/** Whether the description of a status says that it is about the version of what is asked for. */
export function namesValidator(response: Spot): boolean {
  return VALIDATORS.test(textOf(response));
}

const INVALID = /\b(?:invalid|malformed|unknown|expired|unrecogni[sz]ed|not (?:a )?valid|broken)\b/i;
const REFUSED = /\b(?:400|refused|rejected|bad request|error)\b/i;
const NOT_REFUSED =
  /\bnot (?:refused|rejected|an error)\b|\bignored?\b|\b(?:starts?|begins?) (?:over|again|anew|from)\b/i;
const CURSOR = /\b(?:cursors?|(?:page|continuation) ?tokens?|markers?)\b/i;

/** Whether the document says that what is no cursor of the service is refused with 400. */
export function statesCursorRefused({ responses, spot, said }: Operation, cursor: Parameter): boolean {
  if (said.facts.refuses?.['400'] === 'cursor') return true;
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

export function sentencesOf(spot: Spot): string[] {
  return textOf(spot).split(/(?<=[.;:!?])\s/);
}

function textOf({ value }: Spot): string {
  const { summary, description } = isRecord(value) ? value : {};
  const texts = [summary, description].filter((text) => typeof text === 'string');
  return texts.join('. ').replaceAll(/\s+/g, ' ');
}
