import type { Operation } from '#spec';
import { SECRET } from './secrets-of.ts';

/** Compiles the redaction of request targets: the query parameters that are credentials, or are named so. */
export function compileRedactTarget(operations: readonly Operation[]): (target: string) => string {
  const credentials = operations.flatMap(({ security }) => security.flat());
  const names = new Set(credentials.flatMap(({ in: place, name }) => (place === 'query' ? [name] : [])));
  return (target) =>
    target.includes('?')
      ? target.replace(/([?&])([^=&]*)=[^&]*/g, (pair, mark: string, name: string) => {
          const [decoded = ''] = new URLSearchParams(`${name}=`).keys();
          return names.has(decoded) || SECRET.test(decoded) ? `${mark}${name}=***` : pair;
        })
      : target;
}
