import {
  type Contract,
  essenceOf,
  type MediaType,
  mediaTypeFor,
  type Operation,
  responseFor,
  stringifyJson,
} from '#spec';
import { fillErrorBody } from './error-body.ts';
import type { Answer } from './exchange.ts';
import { keptWith } from './kept-with.ts';
import { type Detail, REFUSALS, type Refusal, type RefusalName } from './refusal.ts';

/** Turns a refusal into an answer that fills the documented error body. */
export type Refuse = (refusal: Refusal) => Answer;

/** RFC 9457, for documents that say nothing about the body of an error. */
const PROBLEM_JSON = 'application/problem+json';

const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** Compiles the refusals of an operation; without one: of a path or method that the document does not have. */
export function compileRefuse(operation: Operation | undefined, contract: Contract): Refuse {
  const writers = new Map<string, Writer>();
  const statusOf = (refuse: RefusalName) =>
    operation ? statusFor(refuse, operation) : REFUSALS[refuse].status;

  function writerOf(refuse: RefusalName, status: number): Writer {
    const name = `${refuse} ${status}`;
    let writer = writers.get(name);
    if (!writer) {
      writer = compileWriter(status, REFUSALS[refuse].code, operation, contract);
      writers.set(name, writer);
    }
    return writer;
  }

  function write({ refuse, message, details = [], headers, status: wanted, lasting }: Refusal): Answer {
    const writer = writerOf(refuse, wanted ?? statusOf(refuse));
    const { status, type } = writer;
    const body = writer.bodyOf(message, details);
    return { status, type, body, ...(headers && { headers }), ...(lasting && { lasting }) };
  }

  const written = keptWith(write);
  return (refusal) => (refusal.lasting ? written(refusal) : write(refusal));
}

/** What is wrong with a body as a whole: a status of the protocol, which few documents name. */
const OF_THE_PROTOCOL: ReadonlySet<RefusalName> = new Set(['media type', 'too large']);

/** The protocol's status where the operation documents it, else its status for invalid input where it names one. */
function statusFor(refuse: RefusalName, { responses }: Operation): number {
  const { status } = REFUSALS[refuse];
  const [invalid] = [400, 422].filter((one) => responses.some(({ key }) => key === String(one)));
  if (refuse === 'invalid') return invalid ?? status;
  const isDocumented = responseFor(responses, status) !== undefined;
  return OF_THE_PROTOCOL.has(refuse) && !isDocumented ? (invalid ?? status) : status;
}

/** What one kind of refusal looks like in one operation. */
interface Writer {
  readonly status: number;
  readonly type: string;
  readonly bodyOf: (message: string, details: readonly Detail[]) => string;
}

function compileWriter(
  status: number,
  code: string,
  operation: Operation | undefined,
  contract: Contract,
): Writer {
  const form = chooseForm(status, operation, contract);
  const type = form?.type ?? PROBLEM_JSON;
  if (form && !form.isJson) return { status, type, bodyOf: (message) => message };
  const { shape } = form ?? {};
  if (!shape) return { status, type, bodyOf: (message) => stringifyJson(problemDetails(status, message)) };
  const others = problemMembers(type, status);
  const fill = (message: string, details: readonly Detail[]) =>
    stringifyJson(fillErrorBody(shape, { status, code, message, details, others }));
  return { status, type, bodyOf: withTemplate(fill) };
}

// ASCII, since one character beyond Latin-1 would make two bytes of each of the others, in every answer.
const MARK = '<the message of this refusal>';

/** Bodies of one kind differ in their message only, unless the schema has a list for the details. */
function withTemplate(fill: Writer['bodyOf']): Writer['bodyOf'] {
  const plain = fill(MARK, []);
  const hasList = fill(MARK, [{ where: 'x', message: 'y' }]) !== plain;
  if (hasList) return fill;
  const pieces = plain.split(JSON.stringify(MARK));
  return (message) => pieces.join(JSON.stringify(message));
}

function problemDetails(status: number, detail: string) {
  return { ...problemMembers(PROBLEM_JSON, status), status, detail };
}

/** RFC 9457 §4.2.1: a problem without a type of its own is titled as its status is. */
function problemMembers(type: string, status: number): Readonly<Record<string, unknown>> {
  return essenceOf(type) === PROBLEM_JSON ? { type: 'about:blank', title: STATUS_CODES[status] } : {};
}

/**
 * The first documented error body that can say this: what the operation has for the status, else what others
 * have for it, else what anyone has for errors of another status.
 */
function chooseForm(status: number, own: Operation | undefined, contract: Contract): MediaType | undefined {
  const described = own && responseFor(own.responses, status);
  const text = described && mediaTypeFor(described.content, 'text/plain');
  if (text?.type.startsWith('text/') && !described?.content.some(({ isJson }) => isJson)) return text;
  const candidates = [
    ...(described ? jsonErrors(own, [described.key]) : []),
    ...otherForms(status, contract),
  ];
  return candidates.find((form) => canSay(form, status, contract));
}

/** A body may be tied to another status, by a `const` say. */
function canSay({ type, schema, shape }: MediaType, status: number, { validators }: Contract): boolean {
  if (!schema || !shape) return false;
  const details = [{ where: 'body', message: 'message' }];
  const facts = { status, code: 'code', message: 'message', details, others: problemMembers(type, status) };
  return validators.compile(schema, 'response')(fillErrorBody(shape, facts)).length === 0;
}

function* otherForms(status: number, { operations }: Contract): Generator<MediaType> {
  const keyLists = [[String(status)], ['default', `${Math.trunc(status / 100)}XX`]];
  for (const keys of keyLists) for (const operation of operations) yield* jsonErrors(operation, keys);
  for (const operation of operations) {
    const keys = operation.responses.map(({ key }) => key);
    yield* jsonErrors(
      operation,
      keys.filter((key) => /^[45]/.test(key)),
    );
  }
}

function jsonErrors({ responses }: Operation, keys: readonly string[]): MediaType[] {
  const described = responses.filter(({ key }) => keys.includes(key));
  return described.flatMap(({ content }) => content.filter(({ isJson, shape }) => isJson && shape));
}
