import type { Operation } from '#spec';
import type { AcceptedKeys } from '../answer/authenticate.ts';

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

const HIDDEN = '***';

/** Keys and token as they may stand in what clients send where nobody asked for them. */
export function compileHide(keys: AcceptedKeys, token: string | undefined): (text: string) => string {
  const own = [...(keys === 'any' ? [] : keys), ...(token === undefined ? [] : [token])];
  const known = [...new Set(own.flatMap((key) => [key, encodeURIComponent(key)]))];
  return (text) => {
    let shown = text;
    for (const key of known) if (shown.includes(key)) shown = shown.replaceAll(key, HIDDEN);
    if (!shown.includes('%')) return shown;
    // Any character may be written as an escape; who has written a key so is told no more than that.
    const plain = decodeEscapes(shown);
    return known.some((key) => plain.includes(key)) ? HIDDEN : shown;
  };
}

function decodeEscapes(text: string): string {
  return text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Compiles what takes the values of credentials out of a target; in most documents none is meant to stand there. */
export function compileRedaction(
  operations: readonly Operation[],
  hide: (text: string) => string,
): (target: string) => string {
  const credentials = operations.flatMap(({ security }) => security.flat());
  const names = new Set(credentials.flatMap(({ in: place, name }) => (place === 'query' ? [name] : [])));
  if (names.size === 0) return hide;
  return (target) =>
    hide(target).replace(/([?&])([^=&]*)=([^&]*)/g, (pair, mark: string, name: string) =>
      names.has(decode(name)) ? `${mark}${name}=${HIDDEN}` : pair,
    );
}

function decode(name: string): string {
  return new URLSearchParams(`${name}=`).keys().next().value ?? '';
}
