import {
  type Contract,
  errorRoles,
  isRecord,
  type MediaType,
  type Operation,
  responseFor,
  type Shape,
  sample,
  stringifyJson,
} from '#spec';
import type { Answer } from './exchange.ts';
import { REFUSALS, type Refusal } from './refusal.ts';

/** Turns a refusal into an answer that fills the documented error body. */
export type Refuse = (refusal: Refusal) => Answer;

/** RFC 9457, for documents that say nothing about the body of an error. */
const PROBLEM_JSON = 'application/problem+json';

/** Compiles the refusals of an operation; without one: of a path or method that the document does not have. */
export function compileRefuse(operation: Operation | undefined, contract: Contract): Refuse {
  const forms = new Map<number, MediaType | undefined>();
  const invalidStatus = operation ? statusForInvalid(operation) : REFUSALS.invalid.status;
  return (refusal) => {
    const { status: usual, code } = REFUSALS[refusal.refuse];
    const status = refusal.refuse === 'invalid' ? invalidStatus : usual;
    if (!forms.has(status)) forms.set(status, chooseForm(status, operation, contract));
    const form = forms.get(status);
    const facts = { status, code, refusal };
    const body = form?.shape ? fillBody(form.shape, facts) : problemDetails(facts);
    const answer = { status, type: form?.type ?? PROBLEM_JSON, body: stringifyJson(body) };
    return refusal.headers ? { ...answer, headers: refusal.headers } : answer;
  };
}

/** The status that the operation documents for invalid input: 400, else 422, else what a range or `default` allows. */
function statusForInvalid({ responses }: Operation): number {
  const keys = responses.map(({ key }) => key);
  return !keys.includes('400') && keys.includes('422') ? 422 : 400;
}

/** The first documented error body that can say this; the operation's own ones before those of others. */
function chooseForm(status: number, own: Operation | undefined, contract: Contract): MediaType | undefined {
  const validFor = ({ schema, shape }: MediaType): boolean =>
    shape !== undefined &&
    schema !== undefined &&
    contract.validators.compile(
      schema,
      'response',
    )(fillBody(shape, { status, code: 'x', refusal: { refuse: 'bug', message: 'x' } })).length === 0;
  const described = own && jsonErrorsOf(own, [responseFor(own.responses, status)?.key ?? '']);
  return [...(described ?? []), ...otherForms(status, contract)].find(validFor);
}

function* otherForms(status: number, { operations }: Contract): Generator<MediaType> {
  for (const keys of [[String(status)], ['default', `${Math.trunc(status / 100)}XX`]]) {
    for (const operation of operations) yield* jsonErrorsOf(operation, keys);
  }
  for (const operation of operations) {
    yield* jsonErrorsOf(
      operation,
      operation.responses.map(({ key }) => key).filter((key) => /^[45]/.test(key)),
    );
  }
}

function jsonErrorsOf({ responses }: Operation, keys: readonly string[]): MediaType[] {
  const described = responses.filter(({ key }) => keys.includes(key));
  return described.flatMap(({ content }) => content.filter(({ isJson, shape }) => isJson && shape));
}

interface Facts {
  readonly status: number;
  readonly code: string;
  readonly refusal: Refusal;
}

function fillBody(shape: Shape, facts: Facts): unknown {
  const blank = sample(shape, { key: 'error', include: () => false });
  return fill(shape, blank, facts);
}

/** Writes status, code and message where the schema has a member for each; in inner objects and lists too. */
function fill(shape: Shape, blank: unknown, facts: Facts): unknown {
  if (!isRecord(blank)) return blank;
  const filled: Record<string, unknown> = { ...blank };
  const roles = errorRoles(shape);
  const put = (name: string | undefined, value: unknown) => {
    const member = name === undefined ? undefined : shape.properties.get(name);
    if (name !== undefined && member && accepts(member, value)) filled[name] = value;
  };
  put(roles.status, facts.status);
  put(roles.code, facts.code);
  put(roles.message, facts.refusal.message);
  for (const [name, member] of shape.properties) {
    const { items } = member;
    if (name in filled && member.mainType === 'object') filled[name] = fill(member, filled[name], facts);
    else if (items?.mainType === 'object' && errorRoles(items).message) filled[name] = fillList(items, facts);
  }
  return filled;
}

function fillList(items: Shape, facts: Facts): unknown[] {
  const details = facts.refusal.details ?? [];
  return details.map(({ where, message }) => {
    const one = { ...facts, refusal: { ...facts.refusal, message: `${where} ${message}` } };
    return fillBody(items, one);
  });
}

/** An enumeration of codes, say, may not know ours; the sample then stands. */
function accepts(member: Shape, value: unknown): boolean {
  return member.values === undefined || member.values.includes(value);
}

function problemDetails({ status, code, refusal }: Facts): unknown {
  return { type: 'about:blank', title: code, status, detail: refusal.message };
}
