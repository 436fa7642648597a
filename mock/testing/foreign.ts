const LOCAL = 'Host: localhost';
const LOOPBACK = 'Host: 127.0.0.1';
/** Headers of a request from a foreign origin, or through a foreign host name. */
export const FOREIGN: readonly (readonly [name: string, headers: readonly string[]])[] = [
  ['a foreign origin', [LOOPBACK, 'Origin: https://evil.example']],
  ['an opaque origin', [LOOPBACK, 'Origin: null']],
  ['an origin that begins with localhost', [LOCAL, 'Origin: http://localhost.evil.example']],
  ['an origin that begins with an address', [LOCAL, 'Origin: http://127.0.0.1.evil.example']],
  ['an origin with localhost as its user', [LOCAL, 'Origin: http://localhost@evil.example']],
  ['two origins, one of them local', [LOCAL, 'Origin: https://evil.example', 'Origin: http://localhost']],
  ['a foreign host name that resolves to loopback', ['Host: evil.example:4020']],
  ['a foreign host name with a final dot', ['Host: localhost.evil.example.']],
  ['a malformed host', ['Host: [']],
  ['an empty host', ['Host:']],
  ['the unspecified address', ['Host: 0.0.0.0']],
  ['a cross-site image or script', [LOCAL, 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: no-cors']],
];

/** A request as it is sent. */
export function requestText(line: string, headers: readonly string[], body = ''): string {
  const length = body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`];
  return `${line} HTTP/1.1\r\n${[...headers, ...length].map((one) => `${one}\r\n`).join('')}\r\n${body}`;
}
