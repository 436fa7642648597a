import { isRecord, type ParameterPlace, type RequestViolation } from '#spec';
import { pathTexts } from '../send/plan-request.ts';
import type { Evidence } from './evidence.ts';

/** What a breach came with, for whoever groups breaches: it stays where bodies are not kept. */
export interface Circumstance {
  /** What the document says is wrong with the request; undefined: nothing. */
  readonly violation?: Pick<RequestViolation, 'in' | 'name' | 'kind' | 'pointer' | 'keyword' | 'expected'> & {
    /** The value is null. */
    readonly isNull?: true;
  };
  /** What the body of an error is, in words: `{code, message}`, `a string`. */
  readonly form?: string;
}

const ERRORS = 400;

export function circumstanceOf({ request, response, json }: Evidence): Circumstance {
  const { violations } = request;
  // What is refused is the value: a value of the wrong type is refused for its type, too.
  const violation = violations.find(({ kind }) => kind === 'schema') ?? violations[0];
  return {
    ...(violation && { violation: wordsOf(violation) }),
    ...(response.status >= ERRORS && json !== undefined && { form: formOf(json) }),
  };
}

function wordsOf({ in: place, name, kind, pointer, keyword, expected, received }: RequestViolation) {
  const words = { in: place, name, kind, pointer, keyword, expected };
  return received === null ? { ...words, isNull: true as const } : words;
}

/** So many members say what a body is. */
const MOST_MEMBERS = 6;

function formOf(body: unknown): string {
  if (Array.isArray(body)) return 'a list';
  if (!isRecord(body))
    return body === null ? 'null' : `a ${typeof body === 'bigint' ? 'number' : typeof body}`;
  const names = Object.keys(body);
  const more = names.length - MOST_MEMBERS;
  return `{${names.slice(0, MOST_MEMBERS).join(', ')}${more > 0 ? ` and ${more} more` : ''}}`;
}

/** A part of a request: a parameter, or what a JSON Pointer (RFC 6901) leads to in the body, which may not be there. */
export interface SentPart {
  readonly in: ParameterPlace | 'body';
  /** Of the parameter; empty for the body. */
  readonly name: string;
  readonly pointer: string;
  /** Of a parameter in the path: how it stands in the URL. */
  readonly text?: string;
}

/** What of a request breaks the document. */
export function sentPart(
  { operation, exchange }: Pick<Evidence, 'operation' | 'exchange'>,
  { in: place, name, pointer }: Pick<RequestViolation, 'in' | 'name' | 'pointer'>,
): SentPart {
  const text = place === 'path' ? pathTexts(operation, exchange.input)[name] : undefined;
  return { in: place, name, pointer, ...(text !== undefined && { text }) };
}

export function ofHeader(name: string): SentPart {
  return { in: 'header', name, pointer: '' };
}
