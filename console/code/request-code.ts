import { allHeaders, type ClientRequest, type Pair } from './client-request.ts';
import { FROM_ENVIRONMENT, scriptObject, scriptText } from './script-value.ts';

/** JavaScript code that sends a request and receives the response. */
export function fetchCode(request: ClientRequest): string {
  const { method, url, body } = request;
  const headers = headersCode(request);
  const options = [
    ...(method === 'GET' ? [] : [['method', scriptText(method)] as const]),
    ...(headers.length > 0 ? [['headers', scriptObject(headers, '  ')] as const] : []),
    ...(body === undefined ? [] : [['body', scriptBody(body)] as const]),
  ];
  const args = [scriptText(url), ...(options.length > 0 ? [scriptObject(options)] : [])];
  return `const response = await fetch(${args.join(', ')});`;
}

/** The headers with all credentials, by name, as expressions. */
export function headersCode(request: Pick<ClientRequest, 'headers' | 'basic' | 'cookies'>): Pair[] {
  const { basic } = request;
  return [
    ...(basic ? [['Authorization', `'Basic ' + btoa(${scriptText(basic.join(':'))})`] as const] : []),
    ...allHeaders(request).map(([name, value]) => [name, scriptText(value)] as const),
  ];
}

/** A body of several lines stays on several lines. */
function scriptBody(body: string): string {
  if (!body.includes('\n') || body.includes(FROM_ENVIRONMENT) || body.includes('\r')) return scriptText(body);
  return `\`${body.replace(/[\\`]|\$(?=\{)/g, '\\$&')}\``;
}

/** A command for a POSIX shell that sends a request. */
export function curlCode(request: ClientRequest): string {
  const { method, url, basic, body } = request;
  const isImplied = method === (body === undefined ? 'GET' : 'POST');
  const verb = isImplied ? '' : method === 'HEAD' ? '--head ' : `-X ${method} `;
  const lines = [
    `curl ${verb}${shellText(url)}`,
    ...(basic ? [`-u ${shellText(basic.join(':'))}`] : []),
    ...allHeaders(request).map(([name, value]) => `-H ${shellText(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${shellText(body)}`]),
  ];
  return lines.join(' \\\n  ');
}

/** Single quotes, unless the shell must replace a variable. */
function shellText(text: string): string {
  if (/\$(?:PADDOCK_API_KEY|PADDOCK_ADMIN_TOKEN)/.test(text))
    return `"${text.replace(/["\\`]|\$(?!PADDOCK_API_KEY|PADDOCK_ADMIN_TOKEN)/g, '\\$&')}"`;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
