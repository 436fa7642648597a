import type { Outcome } from './refusal.ts';

/** What a path offers, by method. */
type Methods<T> = ReadonlyMap<string, T>;

/** HEAD is GET without the body (RFC 9110 §9.3.2). */
export function findMethod<T>(methods: Methods<T>, method: string): T | undefined {
  return methods.get(method) ?? (method === 'HEAD' ? methods.get('GET') : undefined);
}

/** The value of `Allow` (RFC 9110 §10.2.1): HEAD comes with every GET, OPTIONS with every path. */
export function allowedMethods(methods: Iterable<string>): string {
  const offered = [...methods];
  return [...new Set([...offered, ...(offered.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].join(', ');
}

/** Responds to OPTIONS, and refuses any other method that a path does not offer. */
export function methodNotAllowed(method: string, path: string, methods: Methods<unknown>): Outcome {
  const allow = allowedMethods(methods.keys());
  if (method === 'OPTIONS') return { status: 204, type: undefined, headers: { Allow: allow }, body: '' };
  return {
    refuse: 'method not allowed',
    message: `${method} is not allowed at ${path}, only ${allow}`,
    headers: { Allow: allow },
  };
}
