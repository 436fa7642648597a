/**
 * Swagger UI reads and writes JSON with doubles, in the examples that it offers and in the responses that it shows. On its
 * page an integer beyond 2^53 is read as a text instead, with a mark that has no width, and written as the integer again.
 */
const MARK = '\u2060';
const MARKED = new RegExp(`"${MARK}(-?\\d+)"`, 'g');

/** Keywords that the renderer calculates with, or fills in a parameter. */
const NUMERIC = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  'default',
]);

/** The document for the renderer. */
export function parseDocument(text: string): unknown {
  return parse(text, (key, value, context) => (NUMERIC.has(key) ? value : markInexact(key, value, context)));
}

/** Replaces `JSON.parse` of the page. */
export function readExactly(): void {
  JSON.parse = ((text: string, reviver = markInexact) => parse(text, reviver)) as typeof JSON.parse;
}

/** Replaces `JSON.stringify` of the page. Before, the renderer has to read the document, which it does as YAML. */
export function writeExactly(): void {
  const { stringify } = JSON;
  JSON.stringify = ((...given: Parameters<typeof stringify>) =>
    // Of undefined and functions there is no text.
    stringify(...given)?.replace(MARKED, '$1')) as typeof JSON.stringify;
}

/** Without the marks, which no request may have. */
export function withoutMarks(text: string): string {
  return text.replaceAll(MARK, '').replaceAll(encodeURIComponent(MARK), '');
}

/** ECMAScript 2026, JSON.parse source text access. */
type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;

const markInexact: Reviver = (_, value, context) => {
  const isInexact = typeof value === 'number' && !Number.isSafeInteger(value);
  return isInexact && /^-?\d+$/.test(context?.source ?? '') ? MARK + context?.source : value;
};
