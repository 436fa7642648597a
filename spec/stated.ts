import { oncePer } from './json/once-per.ts';
import { has, joined, listed, sentencesIn, spoken, textOf } from './meaning/words.ts';
import type { Operation } from './operation.ts';
import { bodyShape } from './resources/record-schema.ts';
import type { Shape } from './schema/shape.ts';

/**
 * Recognises phrases in descriptions that say how a service may deviate from a promise. They cancel or weaken a
 * promise, and never make one.
 */

/** Whether a sentence has a phrase from each of these tables. */
const hasAll = (sentence: string, ...tables: readonly (readonly string[])[]) =>
  tables.every((phrases) => has(sentence, phrases));

const KEPT_BY_SERVICE = [
  ...joined('by|by the', 'server|service|system|api'),
  ...joined('calculated|computed', 'by|from|using'),
  ...joined('automatically|auto', 'generated|incremented|assigned|set|created|updated|filled|computed'),
  ...joined('set|generated|assigned|updated|filled', 'automatically'),
  ...listed('read only|readonly|server side|server generated'),
];
/** A constant value: `Set to "Zone"`. */
const CONSTANT = /^(?:is |always )*set to ["'“‘`][^"'”’`]*["'”’`]\.?$/i;
/** The record of an event, such as `The batch that customers have been notified of`, rather than whether it happened. */
const HAPPENED = joined(
  'has been|have been|has last been',
  'sent|seen|received|processed|delivered|updated|changed|checked|read|used|called|notified|counted',
);
const WHETHER = listed('whether|if|true');
/** Notations in which a text may be stored. */
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
  has(spoken(text), LEAVES_ALONE) || sentencesIn(text).some((sentence) => hasAll(sentence, ['only'], GIVEN));

/** The meaning of a record member's description. */
export const statedMember = oncePer((member: Shape) => {
  const text = member.parts.map(textOf).join(' ');
  const sentences = sentencesIn(text);
  return {
    /** The service sets it itself, whatever a client sends. */
    isKeptByService:
      has(spoken(text), KEPT_BY_SERVICE) ||
      CONSTANT.test(text) ||
      sentences.some((sentence) => has(sentence, HAPPENED) && !has(sentence, WHETHER)),
    /** The service may store a value other than the one sent. */
    isAdjusted: has(spoken(text), ADJUSTED),
    /** It is only sent, and never in a response. */
    isWrittenAlone: sentences.some(
      (sentence) =>
        (has(sentence, NOT_SHOWN) && !has(sentence, LISTS)) || hasAll(sentence, ONLY, AT_CREATION),
    ),
    /** A list need not contain it. */
    isHiddenInLists: sentences.some(
      (sentence) => hasAll(sentence, HIDDEN, LISTS) || hasAll(sentence, ONLY, SHOWN, SINGLE),
    ),
    /** A replacement without it need not remove it. */
    isLeftAlone: leavesAlone(text),
  };
});

const OTHER_NAMES = joined('alias|synonym|other name|another name|alternative name', 'for|of');

/** Whether a member is described as a copy of another: `Alias for the id`. */
export const isOtherName = ({ parts }: Shape): boolean =>
  has(spoken(parts.map(textOf).join(' ')), OTHER_NAMES);

const RENAMES = [
  ...listed('rename|renames|renamed|renaming|move|moves|moved|moving'),
  ...joined('new|change|changes|changing|change the|changing the', 'name|path|id|key'),
];
/** Words and prefixes before the verb: `(De)activates a box`. */
const BEFORE = listed('this|it|de|un|re|dis|operation|endpoint|call');
const CHANGES = listed('updat~|replac~|modif~|chang~|edit~');

/** Verbs for an effect on the record beyond storing the body. */
const DEEDS = listed(
  'activat~|enabl~|able~|lock~|publish~|archiv~|approv~|reject~|cancel~|suspend~|resum~|start~|stop~|paus~|restor~|rotat~|reset~|verif~|confirm~|declin~|assign~|subscrib~|mute~|pins',
);

/** Whether a text starts with such a verb. */
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

/** How summary and description of a write limit what it changes. */
export const writeMeaning = oncePer((operation: Operation) => {
  const text = textOf(operation.spot);
  const isLimited = limitOf(operation).size > 0;
  return {
    /** Members missing in the request may keep their values. */
    leavesAlone: isLimited || leavesAlone(text),
    /** The record's name may change. */
    renames: has(spoken(text), RENAMES),
    /** The values sent are stored unchanged; otherwise a text may be trimmed. */
    stores: has(spoken(text), STORES) && !has(spoken(text), NOTATIONS),
    /** Texts may be stored in another notation, such as lower case. */
    adjusts: has(spoken(text), NOTATIONS),
    /** It has another effect than storing what is sent, such as activating the record. */
    acts: acts(text),
    /** It changes certain members only, whatever is sent: see {@link mayChange}. */
    isLimited,
  };
});

/**
 * Whether a write may change a member. If a sentence or `x-paddock` names the members that it changes, it may change no
 * other.
 */
export function mayChange(operation: Operation, name: string): boolean {
  const limit = limitOf(operation);
  return limit.size === 0 || limit.has(name);
}

/** The members that alone are changed; empty if they are not named. */
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

/** The body members that the operation's summary or description mentions. */
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
/** Words for a refusal without a credential, rather than acceptance. */
const REFUSES = [
  ...listed('401|403|cannot|can t|can not|must not|may not|denied|forbidden|unauthori~|error|errors'),
  ...listed('fail~|refuse~|reject~'),
  ...joined('not|not be', 'possible|allowed|accessible|permitted|available'),
];

/** The meaning of an operation's summary and description for its use. */
export const useMeaning = oncePer(({ spot }: Operation) => {
  const text = textOf(spot);
  return {
    /** A WebSocket handshake (RFC 6455 §4) is no ordinary request. */
    isWebSocket: has(spoken(text), listed('websocket|websockets|web socket|web sockets')),
    isNotImplemented: has(spoken(text), listed('not implemented|not yet implemented|unimplemented')),
    /** At least some clients can use it without a credential, whatever the document says elsewhere. */
    isPublic: sentencesIn(text).some((sentence) => has(sentence, WITHOUT_KEY) && !has(sentence, REFUSES)),
  };
});
