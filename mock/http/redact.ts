import { isSecretHeader, isSecretName, maskQuery, type Operation, secretsIn } from '#spec';
import type { AcceptedKeys } from './authenticate.ts';
import type { MockRequest } from './exchange.ts';

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
  return (target) => maskQuery(redact(target), REDACTED, (name) => names.has(name));
}

/** Shorter values occur in ordinary words. */
const SHORTEST = 4;

/** Redacts, in what is shown of an exchange, what its request has in secret headers and query parameters. */
export function redactSent(
  { query, headers }: Pick<MockRequest, 'query' | 'headers'>,
  redact: (text: string) => string,
): (text: string) => string {
  const sent = [
    ...Object.entries(headers).flatMap(([name, value]) =>
      value !== undefined && isSecretHeader(name) ? secretsIn(name, String(value)) : [],
    ),
    ...query.split('&').flatMap((pair) => {
      const [name = '', value = ''] = [...new URLSearchParams(pair)][0] ?? [];
      return isSecretName(name) ? [value, pair.slice(pair.indexOf('=') + 1)] : [];
    }),
  ];
  const known = [...new Set(sent)]
    .filter((secret) => secret.length >= SHORTEST)
    .sort((one, other) => other.length - one.length);
  return (text) => known.reduce((shown, secret) => shown.replaceAll(secret, REDACTED), redact(text));
}
