/** The JSON Pointer (RFC 6901) of a path of member names and array indices. */
export function toPointer(path: readonly string[]): string {
  return path.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The pointer of a path as a URI fragment, percent-encoded (RFC 6901 §6), without its `#`. */
export function toFragment(path: readonly string[]): string {
  return toPointer(path).split('/').map(encodeURIComponent).join('/');
}

/** The path of a pointer in a URI fragment, percent-encoded (RFC 6901 §6); undefined if it is no pointer. */
export function parseFragment(fragment: string): string[] | undefined {
  if (fragment !== '' && !fragment.startsWith('/')) return undefined;
  try {
    const tokens = fragment.split('/').slice(1).map(decodeURIComponent);
    return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch {
    return undefined;
  }
}

/** Whether a pointer equals another one or leads further down from it. */
export function isWithin(pointer: string, outer: string): boolean {
  return pointer === outer || pointer.startsWith(`${outer}/`);
}
