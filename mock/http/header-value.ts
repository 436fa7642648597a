import { type Header, Shape, sample, type Validators } from '#spec';

/** Headers of the body and the connection, which no document sets (OpenAPI 3.1 §4.8.17, RFC 9110 §7.6.1). */
const NOT_DOCUMENTED = new Set([
  ...['content-type', 'content-length', 'content-encoding', 'transfer-encoding'],
  ...['connection', 'keep-alive', 'trailer', 'upgrade', 'date'],
]);

/** What these say has a cause, which a sample has not: they are sent only where the document demands them. */
const CAUSED =
  /^(?:accept|accept-.*|access-control-.*|age|allow|cache-control|content-.*|deprecation|expires|last-modified|link|location|preference-applied|retry-after|server|set-cookie|strict-transport-security|sunset|trace.*|vary|via|warning|www-authenticate)$/;

/** Another page that is not there would be asked for again and again. */
const OTHER_PAGE = /next|prev|cursor|continu|token|last|more/;

export const isOfBody = (name: string): boolean => NOT_DOCUMENTED.has(name);

/** Whether a documented header is sent where nothing else has set it. */
export function isFilled({ name, required }: Header): boolean {
  if (isOfBody(name)) return false;
  return required || !(CAUSED.test(name) || OTHER_PAGE.test(name));
}

/** The value of a documented header, from an example or else sampled; undefined: no text conforms to its schema. */
export function compileHeaderValue(
  header: Header,
  others: readonly Header[],
  validators: Validators,
  key: string,
): string | undefined {
  const { required, schema, examples } = header;
  const shape = schema && Shape.of([schema]);
  const validate = schema && validators.compile(schema, 'response');
  const fits = (value: unknown) => (validate?.(value).length ?? 0) === 0;
  const shown = [...examples.values(), ...(shape?.examples ?? [])];
  const limit = limitOf(header, others);
  const candidates = [
    ...shown,
    ...(limit === undefined ? [] : [limit]),
    ...(shape ? [sample(shape, { key })] : []),
  ];
  const found = candidates.find((value) => fits(value) && (required || isPlain(value)));
  if (found !== undefined) return headerText(found);
  return required ? headerText(candidates.at(-1) ?? 'x') : undefined;
}

/** The quota of a client (RateLimit headers), of which nothing is ever used up: the mock does not limit. */
function limitOf({ name, schema }: Header, others: readonly Header[]): unknown {
  if (!/rate-?limit/.test(name) || /reset|retry|used|window|policy/.test(name) || !schema) return undefined;
  const limit = others.find((other) => /rate-?limit(?:-limit)?$/.test(other.name));
  const [shown] = limit?.examples.values() ?? [];
  const stated = shown ?? (limit?.schema && Shape.of([limit.schema]).examples[0]);
  const { low, high } = (limit?.schema ? Shape.of([limit.schema]) : Shape.of([schema])).range;
  const within = Math.min(Math.max(QUOTA, Number(low?.value ?? QUOTA)), Number(high?.value ?? QUOTA));
  const value = typeof stated === 'number' ? stated : within;
  return Shape.of([schema]).mainType === 'string' ? String(value) : value;
}

const QUOTA = 1000;

/** A text that is on the wire what it is in the document. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return false;
  const text = String(value);
  return text !== '' && text === text.trim() && headerText(value) === text;
}

/** In the style `simple` (RFC 6570 §3.2.2), with `?` for what no header can carry (RFC 9110 §5.5). */
function headerText(value: unknown): string {
  const isCompound = typeof value === 'object' && value !== null && !Array.isArray(value);
  const text = String(isCompound ? Object.entries(value).flat() : value);
  return text.replace(/[^\x20-\x7e]/g, '?');
}
