const UNVERIFIED = 'its certificate cannot be verified: name its authority in NODE_EXTRA_CA_CERTS';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name cannot be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ECONNRESET: 'the connection was closed before the whole answer had come',
  UND_ERR_SOCKET: 'the connection was closed before the whole answer had come',
  EPIPE: 'the connection was closed while the request was being sent',
  ...Object.fromEntries(
    [
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'CERT_SIGNATURE_FAILURE',
    ].map((code) => [code, UNVERIFIED]),
  ),
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  'tlsv13 alert certificate required': 'it requires a client certificate (--client-cert)',
  'wrong version number': 'what answers does not speak TLS',
  'packet length too long': 'what answers does not speak TLS',
  HPE_INVALID_CONSTANT: 'what answers does not speak HTTP',
  HPE_HEADER_OVERFLOW: 'the headers of the answer are larger than 256 KiB',
};

/**
 * A readable reason for a connection error.
 * @param remedy for a certificate that cannot be verified, besides Node's own
 */
export function reasonOf(error: unknown, remedy = ''): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const [, tls] = OPENSSL.exec(message) ?? [];
  if (tls !== undefined) return REASONS[tls] ?? `TLS: ${tls}`;
  const reason = REASONS[code];
  return reason === UNVERIFIED ? reason + remedy : (reason ?? `${message}${code && ` (${code})`}`);
}

/** `error:NUMBER:LIBRARY:FUNCTION:REASON:FILE` in the message of a TLS error. */
const OPENSSL = /\berror:[0-9A-F]{8}:[^:]*:[^:]*:([^:]+):/;
