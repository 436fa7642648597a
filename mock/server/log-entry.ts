import type { Operation } from '#spec';

/** One exchange, as the log tells it. */
export interface LogEntry {
  readonly method: string;
  /** Path and query as sent, credentials taken out. */
  readonly target: string;
  /** 0: the connection was dropped on purpose. */
  readonly status: number;
  readonly ms: number;
  /** Such as that the operation is deprecated. */
  readonly remark?: string | undefined;
}

/** Compiles what takes the values of credentials out of a target; in most documents none ever stands there. */
export function compileRedaction(operations: readonly Operation[]): (target: string) => string {
  const credentials = operations.flatMap(({ security }) => security.flat());
  const names = new Set(credentials.flatMap(({ in: place, name }) => (place === 'query' ? [name] : [])));
  if (names.size === 0) return (target) => target;
  return (target) =>
    target.replace(/([?&])([^=&]*)=([^&]*)/g, (pair, mark: string, name: string) =>
      names.has(decode(name)) ? `${mark}${name}=***` : pair,
    );
}

function decode(name: string): string {
  return new URLSearchParams(`${name}=`).keys().next().value ?? '';
}
