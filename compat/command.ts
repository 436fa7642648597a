import { KEY, type Sent } from './draft.ts';

/** Where `paddock mock NEW` listens by default. */
export const ORIGIN = 'http://127.0.0.1:4020';

/** A curl command for a POSIX shell that sends a request to a mock of NEW, with the key in `$PADDOCK_API_KEY`. */
export function commandOf({ method, path, query, headers, body }: Sent, basePath: string): string {
  const url = `${ORIGIN}${basePath}${path}${query === '' ? '' : `?${query}`}`;
  const basic = `Basic ${Buffer.from(KEY).toString('base64')}`;
  const words = ['curl', '-i', ...(method === (body ? 'POST' : 'GET') ? [] : ['-X', method]), keyed(url)];
  for (const [name, value] of headers)
    if (value === basic) words.push('-u', '"$PADDOCK_API_KEY"');
    else words.push('-H', keyed(value === '' ? `${name};` : `${name}: ${value}`));
  if (!body) return words.join(' ');
  const text = Buffer.from(body).toString();
  if (/^[^\p{Cc}]*$/u.test(text) && Buffer.from(text).equals(body))
    return [...words, '--data-raw', quoted(text)].join(' ');
  const encoded = Buffer.from(body).toString('base64');
  return `printf ${encoded} | base64 -d | ${[...words, '--data-binary', '@-'].join(' ')}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** In single quotes, but for the key. */
function keyed(text: string): string {
  const parts = text.split(new RegExp(`${KEY}|${encodeURIComponent(KEY)}`));
  return parts
    .map((part) => (part === '' && parts.length > 1 ? '' : quoted(part)))
    .join('"$PADDOCK_API_KEY"');
}
