const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i;

/**
 * Whether a host is this machine, which no other one can reach (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3).
 * @param host a name or an address, as a URL or a socket has it: with the brackets of IPv6 or without
 */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** Also by a name below `localhost` (RFC 6761 §6.3). A resolver may have another answer for it: what is sent unasked goes by {@link isLoopback}. */
export function namesLoopback(host: string): boolean {
  return isLoopback(host) || /.\.localhost$/i.test(host);
}
