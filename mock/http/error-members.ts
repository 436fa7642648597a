import { type ErrorRoles, isNumber, plainName, roughlyFits, type Shape, sample, stringifyJson } from '#spec';
import { codesOf, googleStatus, namedValues, styled } from './error-codes.ts';
import {
  type ErrorFacts,
  locationOf,
  memberPath,
  momentTexts,
  originOf,
  phraseOf,
  requestIds,
  sentenceOf,
  targetOf,
} from './error-facts.ts';
import type { Detail } from './exchange.ts';
import { allWords, type Dialect, wordOf } from './violation-words.ts';

/** What a value states: a refusal, or one thing that was wrong. */
export interface Stated extends ErrorFacts {
  /** Undefined: the refusal as a whole. */
  readonly detail: Detail | undefined;
}

/** Makes the value of a member; undefined: nothing is to be said there. */
export type Fill = (stated: Stated) => unknown;

/** A member of an error body, and where it stands. */
export interface ErrorMember {
  readonly name: string;
  readonly shape: Shape;
  /** What the document shows there, and the first text of it. */
  readonly shown: readonly unknown[];
  readonly example: string | undefined;
  /** The object's schema, the names of its members without signs, and what they are. */
  readonly siblings: ReadonlyMap<string, Shape>;
  readonly roles: ErrorRoles;
  /** The member that the object stands in; empty: it is the body. */
  readonly within: string;
  /** Whether the object is one of a list or a map of what was wrong. */
  readonly isItem: boolean;
  /** Whether the object is that of RFC 6749. */
  readonly isOAuth: boolean;
  /** Whether the message need not say where. */
  readonly isLocated: boolean;
}

/** The values that a member of a name may have, the best first. */
type Candidates = (stated: Stated, member: ErrorMember) => readonly unknown[];

interface Meaning {
  /** Of names without signs, in lower case. */
  readonly names: RegExp;
  readonly candidates: Candidates;
  /** Made only where the schema demands the member. */
  readonly isSpare?: true;
}

/** Names of the member that was wrong. */
const LOCATION =
  /^(?:fields?|fieldname|fieldpath|name|param|params|parameter|parametername|property|propertyname|propertypath|attribute|attributename|attr|member|membername|path|pointer|jsonpointer|instancepath|datapath|loc|location|target|key|element|argument)$/;

export const isLocation = (name: string) => LOCATION.test(plainName(name));

/** In an item: the place beside a member of its own for what is in there. */
const PLACE = /^(?:in|location|place|locationtype|paramlocation|source)$/;

const has = ({ siblings }: ErrorMember, names: RegExp) =>
  [...siblings.keys()].some((name) => names.test(name));

const VALUE =
  /^(?:rejectedvalue|value|input|invalidvalue|received|actual|actualvalue|attemptedvalue|providedvalue|provided|given)$/;

/** Whether `error` names the status, and not what OAuth has there (RFC 6749 §5.2). */
const isBesideStatus = (member: ErrorMember) =>
  !member.isOAuth &&
  (member.roles.status !== undefined || has(member, /^(?:timestamp|path|status|errorcode|statuscode)$/));

/** The usual meanings of scalar members: what is wrong with a request, and how it ended. */
const WHOLE: readonly Meaning[] = [
  {
    names: /^(?:status|statuscode|httpstatus|httpstatuscode|httpcode)$/,
    candidates: (stated, member) => [stated.status, ...statusTexts(stated, member), false],
  },
  {
    names: /^(?:code|errorcode|errcode|errorno|errno|errorkey|slug|reasoncode)$/,
    candidates: (stated, member) => [...codesOf(stated, member), stated.status],
  },
  { names: /^title$/, candidates: (stated) => [phraseOf(stated)] },
  {
    names: /^(?:type|errortype)$/,
    candidates: (stated, member) =>
      (stated.isProblem || has(member, /^title$/)) && !member.shape.values
        ? [member.shape.find('default')?.value, 'about:blank']
        : codesOf(stated, member),
  },
  {
    names: /^error$/,
    candidates: (stated, member) => {
      const codes = codesOf(stated, member);
      return [...(isBesideStatus(member) ? [phraseOf(stated)] : []), ...codes, true];
    },
  },
  {
    // An object that is made from a request often has it there.
    names: /^details$/,
    candidates: (stated, member) => (has(member, /^timestamp$/) ? [`uri=${targetOf(stated, false)}`] : []),
  },
  {
    names: /^(?:details?|description)$/,
    candidates: ({ message }) => [message],
    isSpare: true,
  },
  {
    names:
      /^(?:debugmessage|developermessage|usermessage|displaymessage|localizedmessage|errormessage|errordescription|message|msg)$/,
    candidates: ({ message }) => [message],
  },
  {
    names: /^(?:reason|statustext|reasonphrase|httpstatustext)$/,
    candidates: (stated) => [phraseOf(stated)],
  },
  {
    names: /^instance$/,
    candidates: (stated) =>
      stated.request ? [targetOf(stated, true), originOf(stated) + targetOf(stated, true)] : [],
  },
  {
    names: /^(?:path|uri|requestpath|requesturi|requesturl|endpoint)$/,
    candidates: (stated) =>
      stated.request ? [targetOf(stated, false), originOf(stated) + targetOf(stated, false)] : [],
  },
  {
    names: /^(?:method|httpmethod|requestmethod|verb)$/,
    candidates: ({ request }) => (request ? [request.method, request.method.toLowerCase()] : []),
  },
  { names: /^(?:timestamp|errortimestamp|occurredat|datetime|time|date)$/, candidates: momentsOf },
  {
    names:
      /^(?:requestid|traceid|correlationid|errorid|incidentid|transactionid|reference|logref|spanid|request)$/,
    candidates: requestIds,
  },
  { names: /^(?:success|ok|succeeded|issuccess|valid)$/, candidates: () => [false] },
  { names: /^(?:failed|iserror|failure|haserror)$/, candidates: () => [true] },
  {
    names: /^(?:field|param|parameter|property|pointer|target|attribute)$/,
    candidates: ({ details: [first] }) => (first ? [memberPath(first)] : []),
  },
  { names: /^(?:count|total|errorcount|totalerrors)$/, candidates: ({ details }) => [details.length, 1] },
  {
    names: /^(?:severity|level|loglevel)$/,
    candidates: () => ['error', 'ERROR', 'Error', 'high', 'HIGH', 'High'],
    isSpare: true,
  },
  {
    names:
      /^(?:link|links?|href|url|help|helpurl|helplink|docs?|docurl|docsurl|documentation|documentationurl|moreinfo|infolink|info)$/,
    candidates: ({ code }) => [`https://example.com/docs/errors/${code}`],
    isSpare: true,
  },
  {
    names: /^(?:id|exception|class|name)$/,
    candidates: ({ code }, { example }) => styled(code, example),
    isSpare: true,
  },
  { names: /^(?:retryafter|retryin)$/, candidates: () => [1], isSpare: true },
  { names: /^(?:locale|lang|language)$/, candidates: () => ['en', 'en-US'], isSpare: true },
  { names: /^(?:trace|stack|stacktrace)$/, candidates: () => [''], isSpare: true },
  { names: VALUE, candidates: () => [null, ''], isSpare: true },
];

/** What members of an item mean where it is of one thing that was wrong. */
const OF_DETAIL: readonly Meaning[] = [
  {
    names: PLACE,
    candidates: ({ detail }, member) => {
      const { place } = locationOf(detail as Detail);
      const isBeside = [...member.siblings.keys()].some(
        (name) => LOCATION.test(name) && name !== plainName(member.name),
      );
      return isBeside ? [...namedValues(member.shape, [place]), place] : placesOf(detail as Detail, member);
    },
  },
  { names: LOCATION, candidates: ({ detail }, member) => placesOf(detail as Detail, member) },
  {
    names: VALUE,
    candidates: ({ detail }) => {
      const received = detail?.broken?.received;
      if (received === undefined) return [];
      return [received, typeof received === 'string' ? received : stringifyJson(received)];
    },
  },
  {
    names: /^(?:keyword|rule|constraint|validator|validation|tag|check)$/,
    candidates: ({ detail }, { shape }) => {
      const keyword = detail?.broken?.keyword;
      return keyword === undefined ? [] : [...namedValues(shape, allWords(detail as Detail)), keyword];
    },
  },
  {
    names: /^(?:type|code|errorcode|errortype|kind|reason)$/,
    candidates: ({ detail }, member) => {
      // Beside a message alone it is the code of the refusal.
      if (!member.isLocated && !has(member, /^source$/)) return [];
      const word = wordOf(detail as Detail, dialectOf(member));
      return [
        ...namedValues(member.shape, allWords(detail as Detail)),
        ...styled(word, member.example),
        word,
      ];
    },
  },
  {
    names: /^(?:objectname|object|entity|entityname|resource|resourcename|model)$/,
    candidates: ({ subject }) => [subject],
  },
];

function statusTexts(stated: ErrorFacts, member: ErrorMember): string[] {
  const digits = String(stated.status);
  const phrase = phraseOf(stated);
  const { shape, example, within, isItem } = member;
  const listed = namedValues(shape, ['error', 'fail', 'failure', 'failed', 'ko']);
  if (shape.values) return [digits, phrase, ...listed, ...codesOf(stated, member)];
  if (isItem || /^\d{3}$/.test(String(example))) return [digits];
  if (/^[A-Z_]+$/.test(String(example)))
    return [/^(?:ERROR|FAIL)/.test(String(example)) ? String(example) : googleStatus(stated)];
  if (/^(?:error|fail\w*)$/i.test(String(example))) return [String(example)];
  if (example !== undefined) return [phrase];
  const isNumbered = member.siblings.get('code')?.mainType === 'integer';
  if (isNumbered) return [within === '' ? phrase : googleStatus(stated)];
  return has(member, /^(?:title|detail|error|path|timestamp|reason)$/) ? [digits] : ['error'];
}

function momentsOf(stated: ErrorFacts, { shape, shown, example }: ErrorMember): unknown[] {
  const { now } = stated;
  const { mainType } = shape;
  if (mainType === 'integer' || mainType === 'number') {
    const isSeconds = shown.some((value) => isNumber(value) && Number(value) < 1e11);
    const seconds = mainType === 'number' ? now / 1000 : Math.floor(now / 1000);
    return isSeconds || mainType === 'number' ? [seconds, now] : [now, seconds];
  }
  const texts = momentTexts(stated);
  const digitless = (text: string) => text.replace(/\d/g, '0');
  const alike = texts.filter((text) => digitless(text) === digitless(String(example)));
  return [...alike, ...texts, ...[Math.floor(now / 1000)]];
}

/** The place in the form that the name, or the schema's example, asks for: a pointer, or names with dots. */
function placesOf(detail: Detail, { name, example = '', siblings }: ErrorMember): string[] {
  const { place, steps } = locationOf(detail);
  const pointer = steps
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
  const path = steps.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
  const plain = plainName(name);
  const isPointer = /pointer$|^instancepath$/.test(plain) || /^[#/]/.test(example);
  if (isPointer) return /^#/.test(example) ? [`#${pointer}`] : [pointer, `#${pointer}`];
  if (/^\$\./.test(example)) return [`$.${path}`];
  const isAlone = plain === 'location' && ![...siblings.keys()].includes('path');
  if (isAlone || /^(?:body|query|path|header)\./.test(example)) return [path ? `${place}.${path}` : place];
  return [path || place];
}

function dialectOf({ siblings, roles }: ErrorMember): Dialect {
  if (siblings.has('loc')) return 'pydantic';
  const isSpring = ['defaultmessage', 'objectname', 'rejectedvalue'].some((name) => siblings.has(name));
  if (isSpring) return 'spring';
  return siblings.get('path')?.mainType === 'array' && roles.code !== undefined ? 'zod' : 'plain';
}

/** The value of a scalar member; undefined: its name says nothing, or only where the schema demands it. */
export function compileScalar(member: ErrorMember, isRequired: boolean): Fill | undefined {
  const { name, shape, roles, isItem } = member;
  if (name === roles.message || isMessage(member)) return (stated) => messageIn(stated, member);
  const plain = plainName(name);
  const matches = ({ names, isSpare }: Meaning) => names.test(plain) && (isRequired || !isSpare);
  const ofDetail = isItem ? OF_DETAIL.filter(matches) : [];
  const whole = WHOLE.filter((meaning) => matches(meaning) && !(isItem && LOCATION.test(plain)));
  if (ofDetail.length + whole.length === 0) return undefined;
  const [only, ...others] = shape.values ?? [];
  const last = others.length === 0 && typeof only === 'string' ? only : undefined;
  return (stated) => {
    const candidates = stated.detail ? ofDetail.flatMap((one) => one.candidates(stated, member)) : [];
    const fitting = candidates.find((value) => fits(shape, value));
    if (fitting !== undefined) return fitting;
    const all = whole.flatMap((one) => one.candidates(stated, member));
    return all.find((value) => fits(shape, value)) ?? last;
  };
}

/** What Spring calls the message of a field. */
const isMessage = ({ name, isItem, roles }: ErrorMember) =>
  isItem &&
  roles.message === undefined &&
  /^(?:defaultmessage|errormsg|text|info|problem|issue)$/.test(plainName(name));

function messageIn(stated: Stated, member: ErrorMember): unknown {
  const { detail, message } = stated;
  const { shape, isItem, isLocated, siblings } = member;
  if (shape.values) return codesOf(stated, member).find((value) => fits(shape, value));
  if (!isItem || !detail) return shortened(shape, message);
  const isPydantic = siblings.has('loc') && detail.broken?.keyword === 'required';
  if (isPydantic) return shortened(shape, 'Field required');
  return shortened(shape, isLocated ? detail.message : sentenceOf(detail));
}

/** A text that is longer than its schema allows loses its end. */
function shortened(member: Shape, text: string): string {
  const longest = member.lowest('maxLength');
  return longest === undefined ? text : [...text].slice(0, longest).join('');
}

export function fits(shape: Shape, value: unknown): boolean {
  if (value === undefined || !roughlyFits(shape, value)) return false;
  const { alternatives } = shape;
  return alternatives.length === 0 || alternatives.some((branch) => roughlyFits(branch, value));
}

/**
 * What a demanded member has of which the name says nothing: the message, where no other member has it; else what the
 * document shows, or what says least.
 */
export function neutral(member: Shape, examples: readonly unknown[], isSaid: boolean): Fill {
  const sampled = sample(member, { key: 'error', include: () => false });
  if (member.values) return () => sampled;
  const isPlain = isText(sampled) && !member.find('format') && !member.find('pattern');
  const said = (stated: Stated) => {
    const text = shortened(member, isSaid ? phraseOf(stated) : stated.message);
    return fits(member, text) ? text : sampled;
  };
  if (isPlain && !isSaid) return said;
  const shown = [member.find('default')?.value, ...examples].filter((value) => value !== undefined);
  const isNullable = member.nullable || member.alternatives.some(({ nullable }) => nullable);
  const least = [...(isNullable ? [null] : []), false, 0, ...(member.mainType === 'array' ? [[]] : [])];
  const known = [...shown, ...least].find((value) => fits(member, value));
  if (known !== undefined) return () => known;
  return isPlain ? said : () => sampled;
}

const isText = (value: unknown) => typeof value === 'string';
