import { isRecord, parseFragment } from '#spec';
import { jsonOf, type Response } from '../send/response.ts';
import { headerOf } from '../send/wire.ts';

/**
 * A runtime expression over responses (OpenAPI 3.1 §4.8.20.4): `$response.body#/id`, `$response.header.ETag`. Of
 * several responses it means the latest; `$response.1.body#/id` means the first.
 */
export interface RuntimeExpression {
  /** From 1; undefined: the latest. */
  readonly step: number | undefined;
  readonly valueIn: (response: Response) => unknown;
}

/** Undefined: the text is no such expression. */
export function parseExpression(text: string): RuntimeExpression | undefined {
  const [, number, header, fragment] =
    /^\$response(?:\.([1-9]\d*))?\.(?:header\.([!#$%&'*+.^_`|~\w-]+)|body(?:#(.*))?)$/s.exec(text) ?? [];
  const step = number === undefined ? undefined : Number(number);
  if (header !== undefined) return { step, valueIn: (response) => headerOf(response, header.toLowerCase()) };
  if (!/^\$response(?:\.\d+)?\.body/.test(text)) return undefined;
  const path = parseFragment(fragment ?? '');
  return path && { step, valueIn: (response) => memberAt(jsonOf(response), path) };
}

/** The value at a JSON Pointer (RFC 6901). */
function memberAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((here, token) => {
    if (Array.isArray(here)) return here[Number(token)];
    return isRecord(here) ? here[token] : undefined;
  }, value);
}
