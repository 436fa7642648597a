import {
  type Contract,
  essenceOf,
  fullyFits,
  isXml as isDescribedXml,
  type MediaType,
  mediaTypeFor,
  type Operation,
  oncePer,
  recordName,
  responseFor,
  Shape,
  sample,
  sentType,
  stringifyJson,
} from '#spec';
import { type ErrorFacts, errorBody } from './error-body.ts';
import type { Detail, MockRequest, MockResponse, ResponseContent } from './exchange.ts';
import { memoizeFew, memoizeReusable } from './memoize.ts';
import {
  isRefusal,
  loggedMessage,
  type Outcome,
  REFUSALS,
  type Refusal,
  type RefusalName,
} from './refusal.ts';
import { acceptOf, chooseAcceptable, describedBy, withVary, xmlText } from './representations.ts';
import type { Finish } from './response-headers.ts';

/**
 * Turns a refusal into a response with the documented error body.
 * @param request the refused request, whose `Accept` chooses among documented media types; undefined: it was not read
 * @param now in milliseconds since 1970; default: now
 */
export type Refuse = (refusal: Refusal, request?: MockRequest, now?: number) => ResponseContent;

/** Makes the response to send. Every refusal of an operation passes here, and gets the documented error body. */
export function respondWith(
  { refuse, finish }: { readonly refuse: Refuse; readonly finish: Finish },
  outcome: Outcome,
  request?: MockRequest,
  now?: number,
): MockResponse {
  return finish(isRefusal(outcome) ? refuse(outcome, request, now) : outcome);
}

/** Writes the error bodies of one media type, for one status of one operation. */
interface Writer {
  readonly type: string;
  /** Whether bodies vary with the request or time, not just with the refusal. */
  readonly isOfRequest: boolean;
  readonly bodyOf: (facts: ErrorFacts) => string;
}

/** Compiles an operation's refusals; without one, those of undocumented paths and methods. */
export function compileRefuse(operation: Operation | undefined, contract: Contract): Refuse {
  const writersOf = memoizeFew((status: number) => compileWriters(status, operation, contract));
  const subject = recordName(operation?.path.replace(/(?:\/\{[^}]*\})+$/, '') ?? '') || 'request';
  let number = 0;

  function write(refusal: Refusal, request?: MockRequest, now = Date.now()): ResponseContent {
    const { refuse, message, details = [], headers: refusalHeaders } = refusal;
    const { code } = REFUSALS[refuse];
    const status = refusal.status ?? statusFor(refuse, operation);
    const all = writersOf(status);
    const isOfSeveral = all.length > 1;
    const chosen = isOfSeveral ? chooseAcceptable(request && acceptOf(request), all) : undefined;
    const { type, bodyOf } = chosen ?? all[0];
    const headers = isOfSeveral ? withVary(refusalHeaders, 'Accept') : refusalHeaders;
    const reason = { code, message: loggedMessage(refusal), details };
    number += 1;
    const body = bodyOf({ status, code, message, details, subject, request, now, number });
    return { status, type, body, reason, ...(headers && { headers }) };
  }

  const refused = memoizeReusable((refusal: Refusal) => write(refusal));
  return (refusal, request, now) => {
    const all = writersOf(refusal.status ?? statusFor(refusal.refuse, operation));
    const isSame = all.length === 1 && !all[0].isOfRequest;
    return isSame ? refused(refusal) : write(refusal, request, now);
  };
}

/** Refusals for which few documents have a status: an invalid body as a whole, and a taken id. */
const ELSE_INVALID: ReadonlySet<RefusalName> = new Set(['media type', 'too large', 'conflict']);

/** The usual status if the operation documents it, else its status for invalid input if it has one. */
function statusFor(refuse: RefusalName, operation: Operation | undefined): number {
  const { status } = REFUSALS[refuse];
  if (!operation) return status;
  const { responses } = operation;
  const [invalid] = [400, 422].filter((one) => responses.some(({ key }) => key === String(one)));
  if (refuse === 'invalid') return responses.some(({ key }) => key === '422') ? 422 : (invalid ?? status);
  if (refuse === 'syntax') return invalid ?? status;
  const isDocumented = responseFor(responses, status) !== undefined;
  return ELSE_INVALID.has(refuse) && !isDocumented ? (invalid ?? status) : status;
}

/** RFC 9457 problem details, in the order of §3.1, for documents without an error body. */
const PROBLEM_JSON = 'application/problem+json';
const text = { type: 'string' };
const PROBLEM = {
  properties: {
    type: { ...text, default: 'about:blank' },
    title: text,
    status: { type: 'integer' },
    detail: text,
    errors: {
      items: { properties: { detail: text, pointer: { ...text, example: '#/name' }, parameter: text } },
    },
  },
  required: ['type', 'title', 'status', 'detail'],
};

/**
 * A writer for each media type of the status that can be made, JSON first; else from another operation, if its error body
 * can hold the message; else problem details.
 */
function compileWriters(
  status: number,
  operation: Operation | undefined,
  contract: Contract,
): readonly [Writer, ...Writer[]] {
  const described = operation && responseFor(operation.responses, status);
  const content = (described?.content ?? []).map((media) => shownAs(media));
  const json = content.filter(isJsonError);
  const texts = content.filter(({ isJson, type }) => !isJson && /^text\/|[/+]xml$/.test(essenceOf(type)));
  const other = json.length === 0 ? content.find(({ isJson }) => !isJson) : undefined;
  const plain = mediaTypeFor(texts, 'text/plain') ?? other;
  const fitting = json.filter((media) => fits(media, status));
  const written = [...fitting, ...(plain ? [plain] : []), ...texts.filter((media) => media !== plain)];
  const [first, ...others] = written.map((media) => writerOf(media, sentType(media)));
  const sampled = fitting.length === 0 ? sampleOf(json) : undefined;
  if (sampled) return [sampled, ...(first ? [first, ...others] : [])];
  if (first) return [first, ...others];
  const borrowed = borrowedFor(status, contract);
  if (borrowed && !isFastApi(borrowed)) return [writerOf(borrowed, sentType(borrowed))];
  if (borrowed) {
    const bodyOf = ({ message }: ErrorFacts) => stringifyJson({ detail: message });
    return [{ type: borrowed.type, isOfRequest: false, bodyOf }];
  }
  const type = content.find(({ isJson }) => isJson)?.type ?? PROBLEM_JSON;
  return [writerOf({ ...describedAs(PROBLEM, contract), type }, type)];
}

function describedAs(schema: object, { document }: Contract): MediaType {
  const spot = { document, file: document.root.file, path: [], value: schema };
  return {
    type: PROBLEM_JSON,
    isJson: true,
    schema: spot,
    shape: Shape.of([spot]),
    examples: new Map(),
    spot,
  };
}

/** The media type with a schema derived from its example, if it has none. */
function shownAs(media: MediaType): MediaType {
  const { isJson, schema, examples } = media;
  return isJson && !schema && examples.size > 0 ? describedBy(media, [...examples.values()][0]) : media;
}

const ANY_TYPE = /^(?:\*|application)\/\*$/;
const isJsonError = ({ isJson, type, shape }: MediaType) =>
  shape !== undefined && (isJson || ANY_TYPE.test(essenceOf(type)));

/** FastAPI lists validation errors, and has a text in place of the list for other errors. */
function isFastApi({ shape }: MediaType): boolean {
  const item = shape?.properties.get('detail')?.items;
  return ['loc', 'msg', 'type'].every((name) => item?.properties.has(name));
}

function writerOf(media: MediaType, type: string): Writer {
  const { shape } = media;
  const isXml = isDescribedXml(media);
  if (shape && (isXml || isJsonError(media))) {
    const bodyOf = (facts: ErrorFacts) =>
      isXml ? xmlText(media, bodyIn(media, facts)) : stringifyJson(bodyIn(media, facts));
    const plain = bodyOf(PROBE);
    const isOfRequest = plain !== bodyOf(OTHER_PROBE);
    const isPlain = !isXml && !isOfRequest && bodyOf({ ...PROBE, details: LISTS[1] ?? [] }) === plain;
    // Every member with the message must hold it without cutting it.
    const isOfMessage =
      isPlain &&
      plain.includes(MARK) &&
      [LONG, 'x'].every((message) => bodyOf({ ...PROBE, message }) === plain.replaceAll(MARK, message));
    return { type, isOfRequest, bodyOf: isOfMessage ? templated(bodyOf) : bodyOf };
  }
  // There is no schema, so nothing is validated.
  const asXml = (message: string) => xmlText(describedBy(media, { message }), { message });
  const isMarkup = /xml$/.test(essenceOf(type));
  return { type, isOfRequest: false, bodyOf: ({ message }) => (isMarkup ? asXml(message) : message) };
}

/** Reuses bodies that differ only in their message, which is a hundred times as fast. */
function templated(bodyOf: Writer['bodyOf']): Writer['bodyOf'] {
  const piecesOf = new Map<string, readonly string[]>();
  return (facts) => {
    const { code, message } = facts;
    const pieces = piecesOf.get(code) ?? bodyOf({ ...facts, message: MARK }).split(JSON.stringify(MARK));
    piecesOf.set(code, pieces);
    return pieces.join(JSON.stringify(message));
  };
}

const LONG = 'x'.repeat(10_000);

const bodyIn = ({ shape, examples }: MediaType, facts: ErrorFacts) =>
  errorBody(shape as Shape, [...examples.values()], facts);

const MARK = '<the message of this refusal>';
const PROBE: ErrorFacts = {
  status: 500,
  code: 'code',
  message: MARK,
  details: [],
  subject: 'subject',
  request: undefined,
  number: 1,
  now: 0,
};
const OTHER_PROBE: ErrorFacts = {
  ...PROBE,
  number: 2,
  now: 1e12,
  request: { method: 'POST', path: '/of/a/writer', query: '', headers: {}, body: undefined },
};

/** An error of the whole request, and one with a location. */
const LISTS: readonly (readonly Detail[])[] = [[], [{ where: 'body.member', message: 'message' }]];

/** A `const`, for example, may restrict a body to another status. */
function fits(media: MediaType, status: number): boolean {
  const { shape } = media;
  if (!shape) return false;
  return LISTS.every((details) => fullyFits(shape, bodyIn(media, { ...OTHER_PROBE, status, details })));
}

/** A sample of the schema, if it cannot hold an error of this status. */
function sampleOf(medias: readonly MediaType[]): Writer | undefined {
  for (const media of medias) {
    const { shape } = media;
    if (!shape) continue;
    const least = { key: 'error', include: () => false };
    const made = [{ key: 'error' }, least].map((options) => sample(shape, options));
    const fitting = made.find((one) => fullyFits(shape, one));
    if (fitting === undefined) continue;
    const body = stringifyJson(fitting);
    return { type: sentType(media), isOfRequest: false, bodyOf: () => body };
  }
  return undefined;
}

const borrowedOf = oncePer((_: Contract) => new Map<number, MediaType | undefined>());

/** The error body that most operations have for the status, else for many statuses, else for another error. */
function borrowedFor(status: number, contract: Contract): MediaType | undefined {
  const borrowed = borrowedOf(contract);
  if (!borrowed.has(status)) {
    const ranks = [
      (key: string) => key === String(status),
      (key: string) => key === 'default' || key === `${Math.trunc(status / 100)}XX`,
      (key: string) => /^[45]/.test(key),
    ];
    const responses = contract.operations.flatMap((operation) => operation.responses);
    const medias = ranks.flatMap((isOf) => {
      const all = responses.flatMap(({ key, content }) => (isOf(key) ? content.filter(isJsonError) : []));
      const groups = [...Map.groupBy(all, ({ shape }) => shape?.parts.at(-1)?.value).values()];
      return groups.sort((left, right) => right.length - left.length).flatMap(([first]) => first ?? []);
    });
    const isFitting = (media: MediaType) => fits(media, status);
    const states = (media: MediaType) => stringifyJson(bodyIn(media, PROBE)).includes(MARK);
    borrowed.set(status, medias.filter(states).find(isFitting) ?? medias.find(isFitting));
  }
  return borrowed.get(status);
}
