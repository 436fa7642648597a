import { oncePer } from '../json/once-per.ts';
import type { Shape } from '../schema/shape.ts';
import { foldedName, setOf } from './names.ts';

/** Splits names, several in a text, into keys of a map. */
function byName<Row extends string>(rows: Readonly<Record<Row, string>>): ReadonlyMap<string, Row> {
  return new Map(
    Object.entries<string>(rows).flatMap(([row, names]) =>
      names.split(' ').map((name) => [name, row as Row] as const),
    ),
  );
}

/** The members of an error body with a role, by types and names; the most specific name first. */
const ROLES = {
  /** The number that repeats the HTTP status (RFC 9457 §3.1.3 `status`). */
  status: { types: ['integer', 'number'], names: 'status statuscode httpstatus httpstatuscode' },
  /**
   * The text for people. RFC 6749 §5.2: `error` is the code, `error_description` the text. RFC 9457 §3.1: `title` is the
   * same for all errors of a type, `detail` describes this one.
   */
  message: {
    types: ['string'],
    names: 'message msg errormessage errordescription detail details description reason title error',
  },
  code: { types: ['string'], names: 'code errorcode error slug key' },
};

/** The documented members of an error body by role; undefined if there is none. */
export function errorRoles({ properties }: Shape): Readonly<Record<keyof typeof ROLES, string | undefined>> {
  const find = (role: keyof typeof ROLES): string | undefined => {
    const { types, names } = ROLES[role];
    const members = [...properties].filter(([, { mainType = '' }]) => types.includes(mainType));
    return names.split(' ').flatMap((name) => members.filter(([key]) => foldedName(key) === name))[0]?.[0];
  };
  const [status, message, code] = [find('status'), find('message'), find('code')];
  return { status, message, code: code === message ? undefined : code };
}

/** Members with the location of an error. */
const LOCATION = [
  'field fields fieldname fieldpath name param params parameter parametername property propertyname propertypath',
  'attribute attributename attr member path pointer jsonpointer instancepath datapath loc location target key element',
].join(' ');

/**
 * What a member of an error body holds, by the names that frameworks and standards have for it, as {@link foldedName} has
 * them: of the request and its outcome; of that, what only required members hold; of a single error in a list or map.
 */
export const ERROR_MEMBERS = {
  whole: byName({
    status: 'status statuscode httpstatus httpstatuscode httpcode',
    code: 'code errorcode errcode errorno errno errorkey slug reasoncode',
    phrase: 'title reason statustext reasonphrase httpstatustext',
    type: 'type errortype',
    error: 'error',
    message: 'message msg errormessage errordescription usermessage developermessage debugmessage',
    target: 'instance',
    path: 'path uri url requestpath requesturi requesturl endpoint',
    method: 'method httpmethod requestmethod verb',
    moment: 'timestamp errortimestamp occurredat datetime time date',
    requestId: 'requestid traceid correlationid errorid transactionid logref spanid request',
    success: 'success ok succeeded issuccess valid',
    failure: 'failed iserror failure haserror',
    member: 'field param parameter property pointer target attribute',
    count: 'count total errorcount totalerrors',
  }),
  demanded: byName({
    message: 'detail details description',
    severity: 'severity level loglevel',
    link: 'link links href help docs docurl documentation documentationurl moreinfo info',
    name: 'id exception class name',
    nothing: 'value input received rejectedvalue',
  }),
  detail: byName({
    location: LOCATION,
    place: 'in place locationtype paramlocation source location',
    received: 'value input received rejectedvalue invalidvalue actual actualvalue attemptedvalue given',
    keyword: 'keyword rule constraint validator validation tag check',
    kind: 'type code errorcode errortype kind reason',
    subject: 'objectname object entity entityname resource resourcename model',
  }),
};

export type ErrorMember<Kind extends keyof typeof ERROR_MEMBERS> =
  (typeof ERROR_MEMBERS)[Kind] extends ReadonlyMap<string, infer Name extends string> ? Name : never;

const LOCATIONS = setOf(LOCATION);
export const isErrorLocation = (name: string) => LOCATIONS.has(name);

/** Groups of members of error bodies by their names. */
export const ERROR_NAMES = {
  /** Members for errors that concern no single member. */
  general: setOf('body base errors nonfielderrors message messages details general global schema'),
  /** Objects with the error, which are filled in even if they are optional. */
  inner: setOf('error errors fault problem failure exception status extensions source'),
  /** Locations as lists of steps, and as pointers. */
  paths: setOf('loc path location'),
  pointers: setOf('pointer jsonpointer instancepath'),
  /** The text of a single error. */
  issues: setOf('defaultmessage errormsg text info problem issue'),
};

const LISTS = setOf(
  'error errors violations issues fields problems causes failures detail details message messages fullmessages reason reasons \
invalid invalidparams invalidparameters invalidfields invalidproperties invalidattributes',
);

/** Whether a member has a list or map of errors. */
export function isErrorList(name: string): boolean {
  return LISTS.has(name) || name.endsWith('errors') || name.endsWith('violations');
}

/** Common names of a violated keyword, our own first. */
const KEYWORDS = byKey({
  required: 'required missing blank empty',
  type: 'invalid_type wrong_type type',
  'enum const': 'not_allowed invalid_choice inclusion one_of',
  'minimum exclusiveMinimum minLength minItems': 'too_small too_short too_few min size range',
  'maximum exclusiveMaximum maxLength maxItems': 'too_large too_long too_many too_big max size range',
  'pattern format': 'invalid_format pattern format',
  additionalProperties: 'unknown_member unknown unexpected',
  content: 'malformed parse_error syntax',
});

function byKey(rows: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(rows).flatMap(([keys, row]) => keys.split(' ').map((key) => [key, row])));
}

export function namesOfKeyword(keyword = ''): readonly string[] {
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

export const codesOfStatus = (status: number): readonly string[] => CODES[status]?.split(' ') ?? [];

/** Names of google.rpc.Code that differ from the names of statuses. */
export const RPC_CODES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  409: 'ALREADY_EXISTS',
  412: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
};

/** The listed value with such a name, else one that contains it: about the subject, or the shortest. */
export function listedCodes(
  { values = [] }: Pick<Shape, 'values'>,
  wanted: readonly string[],
  subject = '',
): string[] {
  const listed = values
    .filter((value): value is string => typeof value === 'string')
    .map((value) => ({ value, plain: foldedName(value) }))
    .sort((left, right) => left.plain.length - right.plain.length)
    .sort((left, right) => Number(right.plain.includes(subject)) - Number(left.plain.includes(subject)));
  const names = wanted.map(foldedName);
  const equal = names.flatMap((name) => listed.filter(({ plain }) => plain === name));
  const inside = names.flatMap((name) => listed.filter(({ plain }) => plain.includes(name)));
  return [...equal, ...inside].map(({ value }) => value);
}

/** `NOT_FOUND`, `NotFound`, `notFound`, `not-found`, in the style of the example. */
export function styledCode(code: string, example: string | undefined): string[] {
  const parts = code.split('_');
  const pascal = parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('');
  if (example === undefined) return [code, code.toUpperCase(), pascal];
  if (/^[A-Z][A-Z\d]+(?:_[A-Z\d]+)*$/.test(example)) return [code.toUpperCase()];
  if (/^[A-Z][A-Za-z]+$/.test(example)) return [pascal];
  if (/^[a-z]+[A-Z][A-Za-z]*$/.test(example)) return [pascal.charAt(0).toLowerCase() + pascal.slice(1)];
  return [/^[a-z]+(?:-[a-z]+)+$/.test(example) ? parts.join('-') : code];
}

/** Forms that say most come first: lists, maps and objects before texts; a map contains no further map. */
export function errorBranches(shape: Shape, isKeyed = false): readonly Shape[] {
  const branches = shape.alternatives.filter(({ mainType }) => mainType !== 'null');
  if (branches.length === 0) return [shape];
  const rank = ({ mainType, properties }: Shape) => {
    if (mainType === 'array') return 0;
    if (properties.size > 0) return 2;
    return mainType === 'object' ? (isKeyed ? 3 : 1) : 4;
  };
  return [...branches].sort((left, right) => rank(left) - rank(right));
}

/** The members of an object, which of them is the message, and whether one is the location. */
export const errorMembersOf = oncePer((shape: Shape) => {
  const { properties, required } = shape;
  const message = messageMember(shape);
  const members = [...properties].map(([key, inner]) => ({
    key,
    plain: foldedName(key),
    inner,
    isRequired: required.has(key),
  }));
  return {
    members,
    message: message && foldedName(message),
    siblings: new Map(members.map((member) => [member.plain, member.inner])),
    /** Whether it describes the outcome as a whole, beside any list of errors. */
    isWhole:
      members.filter(({ plain, inner }) => ERROR_MEMBERS.whole.has(plain) && inner.mainType !== 'array')
        .length > 1,
    hasPlace: members.some(({ plain }) => LOCATIONS.has(plain)),
  };
});

/** If a list has the messages, `title` and `error` are the status. */
function messageMember(shape: Shape): string | undefined {
  const { message } = errorRoles(shape);
  const isBeside = [...shape.properties].some(([key, { mainType }]) => {
    if (mainType !== 'array' && mainType !== 'object') return false;
    const name = foldedName(key);
    return message === 'title' ? isErrorList(name) : message === 'error' && name.startsWith('message');
  });
  return isBeside ? undefined : message;
}

/** Whether an item describes an error: by a text, or by a code beside its location. */
export function isErrorItem(shape: Shape, list: string): boolean {
  const names = [...shape.properties.keys()].map(foldedName);
  if (errorRoles(shape).message !== undefined || names.includes('defaultmessage')) return true;
  return (
    isErrorList(list) && names.some((name) => LOCATIONS.has(name)) && names.some((name) => INSTEAD.has(name))
  );
}

/** What a single error may have in place of a text. */
const INSTEAD = setOf('issue problem text info code errorcode constraint rule');
