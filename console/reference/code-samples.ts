import { allHeaders, type ClientRequest } from '../code/client-request.ts';
import { curlCode, fetchCode } from '../code/request-code.ts';
import { expression } from '../code/script-value.ts';

/** Code that sends a request. */
export interface CodeSample {
  readonly name: string;
  readonly language: 'shell' | 'script';
  readonly code: string;
}

const SHOWN = 'console.log(response.status, await response.text());';

/** The request in each language, using standard or very common libraries. */
export function codeSamples(request: ClientRequest): readonly CodeSample[] {
  return [
    { name: 'curl', language: 'shell', code: curlCode(request) },
    { name: 'JavaScript', language: 'script', code: `${fetchCode(request)}\n${SHOWN}` },
    { name: 'Python', language: 'script', code: pythonCode(request) },
    { name: 'Java', language: 'script', code: javaCode(request) },
  ];
}

const pythonText = (text: string) => expression(text, pythonLiteral, 'os.environ["PADDOCK_API_KEY"]');

/** JSON's escapes are valid in Python, except for surrogate pairs. */
function pythonLiteral(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\x7f');
}

function pythonCode(request: ClientRequest): string {
  const { method, url, basic, body } = request;
  const headers = allHeaders(request);
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
    ...allHeaders(request).map(([name, value]) => `.header(${javaText(name)}, ${javaText(value)})`),
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

/** A text block (JLS §3.10.6), if it preserves the text. */
function javaBody(body: string): string {
  if (!body.includes('\n') || /[\\\r]|"""|"$|[^\S\n](?=\n|$)|\$PADDOCK/.test(body)) return javaText(body);
  return `"""\n${body
    .split('\n')
    .map((line) => `                ${line}`)
    .join('\n')}"""`;
}
