import { literalText } from './credentials.ts';
import type { IdPlace } from './trail.ts';
import type { WireRequest } from './wire.ts';

/** Headers that curl sets itself. */
const OWN_HEADERS = new Set(['host', 'content-length', 'transfer-encoding']);

/**
 * A curl command that sends the request again, for a POSIX shell. It reads the run's credentials from `$PADDOCK_API_KEY`
 * and `$PADDOCK_CREDENTIAL_NAME`, secret headers of the user from `$PADDOCK_HEADER_NAME`, and the files of a client
 * certificate from `$PADDOCK_CLIENT_CERT`; only words with a variable are in double quotes.
 *
 * @param redact is applied to everything but the credential
 */
export function curlOf(request: WireRequest, redact = (text: string) => text): string {
  const word = (text: string) => quoted(redact(text));
  const { method, headers, body, chunked } = request;
  const words = ['curl', method === 'HEAD' ? '-I' : '-i'];
  if (method !== 'HEAD' && method !== (body ? 'POST' : 'GET')) words.push('-X', method);
  // A stream may never end.
  if (request.listening) words.push('-N', '--max-time', String(STREAM_SECONDS));
  words.push(...connectionWords(request), ...urlWords(request, word, redact));
  for (const [name, value] of headers) {
    if (OWN_HEADERS.has(name.toLowerCase())) continue;
    const secret = request.credential?.headers.find((pair) => pair[0] === name && pair[1].text === value);
    if (secret && value !== '') words.push('-H', `"${name}: ${secret[1].shell}"`);
    // curl writes a header without a value as "Name;", and would drop "Name:".
    else words.push('-H', word(value === '' ? `${name};` : `${name}: ${value}`));
  }
  if (chunked) words.push('-H', word('Transfer-Encoding: chunked'));
  if (body) {
    // Without this, curl would send the media type of a form.
    if (!headers.some(([name]) => name.toLowerCase() === 'content-type')) words.push('-H', "'Content-Type:'");
    const text = asText(body);
    if (text === undefined)
      return `${printed(body, redact)} | ${[...words, '--data-binary', '@-'].join(' ')}`;
    // A leading "@" would name a file.
    words.push(text.startsWith('@') ? '--data-raw' : '--data-binary', word(text));
  }
  return words.join(' ');
}

const STREAM_SECONDS = 5;

/** Undefined: the bytes cannot be printed in one line, as reports show commands. */
function asText(body: Uint8Array): string | undefined {
  const text = Buffer.from(body).toString();
  const isText = /^[^\p{Cc}]*$/u.test(text);
  return isText && Buffer.from(text).equals(body) ? text : undefined;
}

/** Prints the bytes by `printf` (POSIX). */
function printed(body: Uint8Array, redact: (text: string) => string): string {
  const text = Buffer.from(body).toString();
  const isText = Buffer.from(text).equals(body);
  const content = isText ? redact(text) : Buffer.from(body).toString('latin1');
  const escaped = [...content].map((sign) => {
    const code = sign.codePointAt(0) ?? 0;
    const isControl = code < 0x20 || code === 0x7f || (!isText && code > 0x7f);
    return ESCAPED[sign] ?? (isControl ? octal(code) : sign);
  });
  // Some shells parse a leading "-" as an option.
  return `printf '${escaped.join('').replace(/^-/, octal(0x2d))}'`;
}

const ESCAPED: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '%': '%%',
  "'": `'\\''`,
  '\r': '\\r',
  '\n': '\\n',
  '\t': '\\t',
};

function octal(code: number): string {
  return `\\${code.toString(8).padStart(3, '0')}`;
}

function connectionWords({ connection = {}, url }: WireRequest): string[] {
  if (url.protocol !== 'https:') return [];
  return [
    ...(connection.insecure ? ['-k'] : []),
    ...(connection.authority === undefined ? [] : ['--cacert', quoted(connection.authority)]),
    ...certificateWords([connection.clientCert ?? []].flat()),
  ];
}

/** The variable contains two files, the certificate first. */
function certificateWords({ length }: readonly string[]): string[] {
  if (length === 0) return [];
  if (length === 1) return ['--cert', '"$PADDOCK_CLIENT_CERT"'];
  return ['--cert', `"\${PADDOCK_CLIENT_CERT%,*}"`, '--key', `"\${PADDOCK_CLIENT_CERT#*,}"`];
}

/**
 * The credential's parameters end the query; from the first that must be percent-encoded on, curl (7.87) encodes and
 * appends them.
 */
function urlWords(
  { url, credential }: WireRequest,
  word: (text: string) => string,
  redact: (text: string) => string,
): string[] {
  const secrets = credential?.query ?? [];
  if (secrets.length === 0) return [word(url.href)];
  const rest = url.search.slice(1).split('&').slice(0, -secrets.length);
  const bare = `${url.origin}${url.pathname}`;
  const firstEncoded = secrets.findIndex(([, { text }]) => encodeURIComponent(text) !== text);
  const asIs = firstEncoded < 0 ? secrets : secrets.slice(0, firstEncoded);
  const encoded = secrets.slice(asIs.length);
  const pairs = asIs.map(([name, { shell }]) => `${literalText(encodeURIComponent(name)).shell}=${shell}`);
  const query = [...rest.map((pair) => literalText(redact(pair)).shell), ...pairs].join('&');
  return [
    `"${literalText(redact(bare)).shell}${query === '' ? '' : `?${query}`}"`,
    ...encoded.flatMap(([name, { shell }]) => [
      '--url-query',
      `"${literalText(encodeURIComponent(name)).shell}=${shell}"`,
    ]),
  ];
}

interface ScriptRequest {
  /** An id of a record that the script creates is a {@link placeholderOf} in its URL. */
  readonly request: WireRequest;
  /** The variable for the id, or the entity tag, in the response. */
  readonly keeps?: Kept | undefined;
}

interface Kept {
  readonly variable: string;
  readonly at: IdPlace | 'etag';
  /** Whether it is percent-encoded, as in a path. */
  readonly isEncoded?: boolean;
}

/** Requests that reproduce something from scratch: an entry is one request, or several concurrent ones. */
export type Script = readonly (readonly ScriptRequest[])[];

/** A text that stands for a variable and does not occur in requests. */
export function placeholderOf(variable: string): string {
  return `paddock~variable~${variable}~`;
}

/** Removes the quotes around placeholders of numbers in a JSON body. */
export function withNumbers(body: Uint8Array, variables: readonly string[]): Uint8Array {
  const text = Buffer.from(body).toString();
  return Buffer.from(
    variables.reduce(
      (all, variable) => all.replaceAll(`"${placeholderOf(variable)}"`, placeholderOf(variable)),
      text,
    ),
  );
}

/**
 * A script as lines for a POSIX shell with curl and, if ids are kept, jq. It may be run repeatedly: the target then
 * assigns other ids.
 *
 * @param redact is applied to everything but the credential
 */
export function linesOf(script: Script, redact?: (text: string) => string): string[] {
  return script.map((entry) => {
    const [first, ...others] = entry;
    if (others.length === 0) return first ? commandOf(first, redact) : '';
    return atOnce(entry, redact);
  });
}

/** Background processes of a shell cannot set variables: responses that are needed later go to files. */
function atOnce(entry: Script[number], redact?: (text: string) => string): string {
  const commands = entry.map((scriptRequest, index) =>
    scriptRequest.keeps
      ? `${reading(scriptRequest, redact)} > "$R/${index}"`
      : curlWithVariables(scriptRequest, redact),
  );
  const kept = entry.flatMap(({ keeps }, index) =>
    keeps ? `${keeps.variable}=$(${extraction(keeps)} < "$R/${index}")` : [],
  );
  const sent = `${commands.join(' & ')} & wait`;
  return kept.length === 0 ? sent : ['R=$(mktemp -d)', sent, 'cat "$R"/*', ...kept].join('; ');
}

function commandOf(scriptRequest: Script[number][number], redact?: (text: string) => string): string {
  const { keeps } = scriptRequest;
  if (!keeps) return curlWithVariables(scriptRequest, redact);
  return `${keeps.variable}=$(${reading(scriptRequest, redact)} | ${extraction(keeps)})`;
}

/** A command that prints what contains the id: the body, or headers and body. */
function reading(scriptRequest: Script[number][number], redact?: (text: string) => string): string {
  const options = typeof scriptRequest.keeps?.at === 'string' ? '-si' : '-s';
  return curlWithVariables(scriptRequest, redact).replace(/^((?:printf .* \| )?curl) -i/s, `$1 ${options}`);
}

function extraction({ at, isEncoded = false }: Kept): string {
  if (at === 'etag') return `tr -d '\\r' | sed -n 's/^[Ee][Tt][Aa][Gg]: *//p'`;
  if (at === 'location') return `tr -d '\\r' | sed -n 's|^[Ll]ocation:.*/\\([^/?#]\\{1,\\}\\).*|\\1|p'`;
  if ('xml' in at) {
    const [prefix, name] = ['^\\([^:>]*:\\)\\{0,1\\}', at.xml.replaceAll('.', '\\.')];
    const [attribute, element] = [`s/${prefix}${name}="\\([^"]*\\)".*/\\2/p`, `s/${prefix}${name}>//p`];
    return `tr '<[:space:]' '[\\n*]' | sed -n -e '${attribute}' -e '${element}' | head -n 1`;
  }
  const path = at.map((name) => {
    if (typeof name === 'number') return `[${name}]`;
    return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `.[${JSON.stringify(name)}]`;
  });
  const whole = path.join('').replace(/^(?=\[)/, '.') + (isEncoded ? ' | @uri' : '');
  return `jq -r ${/^[.\w]*$/.test(whole) ? whole : quoted(whole)}`;
}

function curlWithVariables({ request }: Script[number][number], redact?: (text: string) => string): string {
  return withVariables(curlOf(request, redact));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Inserts variables in double quotes, outside of single-quoted words, which have no escapes. */
function withVariables(curl: string): string {
  let quote = '';
  const inserted = curl.replace(
    /\\['"\\]?|['"]|paddock~variable~(\w+)~/g,
    (part, variable: string | undefined) => {
      if (variable !== undefined) return quote === "'" ? `'"$${variable}"'` : `$${variable}`;
      if (part.startsWith('\\') && quote !== "'") return part;
      const sign = part.at(-1) ?? '';
      if (sign === quote) quote = '';
      else if (quote === '') quote = sign;
      return part;
    },
  );
  return inserted.replace(/("\$(?:ID|TAG)\d+")''/g, '$1');
}
