import { digest } from '#platform';
import {
  type Contract,
  conditionalOf,
  fullyFits,
  type Header,
  type Operation,
  responseFor,
  sample,
} from '#spec';
import type { ResponseContent } from './exchange.ts';
import { memoizeFew } from './memoize.ts';
import { preferredMedia, responseType } from './representations.ts';

/** The entity tag of a response. Undefined: it has none. */
export type TagOf = (
  content: Pick<ResponseContent, 'status' | 'type' | 'body' | 'version'>,
) => string | undefined;

/**
 * Compiles the entity tags (RFC 9110 §8.8.3) of an operation's responses: for a response about a record from the record, so
 * that all operations that show its usual form share one tag. Undefined: no response has one.
 */
export function compileTagOf(
  operation: Operation,
  contract: Pick<Contract, 'operations'>,
): TagOf | undefined {
  const { tag } = conditionalOf(contract, operation);
  if (!tag) return undefined;
  const compiled = memoizeFew((status: number): TagOf => {
    const response = responseFor(operation.responses, status);
    const header = response?.headers.find(({ name }) => name === 'etag');
    const isTagged = header || (tag?.certainty === 'presumed' && status >= 200 && status < 300);
    if (!isTagged) return () => undefined;
    const form = compileForm(header);
    const usual = response && preferredMedia(response);
    const usualType = usual && responseType(usual);
    return ({ type, body, version }) => {
      if (version !== undefined) return form(hashOf(type === usualType ? undefined : type, version));
      return typeof body === 'function' ? undefined : form(hashOf(type, body));
    };
  });
  return (content) => compiled(content.status)(content);
}

/** In quotes, unless the header's schema has another form. */
function compileForm(header: Header | undefined): (hash: string) => string {
  if (!header?.schema || fullyFits(header.shape, quoted(hashOf(undefined, '')))) return quoted;
  const { shape } = header;
  return (hash) => String(sample(shape, { key: hash })).replace(/[^\x21-\x7e]/g, '');
}

/** A strong entity tag (RFC 9110 §8.8.1): equal for the same bytes in the same media type. */
export function entityTag(type: string | undefined, body: string | Uint8Array): string {
  return quoted(hashOf(type, body));
}

function hashOf(type: string | undefined, body: string | Uint8Array): string {
  return digest(`${type ?? ''}\n`, body).slice(0, 22);
}

const quoted = (hash: string) => `"${hash}"`;

/** In quotes, or in another form that a schema requires. */
const TAG = /(?:W\/)?"[^"]*"|[^\s,]+/g;

/**
 * Whether `If-Match` or `If-None-Match` names one of these tags (RFC 9110 §8.8.3.2).
 * @param weakly also match weak tags
 */
export function namesTag(field: string, tags: readonly string[], weakly = false): boolean {
  const named = field.match(TAG) ?? [];
  if (named[0] === '*') return true;
  const form = (tag: string) => (weakly ? tag.replace(/^W\//, '') : tag);
  return named.some((one) => tags.some((tag) => form(tag) === form(one)));
}
