const LOOPBACK =
  /^(?:(?:.+\.)?localhost|(?:::ffff:)?127(?:\.\d{1,3}){3}|::ffff:7f[\da-f]{2}:[\da-f]{1,4}|::1)$/i;

/**
 * Whether a host is this machine, which no other one can reach (RFC 6761 §6.3, RFC 1122 §3.2.1.3, RFC 4291 §2.5.3 and §2.5.5.2).
 * @param host a name or an address, as a URL or a socket has it: with the brackets of IPv6 or without
 */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host.replace(/^\[(.*)\]$/, '$1'));
}
