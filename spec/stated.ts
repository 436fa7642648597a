import { oncePer } from './json/once-per.ts';
import { has, joined, listed, sentencesIn, spoken, textOf } from './meaning/words.ts';
import type { Operation } from './operation.ts';
import { bodyShape } from './resources/record-schema.ts';
import type { Shape } from './schema/shape.ts';

/**
 * What descriptions say in phrases of small tables that a service may do beside what is promised: they withhold a promise or
 * soften it, and make none.
 */

/** Whether a sentence has a phrase of each of these. */
const hasAll = (sentence: string, ...tables: readonly (readonly string[])[]) =>
  tables.every((phrases) => has(sentence, phrases));

const KEPT_BY_SERVICE = [
  ...joined('by|by the', 'server|service|system|api'),
  ...joined('calculated|computed', 'by|from|using'),
  ...joined('automatically|auto', 'generated|incremented|assigned|set|created|updated|filled|computed'),
  ...joined('set|generated|assigned|updated|filled', 'automatically'),
  ...listed('read only|readonly|server side|server generated'),
];
/** What is always the same: `Set to "Zone"`. */
const CONSTANT = /^(?:is |always )*set to ["'“‘`][^"'”’`]*["'”’`]\.?$/i;
/** `The batch that customers have been notified of`; not whether it has happened. */
const HAPPENED = joined(
  'has been|have been|has last been',
  'sent|seen|received|processed|delivered|updated|changed|checked|read|used|called|notified|counted',
);
const WHETHER = listed('whether|if|true');
/** In which a text may be stored. */
const NOTATIONS = listed(
  'normali~|canonical~|trimmed|e 164|any notation|lower case|lowercase~|upper case|uppercase~|case insensitive|' +
    'case insensitively|saniti~|slugified',
);
const ADJUSTED = [
  ...NOTATIONS,
  ...joined(
    'may|may be|might|might be',
    'chang~|adjust~|normali~|round~|truncat~|trim~|convert~|rewrit~|overrid~|add~|extend~|merg~|replac~|differ~|ignore~',
  ),
  ...joined(
    'is|are|get|gets|will be',
    'trimmed|normali~|rounded|truncated|converted|sorted|lowercased|deduplicated|hashed|encrypted|masked|extended|ignored',
  ),
  ...listed('has no effect|the service adds|the server adds|normali~|canonical~|trimmed|e 164|any notation'),
  ...listed(
    'lower case|lowercase~|upper case|uppercase~|case insensitive|case insensitively|saniti~|slugified',
  ),
];
const NOT_SHOWN = [
  ...joined('not|never|not be|never be', 'returned|shown|sent|included|exposed|echoed|present|listed'),
  ...listed('write only|not part of the response'),
];
const ONLY = listed('only|solely');
const AT_CREATION = joined('when|while|on|for|during|in', 'creati~|registering|registration|adding|request~');
const HIDDEN = [...NOT_SHOWN, ...listed('omitted|hidden|empty|absent|left out|missing|excluded|null|masked')];
const LISTS = listed('list|lists|listing|listings|collection|collections');
const SHOWN = listed('returned|included|shown|present|available|filled|set');
const SINGLE = listed('single|detail|details|by id|by its id|individual|one');
const LEAVES_ALONE = [
  ...joined('keep|keeps|is kept|are kept', 'its|their|the|all|as|when|if|unless|in'),
  ...joined('remain|remains|stay|stays|left|leave|leaves', 'as it|as they|alone|the same'),
  ...joined('not|not be', 'changed|modified|replaced|overwritten|removed|reset'),
  ...listed('retain~|preserve~|unchanged|untouched|partial|partially|merge|merges|merged'),
];
const GIVEN = listed('given|sent|provided|present|supplied|specified|included');
const leavesAlone = (text: string) =>
  has(spoken(text), LEAVES_ALONE) || sentencesIn(text).some((one) => hasAll(one, ['only'], GIVEN));

/** What the description of a record's member says of it. */
export const statedMember = oncePer((member: Shape) => {
  const text = member.parts.map(textOf).join(' ');
  const sentences = sentencesIn(text);
  return {
    /** The service sets it itself, whatever a client sends. */
    isKeptByService:
      has(spoken(text), KEPT_BY_SERVICE) ||
      CONSTANT.test(text) ||
      sentences.some((one) => has(one, HAPPENED) && !has(one, WHETHER)),
    /** The service may store another value than was sent. */
    isAdjusted: has(spoken(text), ADJUSTED),
    /** It is sent, and no response shows it. */
    isWrittenAlone: sentences.some(
      (one) => (has(one, NOT_SHOWN) && !has(one, LISTS)) || hasAll(one, ONLY, AT_CREATION),
    ),
    /** A list need not show it. */
    isHiddenInLists: sentences.some((one) => hasAll(one, HIDDEN, LISTS) || hasAll(one, ONLY, SHOWN, SINGLE)),
    /** A replacement that leaves it out need not take it away. */
    isLeftAlone: leavesAlone(text),
  };
});

const OTHER_NAMES = joined('alias|synonym|other name|another name|alternative name', 'for|of');

/** Whether a member is said to have the value of another one: `Alias for the id`. */
export const isOtherName = ({ parts }: Shape): boolean =>
  has(spoken(parts.map(textOf).join(' ')), OTHER_NAMES);

const RENAMES = [
  ...listed('rename|renames|renamed|renaming|move|moves|moved|moving'),
  ...joined('new|change|changes|changing|change the|changing the', 'name|path|id|key'),
];
/** What may stand before a verb: `(De)activates a box`. */
const BEFORE = listed('this|it|de|un|re|dis|operation|endpoint|call');
const CHANGES = listed('updat~|replac~|modif~|chang~|edit~');

/** It does something with the record, whatever the body has beside what that needs. */
const DEEDS = listed(
  'activat~|enabl~|able~|lock~|publish~|archiv~|approv~|reject~|cancel~|suspend~|resum~|start~|stop~|paus~|restor~|rotat~|reset~|verif~|confirm~|declin~|assign~|subscrib~|mute~|pins',
);

/** Whether a text begins with such a verb. */
function acts(text: string): boolean {
  const words = spoken(text).trim().split(' ');
  const first = words.find((word) => !BEFORE.includes(word)) ?? '';
  const isDeed = [first, first.replace(/^(?:de|un|re|dis)/, '')].some((verb) => has(` ${verb} `, DEEDS));
  return isDeed && !has(spoken(text), CHANGES);
}

const CHANGE = '(?:updat|replac|modif|chang|edit|set|writ|alter)\\w*';
const MEMBERS = '(?:field|member|property|propertie|attribute|value)s?';
/** A sentence that limits what is changed. */
const LIMITS = new RegExp(` (?:only (?:.* )?${MEMBERS} (?:.* )?${CHANGE}|only ${CHANGE}|${CHANGE} only) `);
const STORES = [
  ...listed('store|stores|stored|storing|save|saves|saved|saving|verbatim|unchanged|as is'),
  ...joined('as it|as they', 'is|are|was|were'),
];

/** What summary and description of an operation that writes say of what it leaves. */
export const writeMeaning = oncePer((operation: Operation) => {
  const text = textOf(operation.spot);
  const isLimited = limitOf(operation).size > 0;
  return {
    /** Members that a request leaves out may stay. */
    leavesAlone: isLimited || leavesAlone(text),
    /** The record may have another name afterwards. */
    renames: has(spoken(text), RENAMES),
    /** What is sent is stored as it is: without these words a text may lose the blanks at its ends. */
    stores: has(spoken(text), STORES) && !has(spoken(text), NOTATIONS),
    /** Texts may be stored in another notation, as in lower case. */
    adjusts: has(spoken(text), NOTATIONS),
    /** It does something else than to change what is sent: activates the record, say. */
    acts: acts(text),
    /** It changes some members alone, whatever is sent: see {@link mayChange}. */
    isLimited,
  };
});

/** Whether a write may change a member: where a sentence, or `x-paddock`, names those that it changes, it changes no other. */
export function mayChange(operation: Operation, name: string): boolean {
  const limit = limitOf(operation);
  return limit.size === 0 || limit.has(name);
}

/** Empty: nothing names members that alone are changed. */
const limitOf = oncePer((operation: Operation): ReadonlySet<string> => {
  const { changes } = operation.said.facts;
  const sentence = textOf(operation.spot)
    .split(/(?<=[.!?])\s/)
    .find((one) => LIMITS.test(spoken(one)));
  if (changes) return new Set(changes);
  return sentence === undefined ? new Set() : namedIn(operation, sentence);
});

function namedIn(operation: Operation, text: string): ReadonlySet<string> {
  const names = [...(bodyShape(operation)?.properties.keys() ?? [])];
  return new Set(names.filter((name) => spoken(text).includes(spoken(name))));
}

/** The members of the body that summary or description of an operation name. */
export function namedMembers(operation: Operation): ReadonlySet<string> {
  return namedIn(operation, textOf(operation.spot));
}

const KEYS = 'authentication|authorization|credentials|login|logging in|api key|api token|access token';
const WITHOUT_KEY = [
  ...joined('without|without a|without an|without any|no|need no|not need', KEYS),
  ...joined('not require|not require a|not require an|not require any', KEYS),
  ...joined(KEYS, 'is optional|is not needed|is not required|are not required'),
  ...joined('unauthenticated|anonymous', 'access|user~|client~|request~|caller~'),
  ...joined('public|publicly', 'accessible|available|endpoint|operation|route'),
];
/** What is refused for want of a credential, and not taken. */
const REFUSES = [
  ...listed('401|403|cannot|can t|can not|must not|may not|denied|forbidden|unauthori~|error|errors'),
  ...listed('fail~|refuse~|reject~'),
  ...joined('not|not be', 'possible|allowed|accessible|permitted|available'),
];

/** What summary and description of an operation say of its use. */
export const useMeaning = oncePer(({ spot }: Operation) => {
  const text = textOf(spot);
  return {
    /** An ordinary request is no handshake (RFC 6455 §4). */
    isWebSocket: has(spoken(text), listed('websocket|websockets|web socket|web sockets')),
    isNotImplemented: has(spoken(text), listed('not implemented|not yet implemented|unimplemented')),
    /** Whatever the document says of credentials elsewhere, it can be used without one, at least by some. */
    isPublic: sentencesIn(text).some((one) => has(one, WITHOUT_KEY) && !has(one, REFUSES)),
  };
});
