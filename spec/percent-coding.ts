/** The text behind percent-encoding (RFC 3986 §2.1); where it is invalid, the text as it is. */
export function percentDecode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Everything but unreserved characters is encoded; half of a surrogate pair, which has no encoding, is replaced. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
