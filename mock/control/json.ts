import { parseJson, stringifyJson } from '#spec';
import type { MockRequest, ResponseContent } from '../http/exchange.ts';
import type { Refusal } from '../http/refusal.ts';

export const NO_STORE = { 'Cache-Control': 'no-store' };

export function jsonResponse(
  value: unknown,
  status = 200,
  headers?: ResponseContent['headers'],
): ResponseContent {
  const body = `${stringifyJson(value, 2)}\n`;
  return { status, type: 'application/json', body, headers: { ...NO_STORE, ...headers } };
}

export const NO_CONTENT: ResponseContent = { status: 204, type: undefined, body: '' };

/** The text of a request's body, which must be UTF-8. */
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
