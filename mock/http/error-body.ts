import {
  errorRoles,
  foldedName,
  isNumber,
  isRecord,
  pointerTokens,
  randomOf,
  roughlyFits,
  type Shape,
  sample,
  setOf,
  stringifyJson,
  toPointer,
} from '#spec';
import { type Broken, type Detail, type MockRequest, originOf } from './exchange.ts';
import { memoize } from './memoize.ts';
import { REASON_PHRASES } from './reason-phrases.ts';

export interface ErrorFacts {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: readonly Detail[];
  /** What the refused request is about, such as `pet`. */
  readonly subject: string;
  /** Undefined: nobody knows. */
  readonly request: MockRequest | undefined;
  /** In milliseconds since 1970. */
  readonly now: number;
  /** Of the refusal, counted from 1. */
  readonly number: number;
}

/** A value of an error body, and where it stands. */
interface At {
  readonly shape: Shape;
  /** The member without signs, in lower case; empty: the body. */
  readonly name: string;
  /** What the document shows there. */
  readonly shown: readonly unknown[];
  /** The members of the object that it stands in, and which of them is the message. */
  readonly siblings: ReadonlyMap<string, Shape>;
  readonly message: string | undefined;
  readonly isRequired: boolean;
  /** Whether it is in a list or map of what was wrong; the one thing that is meant, if it is known. */
  readonly isItem: boolean;
  readonly detail: Detail | undefined;
  /** Whether something beside or around it says where. */
  readonly isLocated: boolean;
  /** Whether something around it has the message. */
  readonly isSaid: boolean;
  readonly depth: number;
}

const BODY = {
  ...{ name: '', siblings: new Map(), message: undefined, isRequired: true },
  ...{ isItem: false, detail: undefined, isLocated: false, isSaid: false, depth: 0 },
};

const MAX_DEPTH = 6;

/** Members that have what was wrong, as a list or a map; so do those whose names end with two of these. */
const LISTS = setOf(
  'error errors violations issues fields problems causes failures detail details message messages fullmessages reason reasons \
invalid invalidparams invalidparameters invalidfields invalidproperties invalidattributes',
);
const isProblems = (name: string) =>
  LISTS.has(name) || name.endsWith('errors') || name.endsWith('violations');

/** Members that have what is not about any member. */
const GENERAL = setOf('body base errors nonfielderrors message messages details general global schema');

/** Objects that state the error, too, where they may be left out. */
const INNER = setOf('error errors fault problem failure exception status extensions source');

/** Members that say where something is wrong. */
const LOCATION =
  'field fields fieldname fieldpath name param params parameter parametername property propertyname propertypath \
attribute attributename attr member path pointer jsonpointer instancepath datapath loc location target key element';
const LOCATIONS = setOf(LOCATION);
const isLocation = (name: string) => LOCATIONS.has(name);
const PATHS = setOf('loc path location');
const POINTERS = setOf('pointer jsonpointer instancepath');
const ISSUE = setOf('defaultmessage errormsg text info problem issue');
const WHAT = setOf('issue problem text info code errorcode constraint rule');

/**
 * A sample of a documented error schema, in which each fact stands in the members whose name and type ask for it: a list
 * or a map of what was wrong has one entry for each detail. What is not understood is left out where it may be.
 * @param examples what the document shows as such a body: how codes, moments and paths are written there
 */
export function errorBody(shape: Shape, examples: readonly unknown[], facts: ErrorFacts): unknown {
  const at: At = { ...BODY, shape, shown: [...shape.examples, ...examples] };
  const made = stated(facts, at) ?? neutral(facts, at);
  if (!isRecord(made) || shape.properties.size > SMALL) return made;
  // A small body has one member for the text, whatever its name is.
  const texts = [facts.message, ...facts.details.map(({ message }) => message)];
  if (texts.some((one) => stringifyJson(made).includes(JSON.stringify(one).slice(1, MARKED)))) return made;
  const [free] =
    [...shape.properties].find(([name, own]) => !(name in made) && fits(own, facts.message)) ?? [];
  return free === undefined ? made : { ...made, [free]: facts.message };
}

const SMALL = 4;

/** What is left of a text that is shortened. */
const MARKED = 8;

/** Undefined: nothing can be said there. */
function stated(facts: ErrorFacts, at: At, isKeyed = false): unknown {
  if (at.depth > MAX_DEPTH) return undefined;
  for (const shape of branchesOf(at.shape, isKeyed)) {
    const value = statedAs(facts, { ...at, shape });
    if (value !== undefined) return value;
  }
  return undefined;
}

function statedAs(facts: ErrorFacts, at: At): unknown {
  const { shape, name, isRequired } = at;
  if (shape.mainType === 'array') return listOf(facts, at);
  if (shape.properties.size > 0)
    return isRequired || INNER.has(name) || isProblems(name) ? objectOf(facts, at) : undefined;
  if (shape.mainType !== 'object') return scalarOf(facts, at);
  return name === '' || isProblems(name) ? mapOf(facts, at) : undefined;
}

/** What states more comes first: lists, maps and objects before texts; in a map no further map. */
function branchesOf(shape: Shape, isKeyed = false): readonly Shape[] {
  const branches = shape.alternatives.filter(({ mainType }) => mainType !== 'null');
  if (branches.length === 0) return [shape];
  const rank = ({ mainType, properties }: Shape) => {
    if (mainType === 'array') return 0;
    if (properties.size > 0) return 2;
    return mainType === 'object' ? (isKeyed ? 3 : 1) : 4;
  };
  return [...branches].sort((one, other) => rank(one) - rank(other));
}

function objectOf(facts: ErrorFacts, at: At): object | undefined {
  const { shape, name, isItem } = at;
  const { message, siblings, members, hasPlace } = membersOf(shape);
  if (isProblems(name) && message === undefined && !isItem) return mapOf(facts, at);
  const isLocated = at.isLocated || hasPlace;
  const isSaid = at.isSaid || message !== undefined;
  const made: Record<string, unknown> = {};
  for (const { key, plain, own, isRequired } of members) {
    const shown = at.shown.filter(isRecord).flatMap((one) => (Object.hasOwn(one, key) ? [one[key]] : []));
    const member: At = {
      ...{ ...at, shape: own, name: plain, siblings, isRequired, isLocated, isSaid, message },
      ...{ shown: [...own.examples, ...shown], depth: at.depth + 1 },
    };
    const value = stated(facts, member) ?? (isRequired ? neutral(facts, member) : undefined);
    if (value !== undefined) made[key] = value;
  }
  for (const key of shape.required.keys()) if (!shape.properties.has(key)) made[key] = facts.message;
  return at.isRequired || Object.keys(made).length > 0 ? made : undefined;
}

/** The members of an object, which of them is the message, and whether one says where. */
const membersOf = memoize((shape: Shape) => {
  const { properties, required } = shape;
  const message = messageOf(shape);
  const members = [...properties].map(([key, own]) => ({
    ...{ key, plain: foldedName(key), own, isRequired: required.has(key) },
  }));
  return {
    ...{
      members,
      message: message && foldedName(message),
      siblings: new Map(members.map((one) => [one.plain, one.own])),
    },
    hasPlace: members.some(({ plain }) => isLocation(plain)),
  };
});

/** Where a list has the messages, `title` and `error` name the status. */
function messageOf(shape: Shape): string | undefined {
  const { message } = errorRoles(shape);
  const isBeside = [...shape.properties].some(([key, { mainType }]) => {
    if (mainType !== 'array' && mainType !== 'object') return false;
    const name = foldedName(key);
    return message === 'title' ? isProblems(name) : message === 'error' && name.startsWith('message');
  });
  return isBeside ? undefined : message;
}

/** From the path of a member to what was wrong with it: a map, or an object whose members are called so. */
function mapOf(facts: ErrorFacts, at: At): object | undefined {
  const { shape, name, isSaid, shown } = at;
  const { properties, additional } = shape;
  const isClosed = shape.all('additionalProperties').some(({ value }) => value === false);
  const isNamed = properties.size > 0;
  const isFree = additional === undefined;
  if (!isNamed && (isClosed || (isFree && name === ''))) return undefined;
  if (facts.details.length === 0 && isSaid) return undefined;
  const general = isNamed ? [...properties.keys()].find((key) => GENERAL.has(foldedName(key))) : 'base';
  const groups = Map.groupBy(facts.details, (detail) => {
    const path = memberPath(detail);
    const [first = ''] = path.split('.', 1);
    return isNamed ? (properties.has(first) ? first : general) : path;
  });
  if (facts.details.length === 0) groups.set(general, []);
  const isOfTexts = isFree && shown.some((one) => isRecord(one) && Object.values(one).some(isText));
  const made: Record<string, unknown> = {};
  for (const [key, own] of [...groups].slice(0, shape.lowest('maxProperties'))) {
    if (key === undefined) continue;
    const value = keyed(facts, { ...at, isLocated: key !== general }, properties.get(key) ?? additional, own);
    if (value !== undefined) made[key] = isOfTexts && Array.isArray(value) ? value.join('; ') : value;
  }
  for (const [key, own] of properties)
    if (shape.required.has(key) && !Object.hasOwn(made, key))
      made[key] = neutral(facts, { ...at, shape: own, shown: own.examples });
  return made;
}

/** What was wrong with one member, in the form that the schema of a map's values has. */
function keyed(facts: ErrorFacts, at: At, shape: Shape | undefined, own: readonly Detail[]): unknown {
  const texts = own.length > 0 ? own.map((one) => textOf(one, at)) : [facts.message];
  const [branch] = shape ? branchesOf(shape, true) : [];
  if (!branch) return texts;
  if (branch.mainType === 'string') return texts.join('; ');
  const isList = branch.mainType === 'array';
  const item = isList ? branch.items : branch;
  if (!item || (isList && (item.mainType ?? 'string') === 'string')) return texts;
  const inner = { ...at, shape: item, isItem: true, isRequired: true, isSaid: false, depth: at.depth + 1 };
  const all = own.length > 0 ? own : [undefined];
  const made = all.map((detail) => stated(facts, { ...inner, shown: item.examples, detail }, true));
  return isList ? made : made[0];
}

/** A list of what was wrong, in objects or in texts; or of the steps that lead to it. */
function listOf(facts: ErrorFacts, at: At): unknown[] | undefined {
  const { shape, name, detail, isItem } = at;
  const kinds = shape.items ? branchesOf(shape.items) : [];
  const isOfTexts = kinds.every(({ values }) => !values) && (kinds.length === 0 || kinds.some(isOfText));
  if (isItem && isOfTexts && PATHS.has(name)) {
    const { place, steps } = detail ? locationOf(detail) : { place: '', steps: [] };
    const whole = name === 'path' ? steps : [place, ...steps];
    const isOfNumbers = kinds.some(({ mainType }) => mainType === 'integer' || mainType === 'number');
    return detail && (isOfNumbers ? whole : whole.map(String));
  }
  const details = detail ? [detail] : facts.details;
  if (details.length === 0 && at.isSaid) return undefined;
  const all = (details.length > 0 ? details : [undefined]).slice(0, shape.lowest('maxItems'));
  const item = kinds.find((kind) => isStating(kind, name));
  const shown = [...(item?.examples ?? []), ...at.shown.flatMap((one) => (Array.isArray(one) ? one : []))];
  const inner = { ...at, shown, isItem: true, isRequired: true, isSaid: false, depth: at.depth + 1 };
  if (item && !name.startsWith('warn'))
    return all.flatMap((one) => objectOf(facts, { ...inner, shape: item, detail: one }) ?? []);
  if (!isOfTexts || !(name === '' || GENERAL.has(name) || isProblems(name))) return undefined;
  return [...new Set(all.map((one) => (one ? textOf(one, at) : facts.message)))];
}

const isText = (value: unknown) => typeof value === 'string';
const isOfText = ({ mainType }: Shape) => mainType === 'string';

/** Whether an object of a list says what was wrong: in a text, or by a code beside its place. */
function isStating(shape: Shape, list: string): boolean {
  const names = [...shape.properties.keys()].map(foldedName);
  if (errorRoles(shape).message !== undefined || names.includes('defaultmessage')) return true;
  return isProblems(list) && names.some((one) => isLocation(one)) && names.some((one) => WHAT.has(one));
}

/** The value of a scalar by its name; undefined: its name says nothing, or only where the schema demands it. */
function scalarOf(facts: ErrorFacts, at: At): unknown {
  const { name, shape, detail, isItem, isRequired } = at;
  const isMessage = name === at.message || (isItem && at.message === undefined && ISSUE.has(name));
  if (name === '' || isMessage) {
    if (shape.values) return codesOf(facts, at).find((value) => fits(shape, value));
    return shape.mainType === 'string' || isMessage ? shortened(shape, textIn(facts, at)) : undefined;
  }
  const ofDetail = (detail && OF_DETAIL.get(name)?.(detail, at, facts)) ?? [];
  const wholes = isRequired ? [WHOLE, DEMANDED] : [WHOLE];
  const valuesOf = isItem && isLocation(name) ? undefined : wholes.map((one) => one.get(name)).find(Boolean);
  const only = valuesOf && shape.values?.length === 1 ? shape.values : [];
  return [...ofDetail, ...(valuesOf?.(facts, at) ?? []), ...only].find((value) => fits(shape, value));
}

const textIn = ({ message }: ErrorFacts, at: At) => (at.detail ? textOf(at.detail, at) : message);
const textOf = (detail: Detail, { isLocated }: At) => (isLocated ? detail.message : sentence(detail));

/** A text that is longer than its schema allows loses its end. */
function shortened(shape: Shape, text: string): string {
  const longest = shape.lowest('maxLength');
  return longest === undefined ? text : [...text].slice(0, longest).join('');
}

function fits(shape: Shape, value: unknown): boolean {
  if (value === undefined || !roughlyFits(shape, value)) return false;
  const { alternatives } = shape;
  return alternatives.length === 0 || alternatives.some((branch) => roughlyFits(branch, value));
}

/** What is demanded and understood by nobody: what the document shows, the message where nothing else has it, or least. */
function neutral(facts: ErrorFacts, at: At): unknown {
  const { shape, shown, isSaid, depth } = at;
  const isObject = shape.properties.size > 0 && shape.alternatives.length === 0 && depth <= MAX_DEPTH;
  if (isObject && at.name !== '') return objectOf(facts, { ...at, isItem: true, isRequired: true });
  const isPlain = isOfText(shape) && !shape.values && !shape.find('format') && !shape.find('pattern');
  const text = isPlain ? [shortened(shape, isSaid ? phraseOf(facts) : facts.message)] : [];
  const least = [...(shape.values ? [] : [null, false, 0, []]), ...text];
  const known = [...(isSaid ? [] : text), ...shown, ...least].find((value) => fits(shape, value));
  return known === undefined ? sample(shape, { key: 'error', include: () => false }) : known;
}

/** The values that a member may have, the best first. */
type Values = (facts: ErrorFacts, at: At) => readonly unknown[];

/** From names, several in a text, to what they stand for. */
const byName = <T>(rows: Readonly<Record<string, T>>): ReadonlyMap<string, T> =>
  new Map(
    Object.entries(rows).flatMap(([names, row]) => names.split(' ').map((name) => [name, row] as const)),
  );

const has = ({ siblings }: At, names: string) => names.split(' ').some((name) => siblings.has(name));
const exampleOf = ({ shown }: At) => shown.find(isText) as string | undefined;
const phraseOf = ({ status }: ErrorFacts): string => REASON_PHRASES[status] ?? 'Error';
const messages: Values = ({ message }) => [message];

/** What is wrong with a request, and how it ended. */
const WHOLE = byName<Values>({
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
    // Without these it is that of RFC 6749 §5.2: a code.
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

/** The same, only where the schema demands the member. */
const DEMANDED = byName<Values>({
  'detail details description': messages,
  'severity level loglevel': () => ['error', 'ERROR', 'Error', 'high', 'HIGH', 'High'],
  'link links href help docs docurl documentation documentationurl moreinfo info': ({ code }) => [
    `https://example.com/docs/errors/${code}`,
  ],
  'id exception class name': ({ code }, at) => styled(code, exampleOf(at)),
  'value input received rejectedvalue': () => [null, ''],
});

/** What members of an item say of one thing that was wrong. */
const OF_DETAIL = byName<(detail: Detail, at: At, facts: ErrorFacts) => readonly unknown[]>({
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
    // Beside a message alone it is the code of the refusal.
    if (!at.isLocated && !has(at, 'source')) return [];
    const names = namesOf(broken);
    return [...named(at.shape, names), ...styled(names[0] ?? '', exampleOf(at))];
  },
  'objectname object entity entityname resource resourcename model': (_detail, _at, { subject }) => [subject],
});

/** What services call a broken keyword: our own name first. */
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

/** What services call what is wrong, by status: the most specific first. */
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

/** Codes in the form that the member's listed values or its example have: by a name for the status. */
function codesOf(facts: ErrorFacts, at: At): string[] {
  const { status, code, subject } = facts;
  const own = named(at.shape, [code, phraseOf(facts), ...codeWords(status)], subject);
  return [...own, ...named(at.shape, codeWords(status < 500 ? 400 : 500)), ...styled(code, exampleOf(at))];
}

/** The listed value that is called so, else one that has such a name in it: of the subject, or the shortest. */
function named({ values = [] }: Shape, wanted: readonly string[], subject = ''): string[] {
  const listed = values
    .filter((value): value is string => isText(value))
    .map((value) => ({ value, plain: foldedName(value) }))
    .sort((one, other) => one.plain.length - other.plain.length)
    .sort((one, other) => Number(other.plain.includes(subject)) - Number(one.plain.includes(subject)));
  const names = wanted.map(foldedName);
  const equal = names.flatMap((name) => listed.filter(({ plain }) => plain === name));
  const inside = names.flatMap((name) => listed.filter(({ plain }) => plain.includes(name)));
  return [...equal, ...inside].map(({ value }) => value);
}

/** `NOT_FOUND`, `NotFound`, `notFound`, `not-found`, as the example is written. */
function styled(code: string, example: string | undefined): string[] {
  const parts = code.split('_');
  const pascal = parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('');
  if (example === undefined) return [code, code.toUpperCase(), pascal];
  if (/^[A-Z][A-Z\d]+(?:_[A-Z\d]+)*$/.test(example)) return [code.toUpperCase()];
  if (/^[A-Z][A-Za-z]+$/.test(example)) return [pascal];
  if (/^[a-z]+[A-Z][A-Za-z]*$/.test(example)) return [pascal.charAt(0).toLowerCase() + pascal.slice(1)];
  return [/^[a-z]+(?:-[a-z]+)+$/.test(example) ? parts.join('-') : code];
}

/** The status in the member's type: as a number, a text, a word, or whether it went well. */
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

/** Names of google.rpc.Code that are not our own codes in capitals. */
const GOOGLE: Readonly<Record<number, string>> = {
  ...{ 400: 'INVALID_ARGUMENT', 401: 'UNAUTHENTICATED', 403: 'PERMISSION_DENIED', 409: 'ALREADY_EXISTS' },
  ...{ 412: 'FAILED_PRECONDITION', 429: 'RESOURCE_EXHAUSTED', 500: 'INTERNAL' },
};

/** The moment as the example is written, else as the schema has it. */
function momentsOf({ now }: ErrorFacts, { shown }: At): unknown[] {
  const iso = new Date(now).toISOString();
  const [day, time] = [iso.slice(0, 10), iso.slice(11, 19)];
  const texts = [iso, `${day}T${time}Z`, `${day}T${time}`, `${day} ${time}`, day];
  const form = (text: unknown) => String(text).replace(/\d/g, '0');
  const alike = texts.filter((text) => shown.some((one) => form(one) === form(text)));
  const seconds = Math.floor(now / 1000);
  const isSeconds = shown.some((value) => isNumber(value) && Number(value) < 1e11);
  return [...alike, ...texts, ...(isSeconds ? [seconds] : []), now, seconds];
}

/** Path and query as sent, with what no URI may have percent-encoded. */
function targetsOf({ request }: ErrorFacts, withQuery: boolean): string[] {
  if (!request) return [];
  const { prefix = '', path, query } = request;
  const target = prefix + path + (withQuery && query !== '' ? `?${query}` : '');
  const encoded = target.replace(/[^\w\-.~!$&'()*+,;=:@%/?]/gu, encodeURIComponent);
  return [encoded, originOf(request) + encoded];
}

/** The id that the client gave its request, else one of its own. */
function requestIds(facts: ErrorFacts): string[] {
  const { request, number } = facts;
  const given = ['x-request-id', 'x-correlation-id'].flatMap((name) => request?.headers[name] ?? []);
  const random = randomOf(`request ${request?.method} ${targetsOf(facts, true)[0]} ${number}`);
  const hex = Array.from({ length: 32 }, () => random.integer(0, 15).toString(16)).join('');
  const uuid = hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-a$4-');
  return [...given.slice(0, 1), uuid, hex, hex.slice(0, 16)];
}

/** Where in a request something is wrong: `body`, `query`, the name of a header; and what is inside of that. */
function locationOf({ where, broken }: Detail): { place: string; steps: (string | number)[] } {
  const [first = '', ...parts] = where.split('.');
  const steps = broken ? [...(broken.name ? [broken.name] : []), ...pointerTokens(broken.pointer)] : parts;
  const asIndex = (step: string) => (/^\d+$/.test(step) ? Number(step) : step);
  return { place: broken?.in ?? first, steps: steps.map(asIndex) };
}

/** The member or the parameter as clients have it: `address.street`, `items.0.name`; `body` for the whole. */
function memberPath(detail: Detail): string {
  const { place, steps } = locationOf(detail);
  return steps.length === 0 ? place : steps.join('.');
}

const sentence = (detail: Detail) => `${memberPath(detail)} ${detail.message}`;

/** The place in the form that the name, or the example, asks for: a pointer, or names with dots. */
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
