/** Adds the name of a request's header to `Vary` (RFC 9110 §12.5.5). */
export function withVary(
  headers: Readonly<Record<string, string>> | undefined,
  name: string,
): Readonly<Record<string, string>> {
  return { ...headers, Vary: headers?.Vary === undefined ? name : `${headers.Vary}, ${name}` };
}
