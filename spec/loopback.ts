const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i;

/**
 * Whether a host is a loopback address, which other machines cannot reach (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3).
 * @param host a name or an address, as in a URL or a socket: IPv6 with or without brackets
 */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/**
 * Includes names below `localhost` (RFC 6761 §6.3). A resolver may map those to another host, so code that sends
 * requests on its own initiative uses {@link isLoopback}.
 */
export function namesLoopback(host: string): boolean {
  return isLoopback(host) || /.\.localhost$/i.test(host);
}
