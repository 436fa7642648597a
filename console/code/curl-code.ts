import { allHeaders, type ClientRequest } from './client-request.ts';

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

/** Single quotes, but for a name that the shell is to replace. */
function shellText(text: string): string {
  if (/\$(?:PADDOCK_API_KEY|PADDOCK_ADMIN_TOKEN)/.test(text))
    return `"${text.replace(/["\\`]|\$(?!PADDOCK_API_KEY|PADDOCK_ADMIN_TOKEN)/g, '\\$&')}"`;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
