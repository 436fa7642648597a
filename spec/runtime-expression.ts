import { isRecord, ownEntry, parseFragment } from './json/json-value.ts';

/** A request and its response, as runtime expressions refer to them (OpenAPI 3.1 §4.8.20.4). */
export interface ExpressedExchange {
  /** The absolute URL of the request. */
  readonly url: string;
  readonly method: string;
  readonly request: {
    /** By lower-case name. */
    readonly headers: Readonly<Record<string, unknown>>;
    readonly query: Readonly<Record<string, unknown>>;
    readonly path: Readonly<Record<string, unknown>>;
    /** The decoded body. */
    readonly body: unknown;
  };
  readonly response: {
    /** By lower-case name. */
    readonly headers: Readonly<Record<string, unknown>>;
    readonly body: unknown;
  };
}

/** The source of a runtime expression's value. */
export type ExpressionSource =
  | { readonly from: 'url' | 'method' }
  | { readonly from: 'body'; readonly of: Message; readonly pointer: readonly string[] }
  | { readonly from: 'header' | 'query' | 'path'; readonly of: Message; readonly name: string };

type Message = 'request' | 'response';

/** A token of RFC 9110 §5.6.2. */
const HEADER = /^\$(request|response)\.header\.([!#$%&'*+.^_`|~\w-]+)$/;
const NAMED = /^\$request\.(query|path)\.(.+)$/s;
const BODY = /^\$(request|response)\.body(?:#(.*))?$/s;

/** Undefined: the text is no runtime expression. */
export function parseRuntimeExpression(text: string): ExpressionSource | undefined {
  if (text === '$url' || text === '$method') return { from: text === '$url' ? 'url' : 'method' };
  const [, message, header] = HEADER.exec(text) ?? [];
  if (header !== undefined) return { from: 'header', of: message as Message, name: header.toLowerCase() };
  const [, place, name] = NAMED.exec(text) ?? [];
  if (name !== undefined) return { from: place as 'query' | 'path', of: 'request', name };
  const [body, of, fragment = ''] = BODY.exec(text) ?? [];
  const pointer = body === undefined ? undefined : parseFragment(fragment);
  return pointer && { from: 'body', of: of as Message, pointer };
}

/** Undefined: the exchange has no such value. */
function evaluate(source: ExpressionSource, exchange: ExpressedExchange): unknown {
  if (!('of' in source)) return exchange[source.from];
  if (source.from === 'body') return memberAt(exchange[source.of].body, source.pointer);
  if (source.from === 'header') return ownEntry(exchange[source.of].headers, source.name);
  return ownEntry(exchange.request[source.from], source.name);
}

/** RFC 6901 §4. */
const INDEX = /^(?:0|[1-9]\d*)$/;

/** The value at a JSON Pointer (RFC 6901); undefined if there is none. */
export function memberAt(value: unknown, pointer: readonly string[]): unknown {
  return pointer.reduce<unknown>((here, token) => {
    if (Array.isArray(here)) return INDEX.test(token) ? here[Number(token)] : undefined;
    return isRecord(here) ? ownEntry(here, token) : undefined;
  }, value);
}

/** A text with runtime expressions in braces, or a single expression. */
export interface ExpressionTemplate {
  /** Texts and expressions alternately. */
  readonly parts: readonly (string | { readonly text: string; readonly source: ExpressionSource })[];
}

/** Returns the content of braces that is not an expression, which makes the template invalid. */
export function parseTemplate(text: string): ExpressionTemplate | { readonly unreadable: string } {
  const whole = text.startsWith('$') ? parseRuntimeExpression(text) : undefined;
  if (whole) return { parts: [{ text, source: whole }] };
  const parts: (string | { text: string; source: ExpressionSource })[] = [];
  let end = 0;
  for (const match of text.matchAll(/\{([^{}]*)\}/g)) {
    const [embedded, inner = ''] = match;
    const source = parseRuntimeExpression(inner);
    if (!source) return { unreadable: embedded };
    if (match.index > end) parts.push(text.slice(end, match.index));
    parts.push({ text: inner, source });
    end = match.index + embedded.length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return { parts };
}

/** The text with all values; `missing` is the first expression without one. */
export function fillTemplate(
  { parts }: ExpressionTemplate,
  exchange: ExpressedExchange,
): { readonly text: string } | { readonly missing: string } {
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    const value = evaluate(part.source, exchange);
    if (value === undefined || value === null || typeof value === 'object') return { missing: part.text };
    text += String(value);
  }
  return { text };
}
