import type { WireRequest } from './wire.ts';

/** Headers that curl sets by itself. */
const OWN_HEADERS = new Set(['host', 'content-length', 'transfer-encoding']);

/**
 * A curl command that sends the request again, for a POSIX shell. The key is read from `$PADDOCK_API_KEY`:
 * each part that holds it stands in double quotes, all others in single ones.
 */
export function curlOf(request: WireRequest, key: string | undefined): string {
  const words = ['curl', '-i'];
  if (request.method !== 'GET' && !(request.method === 'POST' && request.body))
    words.push('-X', request.method);
  words.push(quote(request.url.href, key));
  for (const [name, value] of request.headers) {
    if (OWN_HEADERS.has(name.toLowerCase())) continue;
    // curl takes "Name;" for a header without a value, and would drop "Name:".
    words.push('-H', quote(value === '' ? `${name};` : `${name}: ${value}`, key));
  }
  if (request.chunked) words.push('-H', quote('Transfer-Encoding: chunked', key));
  if (request.body) words.push('--data-binary', quote(Buffer.from(request.body).toString(), key));
  return words.join(' ');
}

const VARIABLE = '$PADDOCK_API_KEY';

function quote(text: string, key: string | undefined): string {
  if (key && text.includes(key)) {
    const parts = text.split(key).map((part) => part.replace(/[\\"$`]/g, '\\$&'));
    return `"${parts.join(VARIABLE)}"`;
  }
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
