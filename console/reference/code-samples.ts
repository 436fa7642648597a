import type { ClientRequest } from './request.ts';

/** Code that sends a request. */
export interface CodeSample {
  readonly name: string;
  readonly language: 'shell' | 'script';
  readonly code: string;
}

/** Stands for a key that only the environment has. */
const FROM_ENVIRONMENT = '$PADDOCK_API_KEY';

/** The request in each language, with what that language has by itself, or nearly everyone has. */
export function codeSamples(request: ClientRequest): readonly CodeSample[] {
  return [
    { name: 'curl', language: 'shell', code: curlCode(request) },
    { name: 'JavaScript', language: 'script', code: fetchCode(request) },
    { name: 'Python', language: 'script', code: pythonCode(request) },
    { name: 'Java', language: 'script', code: javaCode(request) },
  ];
}

function withCookies({ headers, cookies }: ClientRequest): readonly (readonly [string, string])[] {
  if (cookies.length === 0) return headers;
  return [...headers, ['Cookie', cookies.map((pair) => pair.join('=')).join('; ')]];
}

function curlCode(request: ClientRequest): string {
  const { method, url, basic, body } = request;
  const first = [
    'curl',
    ...(method === (body === undefined ? 'GET' : 'POST')
      ? []
      : method === 'HEAD'
        ? ['--head']
        : ['-X', method]),
  ];
  const lines = [
    [...first, shellText(url)].join(' '),
    ...(basic ? [`-u ${shellText(basic.join(':'))}`] : []),
    ...withCookies(request).map(([name, value]) => `-H ${shellText(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${shellText(body)}`]),
  ];
  return lines.join(' \\\n  ');
}

/** For a POSIX shell: single quotes, but for what the shell is to replace. */
function shellText(text: string): string {
  if (text.includes(FROM_ENVIRONMENT)) return `"${text.replace(/["\\`]|\$(?!PADDOCK_API_KEY)/g, '\\$&')}"`;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A text as an expression: literals, and what reads the environment between them. */
function expression(
  text: string,
  literal: (text: string) => string,
  variable: string,
  joint = ' + ',
): string {
  const parts = text.split(FROM_ENVIRONMENT);
  const pieces = parts.flatMap((part, index) => [
    ...(index > 0 ? [variable] : []),
    ...(part === '' ? [] : [literal(part)]),
  ]);
  return pieces.join(joint) || literal('');
}

const scriptText = (text: string) =>
  expression(
    text,
    (part) => `'${JSON.stringify(part).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`,
    'process.env.PADDOCK_API_KEY',
  );

function fetchCode(request: ClientRequest): string {
  const { method, url, basic, body } = request;
  const headers = [
    ...(basic ? [`Authorization: 'Basic ' + btoa(${scriptText(basic.join(':'))})`] : []),
    ...withCookies(request).map(([name, value]) => `${scriptName(name)}: ${scriptText(value)}`),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length > 0 ? ['  headers: {', ...headers.map((line) => `    ${line},`), '  },'] : []),
    ...(body === undefined ? [] : [`  body: ${scriptBody(body)},`]),
  ];
  const call =
    options.length === 0
      ? `fetch(${scriptText(url)})`
      : `fetch(${scriptText(url)}, {\n${options.join('\n')}\n})`;
  return `const response = await ${call};\nconsole.log(response.status, await response.text());`;
}

function scriptName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : scriptText(name);
}

/** A body of several lines stays so. */
function scriptBody(body: string): string {
  if (!body.includes('\n') || body.includes(FROM_ENVIRONMENT) || body.includes('\r')) return scriptText(body);
  return `\`${body.replace(/[\\`]|\$(?=\{)/g, '\\$&')}\``;
}

const pythonText = (text: string) => expression(text, pythonLiteral, 'os.environ["PADDOCK_API_KEY"]');

/** JSON's escapes are Python's, but for the halves of a character beyond the first 65,536. */
function pythonLiteral(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\x7f');
}

function pythonCode(request: ClientRequest): string {
  const { method, url, basic, body } = request;
  const headers = withCookies(request);
  const lines = [
    `    ${pythonText(method)},`,
    `    ${pythonText(url)},`,
    ...(headers.length > 0
      ? [
          '    headers={',
          ...headers.map(([name, value]) => `        ${pythonText(name)}: ${pythonText(value)},`),
          '    },',
        ]
      : []),
    ...(basic ? [`    auth=(${basic.map(pythonText).join(', ')}),`] : []),
    ...(body === undefined ? [] : [`    data=${pythonBody(body)}.encode(),`]),
  ];
  const code = `response = requests.request(\n${lines.join('\n')}\n)\nprint(response.status_code, response.text)`;
  return `${code.includes('os.environ') ? 'import os\n' : ''}import requests\n\n${code}`;
}

function pythonBody(body: string): string {
  if (!body.includes('\n') || /[\\\r]|"""|"$|\$PADDOCK/.test(body)) return pythonText(body);
  return `"""${body}"""`;
}

const javaText = (text: string) => expression(text, javaLiteral, 'System.getenv("PADDOCK_API_KEY")');

function javaLiteral(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}

function javaCode(request: ClientRequest): string {
  const { method, url, basic, body } = request;
  const publisher =
    body === undefined
      ? 'HttpRequest.BodyPublishers.noBody()'
      : `HttpRequest.BodyPublishers.ofString(${javaBody(body)})`;
  const lines = [
    ...(basic
      ? [
          `.header("Authorization", "Basic " + java.util.Base64.getEncoder().encodeToString((${javaText(basic.join(':'))}).getBytes()))`,
        ]
      : []),
    ...withCookies(request).map(([name, value]) => `.header(${javaText(name)}, ${javaText(value)})`),
    `.method(${javaText(method)}, ${publisher})`,
    '.build();',
  ];
  return `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

public class Request {
    public static void main(String[] arguments) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(${javaText(url)}))
${lines.map((line) => `            ${line}`).join('\n')}
        var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(response.statusCode() + " " + response.body());
    }
}`;
}

/** A text block (JLS §3.10.6), whose lines keep what they have. */
function javaBody(body: string): string {
  if (!body.includes('\n') || /[\\\r]|"""|"$|[^\S\n](?=\n|$)|\$PADDOCK/.test(body)) return javaText(body);
  return `"""\n${body
    .split('\n')
    .map((line) => `                ${line}`)
    .join('\n')}"""`;
}
