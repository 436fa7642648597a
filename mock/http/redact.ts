import type { Operation } from '#spec';
import type { AcceptedKeys } from './authenticate.ts';

/** What is shown in the place of a credential. */
export const REDACTED = '***';

/** Compiles the redaction of keys and token wherever they occur in a text, percent-encoded or not. */
export function compileRedact(keys: AcceptedKeys, token: string | undefined): (text: string) => string {
  const own = [...(keys === 'any' ? [] : keys), ...(token === undefined ? [] : [token])];
  const known = [...new Set(own.flatMap((key) => [key, encodeURIComponent(key)]))];
  return (text) => {
    let shown = text;
    for (const key of known) if (shown.includes(key)) shown = shown.replaceAll(key, REDACTED);
    if (!shown.includes('%')) return shown;
    // Any character may be percent-encoded; of a text with a key in such a form nothing is shown.
    const decoded = shown.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    return known.some((key) => decoded.includes(key)) ? REDACTED : shown;
  };
}

/** Compiles the redaction of a request target: the query parameters that hold credentials, too. */
export function compileRedactTarget(
  operations: readonly Operation[],
  redact: (text: string) => string,
): (target: string) => string {
  const credentials = operations.flatMap(({ security }) => security.flat());
  const names = new Set(credentials.flatMap(({ in: place, name }) => (place === 'query' ? [name] : [])));
  if (names.size === 0) return redact;
  return (target) =>
    redact(target).replace(/([?&])([^=&]*)=[^&]*/g, (pair, mark: string, name: string) => {
      const [decoded = ''] = new URLSearchParams(`${name}=`).keys();
      return names.has(decoded) ? `${mark}${name}=${REDACTED}` : pair;
    });
}
