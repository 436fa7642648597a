import type { RequestViolation } from '#spec';
import { pathTexts } from '../send/plan-request.ts';
import type { Evidence } from './evidence.ts';
import type { SentPart } from './law.ts';

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
