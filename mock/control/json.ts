import { parseJson, stringifyJson } from '#spec';
import type { Answer, MockRequest } from '../answer/exchange.ts';
import type { Refusal } from '../answer/refusal.ts';

export function jsonAnswer(value: unknown, status = 200, headers?: Answer['headers']): Answer {
  const body = `${stringifyJson(value, 2)}\n`;
  return { status, type: 'application/json', body, headers: { 'Cache-Control': 'no-store', ...headers } };
}

export const NO_CONTENT: Answer = { status: 204, type: undefined, body: '' };

/** The text of a request's body, as UTF-8. */
export function bodyText({ body }: MockRequest): string | Refusal {
  if (body === 'too large') return { refuse: 'too large', message: 'The body is too large' };
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return { refuse: 'malformed', message: 'The body is not UTF-8' };
  }
}

/** The JSON value of a request's body. */
export function bodyJson(request: MockRequest): { readonly value: unknown } | Refusal {
  const text = bodyText(request);
  if (typeof text !== 'string') return text;
  try {
    return { value: parseJson(text) };
  } catch (error) {
    return { refuse: 'malformed', message: `The body must be JSON: ${(error as Error).message}` };
  }
}
