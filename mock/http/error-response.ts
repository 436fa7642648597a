import {
  type Contract,
  type DocumentedResponse,
  essenceOf,
  isXml as isDescribedXml,
  isRecord,
  type MediaType,
  mediaTypeFor,
  type Operation,
  recordName,
  responseFor,
  type Shape,
  sample,
  stringifyJson,
  toPointer,
} from '#spec';
import { compileErrorBody } from './error-body.ts';
import { type ErrorFacts, locationOf, memberPath } from './error-facts.ts';
import type { Detail, MockRequest, ResponseContent } from './exchange.ts';
import { memoize, memoizeReusable } from './memoize.ts';
import { REASON_PHRASES } from './reason-phrases.ts';
import { loggedMessage, REFUSALS, type Refusal, type RefusalName } from './refusal.ts';
import { acceptOf, chooseAcceptable, withVary, xmlText } from './representations.ts';
import { describedBy } from './shape-like.ts';

/**
 * Turns a refusal into a response with the documented error body.
 * @param request what was refused: its `Accept` chooses the media type where the document has several; undefined: it was
 * not read
 * @param now in milliseconds since 1970; default: now
 */
export type Refuse = (refusal: Refusal, request?: MockRequest, now?: number) => ResponseContent;

/** RFC 9457, for documents that describe no error body. */
const PROBLEM_JSON = 'application/problem+json';

/** A range with JSON in it. */
const ANY_TYPE = /^(?:\*|application)\/\*/;

/** Compiles the refusals of an operation; without one: of paths and methods that the document does not have. */
export function compileRefuse(operation: Operation | undefined, contract: Contract): Refuse {
  const writers = new Map<string, readonly Writer[]>();
  const statuses = new Map<RefusalName, number>();

  function statusOf(refuse: RefusalName): number {
    const status =
      statuses.get(refuse) ?? (operation ? statusFor(refuse, operation) : REFUSALS[refuse].status);
    statuses.set(refuse, status);
    return status;
  }

  function writersFor(refuse: RefusalName, status: number): readonly Writer[] {
    const name = `${refuse} ${status}`;
    let known = writers.get(name);
    if (!known) {
      known = compileWriters(status, REFUSALS[refuse].code, operation, contract);
      writers.set(name, known);
    }
    return known;
  }

  let count = 0;

  function write(
    refusal: Refusal,
    all: readonly Writer[],
    request?: MockRequest,
    now = Date.now(),
  ): ResponseContent {
    const { refuse, message, details = [], headers, status: override } = refusal;
    const status = override ?? statusOf(refuse);
    const [first, ...others] = all as [Writer, ...Writer[]];
    const accept = request && acceptOf(request);
    const { type, bodyOf } = (others.length > 0 && chooseAcceptable(accept, all)) || first;
    const own = others.length > 0 ? withVary(headers, 'Accept') : headers;
    const reason = { code: REFUSALS[refuse].code, message: loggedMessage(refusal), details };
    count += 1;
    const body = bodyOf({ message, details, request, number: count, now });
    return { status, type, body, reason, ...(own && { headers: own }) };
  }

  const usual = new Map<RefusalName, readonly Writer[]>();

  function writersOf({ refuse, status }: Refusal): readonly Writer[] {
    if (status !== undefined) return writersFor(refuse, status);
    let known = usual.get(refuse);
    if (!known) {
      known = writersFor(refuse, statusOf(refuse));
      usual.set(refuse, known);
    }
    return known;
  }

  const refused = memoizeReusable((refusal: Refusal) => write(refusal, writersOf(refusal)));
  return (refusal, request, now) => {
    const all = writersOf(refusal);
    const isSame = all.length === 1 && all[0]?.isOfRequest === false;
    return isSame ? refused(refusal) : write(refusal, all, request, now);
  };
}

/** One for each media type that the operation documents for the status and that can be made, the preferred one first. */
function compileWriters(
  status: number,
  code: string,
  operation: Operation | undefined,
  contract: Contract,
): readonly Writer[] {
  const first = compileWriter(status, code, operation, contract);
  const documented = operation && responseFor(operation.responses, status);
  const others = (documented?.content ?? []).filter(
    ({ type, isJson }) => type !== first.type && (isJson || isText(type)),
  );
  const written = others.flatMap((media) => {
    const isWritten = !media.isJson || fits(media, status, contract);
    return isWritten ? writerIn(media, media.type, status, code, operation) : [];
  });
  return [first, ...written];
}

const isText = (type: string) => /^text\/[^*]/.test(essenceOf(type)) || isXml(type);

/** What is wrong with a body as a whole, and an id that is taken: statuses that few documents name. */
const ELSE_INVALID: ReadonlySet<RefusalName> = new Set(['media type', 'too large', 'conflict']);

/** The status of the table where the operation documents it, else its status for invalid input where it names one. */
function statusFor(refuse: RefusalName, { responses }: Operation): number {
  const { status } = REFUSALS[refuse];
  const [invalid] = [400, 422].filter((one) => responses.some(({ key }) => key === String(one)));
  if (refuse === 'invalid') return responses.some(({ key }) => key === '422') ? 422 : (invalid ?? status);
  if (refuse === 'syntax') return invalid ?? status;
  const isDocumented = responseFor(responses, status) !== undefined;
  return ELSE_INVALID.has(refuse) && !isDocumented ? (invalid ?? status) : status;
}

/** The error body of one kind of refusal of one operation. */
interface Writer {
  readonly type: string;
  /** Whether it says more of the request, or of the moment, than the refusal does. */
  readonly isOfRequest: boolean;
  readonly bodyOf: (refused: Refused) => string;
}

/** One refusal of a kind. */
type Refused = Pick<ErrorFacts, 'message' | 'details' | 'request' | 'number' | 'now'>;

function compileWriter(
  status: number,
  code: string,
  operation: Operation | undefined,
  contract: Contract,
): Writer {
  const fixed = operation && fixedBody(status, operation, contract);
  if (fixed) return fixed;
  const { media, isBorrowed } = chooseMedia(status, operation, contract);
  if (isBorrowed && media?.shape && isFastApi(media.shape))
    return {
      type: media.type,
      isOfRequest: false,
      bodyOf: ({ message }) => stringifyJson({ detail: message }),
    };
  const type = media?.type.replace('/*', '/plain') ?? namedJson(status, operation) ?? PROBLEM_JSON;
  if (media) return writerIn(media, type, status, code, operation);
  const isProblem = essenceOf(type) === PROBLEM_JSON;
  const others = isProblem ? { type: 'about:blank', title: REASON_PHRASES[status] } : {};
  const bodyOf = ({ message, details }: Refused) =>
    stringifyJson({
      ...{ ...others, status, detail: message },
      ...(isProblem && details.length > 0 && { errors: details.map(problemError) }),
    });
  return { type, isOfRequest: false, bodyOf };
}

/** One of several problems, as the example of RFC 9457 §3 has it. */
function problemError(detail: Detail): Readonly<Record<string, string>> {
  const { place, steps } = locationOf(detail);
  if (place === 'body') return { detail: detail.message, pointer: `#${toPointer(steps.map(String))}` };
  return { detail: detail.message, parameter: memberPath(detail) };
}

/** FastAPI lists what is invalid, and has a text in the place of the list for all other errors. */
function isFastApi({ properties }: Shape): boolean {
  const item = properties.get('detail')?.items;
  return ['loc', 'msg', 'type'].every((name) => item?.properties.has(name));
}

function writerIn(
  media: MediaType,
  type: string,
  status: number,
  code: string,
  operation: Operation | undefined,
): Writer {
  const { isJson, shape } = media;
  if (shape && isDescribedXml(media)) {
    const fill = fillOf(media, shape);
    const kind = { status, code, isProblem: false, subject: subjectOf(operation) };
    return { type, isOfRequest: true, bodyOf: (refused) => xmlText(media, fill({ ...kind, ...refused })) };
  }
  if (!isJson || !shape)
    return { type, isOfRequest: false, bodyOf: ({ message }) => (isXml(type) ? asXml(message) : message) };
  const fill = fillOf(media, shape);
  const kind = { status, code, isProblem: essenceOf(type) === PROBLEM_JSON, subject: subjectOf(operation) };
  return withTemplate(type, (refused) => stringifyJson(fill({ ...kind, ...refused })));
}

/** Operations share the schemas of their errors. */
const fillOf = (media: MediaType, shape: Shape) =>
  media.examples.size === 0 ? fillAs(shape) : fillLike(media);
const fillAs = memoize((shape: Shape) => compileErrorBody(shape, []));
const fillLike = memoize(({ shape, examples }: MediaType) =>
  compileErrorBody(shape as Shape, [...examples.values()]),
);

/** What a body is: the name of its schema, else of the collection. */
function subjectOf(operation: Operation | undefined): string {
  const schema = operation?.body?.content[0]?.schema?.value;
  const reference = isRecord(schema) && typeof schema.$ref === 'string' ? schema.$ref : '';
  const name =
    reference.slice(reference.lastIndexOf('/') + 1) ||
    recordName(operation?.path.replace(/(?:\/\{[^}]*\})+$/, '') ?? '') ||
    'request';
  return name.charAt(0).toLowerCase() + name.slice(1);
}

const isXml = (type: string) => /[/+]xml$/.test(essenceOf(type));

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** No schema is followed: none is checked either. */
const asXml = (message: string) =>
  `<error>${message.replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? '')}</error>`;

// ASCII: one character beyond Latin-1 would make V8 keep the whole text with two bytes for each.
const MARK = '<the message of this refusal>';

const PROBE: Refused = { message: MARK, details: [], request: undefined, number: 1, now: 0 };

const OTHER_REQUEST: MockRequest = {
  ...{ method: 'PROBE', path: '/of/a/writer', query: '', headers: {}, body: undefined },
};

/** Bodies of one kind differ in their message only, unless the schema has more of the refusal or of the request. */
function withTemplate(type: string, bodyOf: Writer['bodyOf']): Writer {
  const plain = bodyOf(PROBE);
  const isOfRequest = bodyOf({ ...PROBE, request: OTHER_REQUEST, number: 2, now: 1e12 }) !== plain;
  const hasList = bodyOf({ ...PROBE, details: [{ where: 'x', message: 'y' }] }) !== plain;
  if (isOfRequest || hasList) return { type, isOfRequest, bodyOf };
  const pieces = plain.split(JSON.stringify(MARK));
  return { type, isOfRequest, bodyOf: ({ message }) => pieces.join(JSON.stringify(message)) };
}

/**
 * The first documented error body that can hold these facts: that of the operation for the status, else of another
 * operation for it, else of any operation for another error status.
 */
function chooseMedia(status: number, own: Operation | undefined, contract: Contract): Chosen {
  const described = own && responseFor(own.responses, status);
  if (described && !described.content.some(({ isJson, type }) => isJson || ANY_TYPE.test(type))) {
    const text = mediaTypeFor(described.content, 'text/plain') ?? described.content[0];
    if (text) return { media: text, isBorrowed: false };
  }
  const medias = described ? jsonErrors(own, [described.key]) : [];
  const media = medias.find((one) => fits(one, status, contract)) ?? (described && shownError(described));
  return media ? { media, isBorrowed: false } : { media: borrowedMedia(status, contract), isBorrowed: true };
}

/** The JSON that a response shows without a schema. */
function shownError({ content }: DocumentedResponse): MediaType | undefined {
  const shown = content.find(({ isJson, schema, examples }) => isJson && !schema && examples.size > 0);
  return shown && describedBy(shown, [...shown.examples.values()][0]);
}

/** The media type whose schema is filled; undefined: the document has none. */
interface Chosen {
  readonly media: MediaType | undefined;
  /** Whether the document describes it for another operation or status. */
  readonly isBorrowed: boolean;
}

/** That of another operation, which says nothing here where it cannot hold the message. */
function borrowedMedia(status: number, contract: Contract): MediaType | undefined {
  const known = borrowedOf(contract);
  if (!known.has(status)) {
    const others = otherMedia(status, contract);
    const isFitting = (media: MediaType) => fits(media, status, contract);
    known.set(status, others.filter(statesMessage).find(isFitting) ?? others.find(isFitting));
  }
  return known.get(status);
}

/** By status. */
const borrowedOf = memoize((_: Contract) => new Map<number, MediaType | undefined>());

function statesMessage(media: MediaType): boolean {
  const { shape } = media;
  return shape !== undefined && stringifyJson(fillOf(media, shape)(factsOf(500, false))).includes(MARK);
}

function factsOf(status: number, isProblem: boolean): ErrorFacts {
  return { ...{ status, isProblem, code: 'code', subject: 'subject' }, ...PROBE };
}

const TRIES = 5;

/** Where the operation's own schema for the status cannot hold the facts, a sample of it; undefined: it can. */
function fixedBody(status: number, own: Operation, contract: Contract): Writer | undefined {
  const described = responseFor(own.responses, status);
  const medias = described ? jsonErrors(own, [described.key]) : [];
  if (medias.length === 0 || medias.some((media) => fits(media, status, contract))) return undefined;
  for (const { type, schema, shape } of medias) {
    if (!schema || !shape) continue;
    const validate = contract.validators.compile(schema, 'response');
    for (let tried = 0; tried < TRIES; tried++) {
      const value = sample(shape, { key: `error ${tried}` });
      if (validate(value).length > 0) continue;
      const text = stringifyJson(value);
      return { type, isOfRequest: false, bodyOf: () => text };
    }
  }
  return undefined;
}

/** The type that the operation's own response for the status has, where no schema of the document holds the facts. */
function namedJson(status: number, own: Operation | undefined): string | undefined {
  return own && responseFor(own.responses, status)?.content.find(({ isJson }) => isJson)?.type;
}

/** A `const`, say, may tie a body to another status. */
function fits(media: MediaType, status: number, { validators }: Contract): boolean {
  const { type, schema, shape } = media;
  if (!schema || !shape) return false;
  const validate = validators.compile(schema, 'response');
  const facts = { ...factsOf(status, essenceOf(type) === PROBLEM_JSON), request: OTHER_REQUEST };
  const fill = fillOf(media, shape);
  return LISTS.every((details) => validate(fill({ ...facts, details })).length === 0);
}

/** What is wrong as a whole, and what is wrong somewhere. */
const LISTS: readonly (readonly Detail[])[] = [[], [{ where: 'body.member', message: 'message' }]];

/** Error bodies for the status, for many statuses and for others: of each the one that most operations have first. */
function otherMedia(status: number, { operations }: Contract): MediaType[] {
  const keyLists = [[String(status)], ['default', `${Math.trunc(status / 100)}XX`]];
  const exact = keyLists.map((keys) => operations.flatMap((operation) => jsonErrors(operation, keys)));
  const others = operations.flatMap((operation) => {
    const keys = operation.responses.map(({ key }) => key).filter((key) => /^[45]/.test(key));
    return jsonErrors(operation, keys);
  });
  return [...exact, others].flatMap((medias) => {
    const groups = Map.groupBy(medias, ({ shape }) => shape?.parts.at(-1)?.value);
    const firsts = [...groups.values()].sort((one, other) => other.length - one.length);
    return firsts.flatMap(([first]) => first ?? []);
  });
}

function jsonErrors({ responses }: Operation, keys: readonly string[]): MediaType[] {
  const described = responses.filter(({ key }) => keys.includes(key));
  return described.flatMap(({ content }) => content.filter(({ isJson, shape }) => isJson && shape));
}
