import {
  type Contract,
  essenceOf,
  type MediaType,
  mediaTypeFor,
  type Operation,
  responseFor,
  type Shape,
  sample,
  stringifyJson,
} from '#spec';
import { fillErrorBody, REASON_PHRASES } from './error-body.ts';
import type { Detail, ResponseContent } from './exchange.ts';
import { memoizeReusable } from './memoize.ts';
import { loggedMessage, REFUSALS, type Refusal, type RefusalName } from './refusal.ts';
import { chooseAcceptable, withVary } from './representations.ts';

/**
 * Turns a refusal into a response with the documented error body.
 * @param accept the request's `Accept`, by which the media type is chosen where the document has several
 */
export type Refuse = (refusal: Refusal, accept?: string) => ResponseContent;

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

  function write(refusal: Refusal, accept?: string) {
    const { refuse, message, details = [], headers, status: override } = refusal;
    const status = override ?? statusOf(refuse);
    const all = writersFor(refuse, status);
    const [first, ...others] = all as [Writer, ...Writer[]];
    const { type, bodyOf } = (others.length > 0 && chooseAcceptable(accept, all)) || first;
    const own = others.length > 0 ? withVary(headers, 'Accept') : headers;
    const reason = { code: REFUSALS[refuse].code, message: loggedMessage(refusal), details };
    return { status, type, body: bodyOf(message, details), reason, ...(own && { headers: own }) };
  }

  const refused = memoizeReusable((refusal: Refusal) => write(refusal));
  const hasChoice = operation?.responses.some(({ content }) => content.length > 1) ?? false;
  return hasChoice ? write : refused;
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
  const written = others.flatMap((media) => compileMediaWriter(media, status, code, contract) ?? []);
  return [first, ...written];
}

const isText = (type: string) => /^text\/[^*]/.test(essenceOf(type)) || isXml(type);

/** Undefined: a body of this media type cannot hold the facts. */
function compileMediaWriter(
  media: MediaType,
  status: number,
  code: string,
  contract: Contract,
): Writer | undefined {
  const isWritten = !media.isJson || fits(media, status, contract);
  return isWritten ? writerIn(media, media.type, status, code) : undefined;
}

/** What is wrong with a body as a whole, and an id that is taken: statuses that few documents name. */
const ELSE_INVALID: ReadonlySet<RefusalName> = new Set(['media type', 'too large', 'conflict']);

/** The status of the table where the operation documents it, else its status for invalid input where it names one. */
function statusFor(refuse: RefusalName, { responses }: Operation): number {
  const { status } = REFUSALS[refuse];
  const [invalid] = [400, 422].filter((one) => responses.some(({ key }) => key === String(one)));
  if (refuse === 'invalid') return invalid ?? status;
  const isDocumented = responseFor(responses, status) !== undefined;
  return ELSE_INVALID.has(refuse) && !isDocumented ? (invalid ?? status) : status;
}

/** The error body of one kind of refusal of one operation. */
interface Writer {
  readonly type: string;
  readonly bodyOf: (message: string, details: readonly Detail[]) => string;
}

function compileWriter(
  status: number,
  code: string,
  operation: Operation | undefined,
  contract: Contract,
): Writer {
  const fixed = operation && fixedBody(status, operation, contract);
  if (fixed) return fixed;
  const media = chooseMedia(status, operation, contract);
  const type = media?.type.replace('/*', '/plain') ?? namedJson(status, operation) ?? PROBLEM_JSON;
  if (media) return writerIn(media, type, status, code);
  const others = problemMembers(type, status);
  return { type, bodyOf: (message) => stringifyJson({ ...others, status, detail: message }) };
}

function writerIn({ isJson, shape }: MediaType, type: string, status: number, code: string): Writer {
  const others = problemMembers(type, status, shape);
  if (!isJson || !shape) return { type, bodyOf: isXml(type) ? asXml : (message) => message };
  return {
    type,
    bodyOf: withTemplate((message, details) =>
      stringifyJson(fillErrorBody(shape, { status, code, message, details, others })),
    ),
  };
}

const isXml = (type: string) => /[/+]xml$/.test(essenceOf(type));

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** No schema is followed: none is checked either. */
const asXml = (message: string) =>
  `<error>${message.replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? '')}</error>`;

// ASCII: one character beyond Latin-1 would make V8 keep the whole text with two bytes for each.
const MARK = '<the message of this refusal>';

/** Bodies of one kind differ in their message only, unless the schema has a list of details. */
function withTemplate(fill: Writer['bodyOf']): Writer['bodyOf'] {
  const plain = fill(MARK, []);
  const hasList = fill(MARK, [{ where: 'x', message: 'y' }]) !== plain;
  if (hasList) return fill;
  const pieces = plain.split(JSON.stringify(MARK));
  return (message) => pieces.join(JSON.stringify(message));
}

/** RFC 9457 §4.2.1: a problem of no specific type has the title of its status; schemas have its members in other types, too. */
function problemMembers(type: string, status: number, shape?: Shape): Readonly<Record<string, unknown>> {
  const isLike = shape?.properties.has('title') && shape.properties.has('detail');
  const isProblem = essenceOf(type) === PROBLEM_JSON || isLike;
  return isProblem ? { type: 'about:blank', title: REASON_PHRASES[status] } : {};
}

/**
 * The first documented error body that can hold these facts: that of the operation for the status, else of another
 * operation for it, else of any operation for another error status.
 */
function chooseMedia(status: number, own: Operation | undefined, contract: Contract): MediaType | undefined {
  const described = own && responseFor(own.responses, status);
  if (described && !described.content.some(({ isJson, type }) => isJson || ANY_TYPE.test(type))) {
    const text = mediaTypeFor(described.content, 'text/plain') ?? described.content[0];
    if (text) return text;
  }
  const medias = described ? jsonErrors(own, [described.key]) : [];
  const first = medias.find((media) => fits(media, status, contract));
  return first ?? borrowedMedia(status, contract);
}

/** That of another operation, which says nothing here where it cannot hold the message. */
function borrowedMedia(status: number, contract: Contract): MediaType | undefined {
  const seen = new Set<unknown>();
  let first: MediaType | undefined;
  for (const media of otherMedia(status, contract)) {
    const schema = media.shape?.parts.at(-1)?.value;
    if (seen.has(schema)) continue;
    seen.add(schema);
    if (!fits(media, status, contract)) continue;
    if (statesMessage(media)) return media;
    first ??= media;
  }
  return first;
}

function statesMessage({ shape }: MediaType): boolean {
  const facts = { status: 500, code: '', message: MARK, details: [], others: {} };
  return shape !== undefined && stringifyJson(fillErrorBody(shape, facts)).includes(MARK);
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
      return { type, bodyOf: () => text };
    }
  }
  return undefined;
}

/** The type that the operation's own response for the status has, where no schema of the document holds the facts. */
function namedJson(status: number, own: Operation | undefined): string | undefined {
  return own && responseFor(own.responses, status)?.content.find(({ isJson }) => isJson)?.type;
}

/** A `const`, say, may tie a body to another status. */
function fits({ type, schema, shape }: MediaType, status: number, { validators }: Contract): boolean {
  if (!schema || !shape) return false;
  const details = [{ where: 'body', message: 'message' }];
  const facts = {
    status,
    code: 'code',
    message: 'message',
    details,
    others: problemMembers(type, status, shape),
  };
  return validators.compile(schema, 'response')(fillErrorBody(shape, facts)).length === 0;
}

function* otherMedia(status: number, { operations }: Contract): Generator<MediaType> {
  const keyLists = [[String(status)], ['default', `${Math.trunc(status / 100)}XX`]];
  for (const keys of keyLists) for (const operation of operations) yield* jsonErrors(operation, keys);
  for (const operation of operations) {
    const keys = operation.responses.map(({ key }) => key).filter((key) => /^[45]/.test(key));
    yield* jsonErrors(operation, keys);
  }
}

function jsonErrors({ responses }: Operation, keys: readonly string[]): MediaType[] {
  const described = responses.filter(({ key }) => keys.includes(key));
  return described.flatMap(({ content }) => content.filter(({ isJson, shape }) => isJson && shape));
}
