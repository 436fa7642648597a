import { maskQuery, type Operation } from '#spec';

/** Compiles the redaction of request targets: the query parameters that are credentials, or are named so. */
export function compileRedactTarget(operations: readonly Operation[]): (target: string) => string {
  const credentials = operations.flatMap(({ security }) => security.flat());
  const names = new Set(credentials.flatMap(({ in: place, name }) => (place === 'query' ? [name] : [])));
  return (target) => maskQuery(target, '***', (name) => names.has(name));
}
