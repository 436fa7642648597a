import {
  foldedName,
  isNumber,
  pointerTokens,
  randomOf,
  type Shape,
  setOf,
  stringifyJson,
  toPointer,
} from '#spec';
import { type Broken, type Detail, type MockRequest, originOf } from './exchange.ts';
import { REASON_PHRASES } from './reason-phrases.ts';

export interface ErrorFacts {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: readonly Detail[];
  /** What the refused request is about, such as `pet`. */
  readonly subject: string;
  /** Undefined: the request is unknown. */
  readonly request: MockRequest | undefined;
  /** In milliseconds since 1970. */
  readonly now: number;
  /** The number of the refusal, from 1. */
  readonly number: number;
}

/** A value in an error body, and its place. */
export interface At {
  readonly shape: Shape;
  /** The member's name in lower case without separators; empty: the body. */
  readonly name: string;
  /** The example values at this place. */
  readonly examples: readonly unknown[];
  /** The members of the object around it, and which of them is the message. */
  readonly siblings: ReadonlyMap<string, Shape>;
  readonly message: string | undefined;
  readonly isRequired: boolean;
  /** Whether it is in a list or map of errors, and the error that it describes, if known. */
  readonly isItem: boolean;
  readonly detail: Detail | undefined;
  /** Whether something beside or around it has the location. */
  readonly isLocated: boolean;
  /** Whether something around it has the message. */
  readonly isSaid: boolean;
  readonly depth: number;
}

/** Members with the location of an error. */
const LOCATION = [
  'field fields fieldname fieldpath name param params parameter parametername property propertyname propertypath',
  'attribute attributename attr member path pointer jsonpointer instancepath datapath loc location target key element',
].join(' ');
const LOCATIONS = setOf(LOCATION);
export const isLocation = (name: string) => LOCATIONS.has(name);
const POINTERS = setOf('pointer jsonpointer instancepath');

export const isText = (value: unknown) => typeof value === 'string';

/** The possible values of a member, the best first. */
type Values = (facts: ErrorFacts, at: At) => readonly unknown[];

/** Splits names, several in a text, into keys of a map. */
const byName = <T>(rows: Readonly<Record<string, T>>): ReadonlyMap<string, T> =>
  new Map(
    Object.entries(rows).flatMap(([names, row]) => names.split(' ').map((name) => [name, row] as const)),
  );

const has = ({ siblings }: At, names: string) => names.split(' ').some((name) => siblings.has(name));
const exampleOf = ({ examples }: At) => examples.find(isText) as string | undefined;
export const phraseOf = ({ status }: ErrorFacts): string => REASON_PHRASES[status] ?? 'Error';
const messages: Values = ({ message }) => [message];

/** Members about the request and its outcome. */
export const WHOLE = byName<Values>({
  'status statuscode httpstatus httpstatuscode httpcode': statusesOf,
  'code errorcode errcode errorno errno errorkey slug reasoncode': (facts, at) => [
    ...codesOf(facts, at),
    facts.status,
  ],
  'title reason statustext reasonphrase httpstatustext': (facts) => [phraseOf(facts)],
  'type errortype': (facts, at) =>
    has(at, 'title') && !at.shape.values
      ? [at.shape.find('default')?.value, 'about:blank']
      : codesOf(facts, at),
  error: (facts, at) => {
    // Without these members, `error` is a code as in RFC 6749 §5.2.
    const isPhrase = has(at, 'timestamp path status statuscode errorcode');
    return [...(isPhrase ? [phraseOf(facts)] : []), ...codesOf(facts, at), true];
  },
  'message msg errormessage errordescription usermessage developermessage debugmessage': messages,
  instance: (facts) => targetsOf(facts, true),
  'path uri url requestpath requesturi requesturl endpoint': (facts) => targetsOf(facts, false),
  'method httpmethod requestmethod verb': ({ request }) => (request ? [request.method] : []),
  'timestamp errortimestamp occurredat datetime time date': momentsOf,
  'requestid traceid correlationid errorid transactionid logref spanid request': requestIds,
  'success ok succeeded issuccess valid': () => [false],
  'failed iserror failure haserror': () => [true],
  'field param parameter property pointer target attribute': ({ details: [first] }) =>
    first ? [memberPath(first)] : [],
  'count total errorcount totalerrors': ({ details }) => [details.length, 1],
});

/** Members that are filled in only if they are required. */
export const DEMANDED = byName<Values>({
  'detail details description': messages,
  'severity level loglevel': () => ['error', 'ERROR', 'Error', 'high', 'HIGH', 'High'],
  'link links href help docs docurl documentation documentationurl moreinfo info': ({ code }) => [
    `https://example.com/docs/errors/${code}`,
  ],
  'id exception class name': ({ code }, at) => styled(code, exampleOf(at)),
  'value input received rejectedvalue': () => [null, ''],
});

/** Members that describe a single error. */
export const OF_DETAIL = byName<(detail: Detail, at: At, facts: ErrorFacts) => readonly unknown[]>({
  [LOCATION]: placesOf,
  'in place locationtype paramlocation source location': (detail, at) => {
    const isBeside = [...at.siblings.keys()].some((name) => isLocation(name) && name !== at.name);
    const { place } = locationOf(detail);
    return isBeside ? [...named(at.shape, [place]), place] : placesOf(detail, at);
  },
  'value input received rejectedvalue invalidvalue actual actualvalue attemptedvalue given': ({ broken }) =>
    broken?.received === undefined ? [] : [broken.received, stringifyJson(broken.received)],
  'keyword rule constraint validator validation tag check': ({ broken }, { shape }) => [
    ...named(shape, namesOf(broken)),
    broken?.keyword,
  ],
  'type code errorcode errortype kind reason': ({ broken }, at) => {
    // Beside a message alone it is the refusal's code.
    if (!at.isLocated && !has(at, 'source')) return [];
    const names = namesOf(broken);
    return [...named(at.shape, names), ...styled(names[0] ?? '', exampleOf(at))];
  },
  'objectname object entity entityname resource resourcename model': (_detail, _at, { subject }) => [subject],
});

/** Common names of a violated keyword, our own first. */
const KEYWORDS = byName({
  required: 'required missing blank empty',
  type: 'invalid_type wrong_type type',
  'enum const': 'not_allowed invalid_choice inclusion one_of',
  'minimum exclusiveMinimum minLength minItems': 'too_small too_short too_few min size range',
  'maximum exclusiveMaximum maxLength maxItems': 'too_large too_long too_many too_big max size range',
  'pattern format': 'invalid_format pattern format',
  additionalProperties: 'unknown_member unknown unexpected',
  content: 'malformed parse_error syntax',
});

function namesOf({ keyword }: Pick<Broken, 'keyword'> = { keyword: '' }): readonly string[] {
  return [...(KEYWORDS.get(keyword)?.split(' ') ?? []), 'invalid', 'invalid_value', keyword];
}

/** Common error codes by status, the most specific first. */
const CODES: Readonly<Record<number, string>> = {
  400: 'invalidrequest badrequest validationerror validationfailed validation invalidinput invalidargument invalidparameter badparameter baduserinput \
unprocessable invalid malformed clienterror requesterror inputerror',
  401: 'unauthorized unauthenticated authentication invalidtoken auth',
  403: 'forbidden permission accessdenied notallowed auth',
  404: 'notfound doesnotexist nosuch unknown missing',
  405: 'methodnotallowed notallowed',
  409: 'conflict alreadyexists duplicate exists taken',
  412: 'preconditionfailed stale',
  413: 'toolarge',
  415: 'unsupportedmediatype mediatype contenttype',
  429: 'toomanyrequests ratelimit',
  500: 'internal servererror apierror unexpected system unknown',
  503: 'unavailable',
};

const codeWords = (status: number) => CODES[status]?.split(' ') ?? [];

/** Error codes in the format of the listed values or the example. */
export function codesOf(facts: ErrorFacts, at: At): string[] {
  const { status, code, subject } = facts;
  const exact = named(at.shape, [code, phraseOf(facts), ...codeWords(status)], subject);
  return [...exact, ...named(at.shape, codeWords(status < 500 ? 400 : 500)), ...styled(code, exampleOf(at))];
}

/** The listed value with such a name, else one that contains it: about the subject, or the shortest. */
function named({ values = [] }: Shape, wanted: readonly string[], subject = ''): string[] {
  const listed = values
    .filter((value): value is string => isText(value))
    .map((value) => ({ value, plain: foldedName(value) }))
    .sort((left, right) => left.plain.length - right.plain.length)
    .sort((left, right) => Number(right.plain.includes(subject)) - Number(left.plain.includes(subject)));
  const names = wanted.map(foldedName);
  const equal = names.flatMap((name) => listed.filter(({ plain }) => plain === name));
  const inside = names.flatMap((name) => listed.filter(({ plain }) => plain.includes(name)));
  return [...equal, ...inside].map(({ value }) => value);
}

/** `NOT_FOUND`, `NotFound`, `notFound`, `not-found`, in the style of the example. */
function styled(code: string, example: string | undefined): string[] {
  const parts = code.split('_');
  const pascal = parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('');
  if (example === undefined) return [code, code.toUpperCase(), pascal];
  if (/^[A-Z][A-Z\d]+(?:_[A-Z\d]+)*$/.test(example)) return [code.toUpperCase()];
  if (/^[A-Z][A-Za-z]+$/.test(example)) return [pascal];
  if (/^[a-z]+[A-Z][A-Za-z]*$/.test(example)) return [pascal.charAt(0).toLowerCase() + pascal.slice(1)];
  return [/^[a-z]+(?:-[a-z]+)+$/.test(example) ? parts.join('-') : code];
}

/** The status in the member's type: a number, a text, a word, or a flag for success. */
function statusesOf(facts: ErrorFacts, at: At): unknown[] {
  const [digits, phrase, example] = [String(facts.status), phraseOf(facts), exampleOf(at)];
  const failed = ['error', 'fail', 'failure', 'failed'];
  const isNumbered = at.siblings.get('code')?.mainType === 'integer';
  if (at.shape.values)
    return [facts.status, digits, phrase, ...named(at.shape, failed), ...codesOf(facts, at)];
  const text = () => {
    if (at.isItem || /^\d{3}$/.test(example ?? '')) return digits;
    if (failed.includes(example?.toLowerCase() ?? '')) return example;
    if (isNumbered && at.depth > 1) return GOOGLE[facts.status] ?? facts.code.toUpperCase();
    if (example !== undefined || isNumbered) return phrase;
    return has(at, 'title detail error path timestamp reason') ? digits : 'error';
  };
  return [facts.status, text(), false];
}

/** Names of google.rpc.Code that differ from our own codes in capitals. */
const GOOGLE: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  409: 'ALREADY_EXISTS',
  412: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
};

/** The time in the format of the example, else of the schema. */
function momentsOf({ now }: ErrorFacts, { examples }: At): unknown[] {
  const iso = new Date(now).toISOString();
  const [day, time] = [iso.slice(0, 10), iso.slice(11, 19)];
  const texts = [iso, `${day}T${time}Z`, `${day}T${time}`, `${day} ${time}`, day];
  const form = (text: unknown) => String(text).replace(/\d/g, '0');
  const alike = texts.filter((text) => examples.some((example) => form(example) === form(text)));
  const seconds = Math.floor(now / 1000);
  const isSeconds = examples.some((value) => isNumber(value) && Number(value) < 1e11);
  return [...alike, ...texts, ...(isSeconds ? [seconds] : []), now, seconds];
}

/** Path and query as sent, with characters that no URI may have percent-encoded. */
function targetsOf({ request }: ErrorFacts, withQuery: boolean): string[] {
  if (!request) return [];
  const { prefix = '', path, query } = request;
  const target = prefix + path + (withQuery && query !== '' ? `?${query}` : '');
  const encoded = target.replace(/[^\w\-.~!$&'()*+,;=:@%/?]/gu, encodeURIComponent);
  return [encoded, originOf(request) + encoded];
}

/** The client's request id, else a generated one. */
function requestIds(facts: ErrorFacts): string[] {
  const { request, number } = facts;
  const sent = ['x-request-id', 'x-correlation-id'].flatMap((name) => request?.headers[name] ?? []);
  const random = randomOf(`request ${request?.method} ${targetsOf(facts, true)[0]} ${number}`);
  const hex = Array.from({ length: 32 }, () => random.integer(0, 15).toString(16)).join('');
  const uuid = hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-a$4-');
  return [...sent.slice(0, 1), uuid, hex, hex.slice(0, 16)];
}

/** The part of the request with the error, `body`, `query` or the name of a header, and the steps within it. */
export function locationOf({ where, broken }: Detail): { place: string; steps: (string | number)[] } {
  const [first = '', ...parts] = where.split('.');
  const steps = broken ? [...(broken.name ? [broken.name] : []), ...pointerTokens(broken.pointer)] : parts;
  const asIndex = (step: string) => (/^\d+$/.test(step) ? Number(step) : step);
  return { place: broken?.in ?? first, steps: steps.map(asIndex) };
}

/** The path of the member or parameter for clients: `address.street`, `items.0.name`; `body` for the whole. */
export function memberPath(detail: Detail): string {
  const { place, steps } = locationOf(detail);
  return steps.length === 0 ? place : steps.join('.');
}

export const sentence = (detail: Detail) => `${memberPath(detail)} ${detail.message}`;

/** The location in the format of the name or example: a pointer, or names with dots. */
function placesOf(detail: Detail, at: At): string[] {
  const { name, siblings } = at;
  const example = exampleOf(at) ?? '';
  const { place, steps } = locationOf(detail);
  // JSON:API: a pointer into the body, or the name of a parameter.
  if (name === (place === 'body' ? 'parameter' : 'pointer') && has(at, 'pointer') && has(at, 'parameter'))
    return [];
  if (POINTERS.has(name) || /^[#/]/.test(example)) {
    const pointer = toPointer(steps.map(String));
    return example.startsWith('#') ? [`#${pointer}`] : [pointer, `#${pointer}`];
  }
  const path = steps.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  );
  return [name === 'location' && !siblings.has('path') && path ? `${place}.${path}` : path || place];
}
